/** Proxies for https on the loopback: one that tunnels, one that refuses, and one that is silent. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'

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
      const server = createServer().on('connect', ({ url = '' }, socket) => {
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
