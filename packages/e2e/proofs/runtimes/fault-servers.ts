import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer as createTlsServer } from 'node:tls'
import { accept, FAULTS, type Fault } from './faults.ts'
import type { Certificates } from './install.ts'

/** Serves each fault on a port of its own, and notes every request that arrived. */

export interface FaultServers {
  readonly proxies: Proxies['urls']
  readonly count: number
  /** Where the program finds each fault. */
  readonly urls: Readonly<Record<string, string>>
  /** How many requests for this new order arrived, whole or in part, at any of the servers. */
  arrivals(clientOrderId: string): number
  close(): Promise<void>
}

export async function serveFaults(certificates: Certificates): Promise<FaultServers> {
  const proxies = await serveProxies()
  const arrived = new Map<string, number>()
  const urls: Record<string, string> = {}
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  for (const [name, fault] of Object.entries(FAULTS)) {
    let number = 0
    const server = serverOf(fault, certificates, (socket) => {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
      fault.connection?.(socket)
      follow(socket, (request) => {
        const { clientOrderId, isNew, path } = request
        if (isNew) arrived.set(clientOrderId, (arrived.get(clientOrderId) ?? 0) + 1)
        const told = { clientOrderId, path, number: ++number, elsewhere: urls['accepts']?.replace('/paynet', '') ?? '' }
        if (fault.request === undefined || !isNew) accept(socket, told)
        else fault.request(socket, told)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { scheme = 'http' } = fault
    urls[name] = `${scheme.startsWith('https') ? 'https' : 'http'}://127.0.0.1:${port}/paynet`
    if (scheme === 'none') await new Promise((resolve) => server.close(resolve))
    else servers.push(server)
  }
  return {
    count: Object.keys(FAULTS).length,
    urls,
    proxies: proxies.urls,
    arrivals: (clientOrderId) => arrived.get(clientOrderId) ?? 0,
    close: async () => {
      await proxies.close()
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
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

interface Followed {
  readonly path: string
  readonly clientOrderId: string
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

/** Proxies for https on the loopback: one that tunnels, one that refuses, and one that is silent. */

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

export interface Proxies {
  readonly urls: Readonly<Record<ProxyKind, string>>
  close(): Promise<void>
}

export async function serveProxies(): Promise<Proxies> {
  const kinds = Object.keys(ANSWERS) as readonly ProxyKind[]
  const sockets = new Set<Duplex>()
  const served = await Promise.all(
    kinds.map(async (kind) => {
      const server = createHttpServer().on('connect', ({ url = '' }, socket) => {
        sockets.add(socket.on('error', () => {}))
        ANSWERS[kind](url, socket)
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      return { kind, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }),
  )
  return {
    urls: Object.fromEntries(served.map(({ kind, url }) => [kind, url])) as Record<ProxyKind, string>,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await Promise.all(served.map(({ server }) => new Promise((resolve) => server.close(resolve))))
    },
  }
}
