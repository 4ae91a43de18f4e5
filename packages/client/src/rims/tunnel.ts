import type { Socket } from 'node:net'

type Connected = (...connected: [error: null, socket: Socket] | [error: Error, socket: null]) => void

/**
 * Makes connections to a host and port through a proxy, by CONNECT (RFC 9110 section 9.3.6). Nothing of a request is sent by it.
 *
 * @param proxy its http address, with the user and the password that it asks for
 */
export function tunnelThrough(proxy: string, timeout: number): (target: string, connected: Connected) => void {
  const { request } = process.getBuiltinModule('node:http')
  const address = new URL(proxy)
  const credentials = credentialsOf(address)
  // Node would make an Authorization of them, for the gateway.
  address.username = ''
  address.password = ''
  return (target, connected) => {
    const headers = { host: target, ...credentials }
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
  // A percent sign that escapes nothing is itself: who writes his password as it is gets in, too.
  const { unescape: decoded } = process.getBuiltinModule('node:querystring')
  const user = `${decoded(username)}:${decoded(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}
