import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer as createTlsServer } from 'node:tls'
import { type Listening, listenOn } from '@tallystick/proof-kit'
import { type ArrivedRequest, accept, FAULTS, type Fault } from './faults.ts'
import type { Certificates } from './install.ts'

export type FaultServers = Awaited<ReturnType<typeof serveFaults>>

/** Serves each fault on a port of its own, and notes every request that arrived. */
export async function serveFaults(certificates: Certificates) {
  const proxies = await serveProxies()
  const arrived = new Map<string, number>()
  const urls: Record<string, string> = {}
  const served = Object.values(proxies)
  for (const [name, fault] of Object.entries(FAULTS)) {
    let number = 0
    const server = serverOf(fault, certificates, (socket) => {
      socket.on('error', () => {})
      fault.connection?.(socket)
      follow(socket, (request) => {
        const { clientOrderId, isNew, path } = request
        if (isNew) arrived.set(clientOrderId, (arrived.get(clientOrderId) ?? 0) + 1)
        const told = { clientOrderId, path, number: ++number, elsewhere: urls['accepts']?.replace('/paynet', '') ?? '' }
        if (fault.request === undefined || !isNew) accept(socket, told)
        else fault.request(socket, told)
      })
    })
    const listening = await listenOn(server)
    const { scheme = 'http' } = fault
    urls[name] = `${scheme.startsWith('https') ? 'https' : 'http'}://127.0.0.1:${listening.port}/paynet`
    if (scheme === 'none') await listening.close()
    else served.push(listening)
  }
  return {
    proxies,
    count: Object.keys(FAULTS).length,
    urls: urls as Readonly<Record<string, string>>,
    /** How many requests for this new order arrived, whole or in part, at any of the servers. */
    arrivals: (clientOrderId: string) => arrived.get(clientOrderId) ?? 0,
    close: () => Promise.all(served.map((each) => each.close())),
  }
}

function serverOf(
  { scheme, certificate = 'trusted', tls }: Fault,
  certificates: Certificates,
  on: (s: Socket) => void,
) {
  if (scheme !== 'https') return createServer(on)
  const versions = tls === undefined ? {} : ({ minVersion: tls, maxVersion: tls } as const)
  // OpenSSL speaks old versions only at security level 0.
  const ciphers = tls === 'TLSv1.1' ? { ciphers: 'DEFAULT@SECLEVEL=0' } : {}
  const server = createTlsServer({ ...certificates[certificate], ...versions, ...ciphers }, on)
  return server.on('tlsClientError', () => {})
}

type Followed = Pick<ArrivedRequest, 'path' | 'clientOrderId'> & {
  /** Whether it makes a new order, rather than checks the status of one. */
  readonly isNew: boolean
}

/** Calls back with each whole request of a connection. One that is cut counts as well, once it names its order. */
function follow(socket: Socket, on: (request: Followed) => void): void {
  let text = ''
  socket.on('close', () => {
    const [, path = '', , clientOrderId] = /^POST (\S*) (.*client_orderid=([^&]*))?/s.exec(text) ?? []
    if (clientOrderId !== undefined) on({ path, clientOrderId, isNew: path.includes('/sale/') })
  })
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    for (;;) {
      const [head = '', rest] = text.split(/\r\n\r\n(.*)/s)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
      if (rest === undefined || !(rest.length >= length)) return
      text = rest.slice(length)
      const path = head.split(' ')[1] ?? ''
      const clientOrderId = new URLSearchParams(rest.slice(0, length)).get('client_orderid') ?? ''
      on({ path, clientOrderId, isNew: path.includes('/sale/') })
    }
  })
}

export type ProxyKind = keyof typeof ANSWERS

const ANSWERS = {
  tunnels: (target: string, socket: Duplex) => {
    const to = connect(Number(target.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      to.pipe(socket).pipe(to)
    })
    to.on('error', () => socket.destroy())
    socket.on('error', () => to.destroy())
  },
  refuses: (_target: string, socket: Duplex) => {
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n')
  },
  'is silent': () => {},
} as const

/** Proxies for https on the loopback: one that tunnels, one that refuses, and one that is silent. */
async function serveProxies(): Promise<Readonly<Record<ProxyKind, Listening>>> {
  const serve = async (kind: ProxyKind) =>
    await listenOn(
      createHttpServer().on('connect', ({ url = '' }, socket) =>
        ANSWERS[kind](
          url,
          socket.on('error', () => {}),
        ),
      ),
    )
  return { tunnels: await serve('tunnels'), refuses: await serve('refuses'), 'is silent': await serve('is silent') }
}
