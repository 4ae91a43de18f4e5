import type { Socket } from 'node:net'
import type undici from 'undici'
import { buildConnector } from './undici-parts.ts'

/**
 * What may come over a connection in answer to one request: the largest reply, its head and its framing. undici limits the
 * headers and we the body, but nobody limits an endless status line, chunk extensions, trailers or provisional replies.
 */
const MAX_WIRE_BYTES = 4_194_304

/** Makes connections that are destroyed if an answer does not end. */
export function guardedConnector(options: undici.buildConnector.BuildOptions): undici.buildConnector.connector {
  const connect = buildConnector(options)
  return (target, callback) =>
    connect(target, (...connected) => {
      const [, socket] = connected
      // undici leaves it out when there is an error.
      if (socket) guard(socket)
      callback(...connected)
    })
}

/** The same through a proxy, for https alone. */
export function tunnelled(
  connect: undici.buildConnector.connector,
  proxy: string,
  timeout: number,
): undici.buildConnector.connector {
  const tunnel = tunnelThrough(proxy, timeout)
  return (target, callback) => {
    const { host, port, protocol } = target
    if (protocol !== 'https:') return connect(target, callback)
    tunnel(port === '' ? `${host}:443` : `${host}`, (error, httpSocket) => {
      if (error === null) connect({ ...target, httpSocket }, callback)
      else callback(error, null)
    })
  }
}

/**
 * Requests are not pipelined: what comes after one was written belongs to it. Reading `bytesWritten` takes time, so it is
 * compared only each time this much has arrived: an answer is cut off at twice as much at most.
 */
function guard(socket: Socket): void {
  let written = 0
  let before = 0
  socket.on('readable', () => {
    const seen = socket.bytesRead
    if (seen - before <= MAX_WIRE_BYTES) return
    if (socket.bytesWritten === written) socket.destroy(new EndlessReplyError())
    written = socket.bytesWritten
    before = seen
  })
}

class EndlessReplyError extends Error {
  readonly code = 'ENDLESS_REPLY'
}

type Connected = (...connected: [error: null, socket: Socket] | [error: Error, socket: null]) => void

/**
 * Makes connections to a host and port through a proxy, by CONNECT (RFC 9110 section 9.3.6). Sends nothing of a request.
 *
 * @param proxy its http address, with the user and the password that it requires
 */
function tunnelThrough(proxy: string, timeout: number): (target: string, connected: Connected) => void {
  const { request } = process.getBuiltinModule('node:http')
  const address = new URL(proxy)
  const credentials = credentialsOf(address)
  // Node would make an Authorization header of them, for the gateway.
  address.username = ''
  address.password = ''
  return (target, connected) => {
    const headers = { host: target, 'user-agent': 'tallystick-client', ...credentials }
    const asked = request(address, { method: 'CONNECT', path: target, headers, agent: false, timeout })
    asked.on('connect', ({ statusCode = 500 }, socket) => {
      if (statusCode < 300) return connected(null, socket)
      socket.destroy()
      connected(failure(`PROXY_ANSWERED_${statusCode}`), null)
    })
    asked.on('timeout', () => asked.destroy(failure('PROXY_TIMEOUT')))
    asked.on('error', (error) => connected(error, null))
    asked.end()
  }
}

function credentialsOf({ username, password }: URL) {
  if (username === '') return {}
  // A percent sign that escapes nothing stands for itself: a password that is written as it is also works.
  const { unescape: decoded } = process.getBuiltinModule('node:querystring')
  const user = `${decoded(username)}:${decoded(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}
