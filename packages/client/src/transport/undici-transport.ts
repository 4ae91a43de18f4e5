import type { Socket } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import { checkOptions, rejectUnknownKeys, type Validators, validator } from '@tallystick/core/internal'
import type undici from 'undici'
import type { buildConnector as connectors } from 'undici'
// @ts-expect-error undici has no declarations of its single files
import connect from 'undici/lib/core/connect.js'
// @ts-expect-error undici has no declarations of its single files
import agent from 'undici/lib/dispatcher/agent.js'
import { exchange, type Wire } from './exchange.ts'
import type { Transport } from './transport.ts'
import { UnderWay, wireAddresses } from './wire.ts'

/**
 * The two parts of undici that are needed. Its index also imports everything else, which takes more than half of the time of
 * an import of the client. The version is pinned, so that the files stay where they are.
 */
const Agent: typeof undici.Agent = agent
const buildConnector: typeof undici.buildConnector = connect

/** Options of the library's own transport. */
export interface UndiciTransportOptions {
  /** How long a connection may take, in milliseconds. Default 10 000. */
  readonly connectTimeoutMs?: number | undefined
  /** The http address of a proxy for https (by CONNECT), with its user and password. Default none. */
  readonly proxy?: string | undefined
  /** As in `node:tls`: `cert` and `key` of the client's own, `ca` to replace the usual authorities. */
  readonly tls?: Pick<SecureContextOptions, 'ca' | 'cert' | 'key'> | undefined
}

const KINDS: Validators<UndiciTransportOptions> = {
  connectTimeoutMs: validator.milliseconds,
  proxy: {
    wanted: "the http address of a proxy, such as 'http://proxy.example.com:3128'",
    isRight: (value) => typeof value === 'string' && /^http:/i.test(value) && URL.canParse(value),
  },
  tls: validator.object,
}

/**
 * The transport of the library: HTTP/1.1 over undici.
 *
 * @throws TypeError for a wrong option, or in a runtime that undici cannot read replies in
 */
export function undiciTransport(options: UndiciTransportOptions = {}): Transport {
  checkOptions('undiciTransport', options, KINDS)
  requireWebAssembly()
  const { connectTimeoutMs, proxy, tls } = options
  const { allowH2, connect } = connectionOptions(connectTimeoutMs)
  const direct = guardedConnector({ ...connect, allowH2, secureContext: secureContextOf(tls, connect) })
  const agent = new Agent({
    allowH2,
    connect: proxy === undefined ? direct : tunnelled(direct, proxy, connect.timeout),
  })
  const wire: Wire = { dispatcher: agent, addressOf: wireAddresses(), underWay: new UnderWay() }
  let isClosed = false
  return {
    send: (request, call) => {
      if (!isClosed) return exchange(wire, request, call)
      return Promise.resolve({
        kind: 'not-sent',
        seen: 'the client was closed before the call began (close it last, after the server and the journal)',
      })
    },
    // Not `agent.close()`: it would also wait for connections of calls that were aborted long ago.
    close: async () => {
      isClosed = true
      await wire.underWay.none()
      await agent.destroy()
    },
  }
}

/** The types of Node have no value of this name. */
declare const WebAssembly: { readonly Module: new (code: Uint8Array) => unknown }

/** undici parses HTTP with WebAssembly. In a runtime that compiles none, such as Workers, every call would fail. */
function requireWebAssembly(): void {
  try {
    new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))
  } catch (cause) {
    const runtime = globalThis.navigator?.userAgent ?? 'this runtime'
    throw new TypeError(`undiciTransport: ${runtime} compiles no WebAssembly; see docs/runtimes.md for a transport`, {
      cause,
    })
  }
}

/** Made once, at the start: a wrong certificate must not first show at a payment. */
function secureContextOf(tls: UndiciTransportOptions['tls'], { minVersion }: { readonly minVersion: 'TLSv1.2' }) {
  if (tls === undefined) return undefined
  rejectUnknownKeys('undiciTransport: tls', tls, ['ca', 'cert', 'key'])
  try {
    return process.getBuiltinModule('node:tls').createSecureContext({ ...tls, minVersion })
  } catch (error) {
    throw new TypeError(`undiciTransport: tls: ${(error as Error).message}`)
  }
}

/**
 * TLS certificates are always verified, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says, and no TLS below 1.2 is spoken, whatever
 * the options of Node say. HTTP/2 is off, because undici resends a buffered POST after GOAWAY or REFUSED_STREAM.
 */
export function connectionOptions(timeout = 10_000) {
  return { allowH2: false, connect: { timeout, rejectUnauthorized: true, minVersion: 'TLSv1.2' } } as const
}

/**
 * What may come over a connection in answer to one request: the largest reply, its head and its framing. undici limits the
 * headers and we the body, but nobody limits an endless status line, chunk extensions, trailers or provisional replies.
 */
const MAX_WIRE_BYTES = 4_194_304

/** Makes connections that are destroyed if an answer does not end. */
function guardedConnector(options: connectors.BuildOptions): connectors.connector {
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
function tunnelled(connect: connectors.connector, proxy: string, timeout: number): connectors.connector {
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
