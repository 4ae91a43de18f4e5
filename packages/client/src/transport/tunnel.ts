import type { Socket } from 'node:net'

type Connected = (...connected: [error: null, socket: Socket] | [error: Error, socket: null]) => void

/**
 * Makes connections to a host and port through a proxy, by CONNECT (RFC 9110 section 9.3.6). Sends nothing of a request.
 *
 * @param proxy its http address, with the user and the password that it requires
 */
export function tunnelThrough(proxy: string, timeout: number): (target: string, connected: Connected) => void {
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
