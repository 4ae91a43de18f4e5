import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to the server that can silence all connections made so far. New ones work. */
export async function wayThatFallsSilent(to: string) {
  const target = new URL(to)
  const silent = new Set<Socket>()
  const live = new Set<Socket>()
  const unheard = Promise.withResolvers<void>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    live.add(near)
    for (const socket of [near, far]) socket.on('error', () => {})
    near.once('close', () => far.destroy())
    near.on('data', (chunk) => void (silent.has(near) ? unheard.resolve() : far.write(chunk)))
    far.on('data', (chunk) => void (silent.has(near) || near.write(chunk)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const way = new URL(to)
  way.hostname = '127.0.0.1'
  way.port = String((server.address() as AddressInfo).port)
  return {
    url: way.href,
    silence: () => {
      for (const socket of live) silent.add(socket)
    },
    /** Resolves once something was sent on a silenced connection. */
    unheard: unheard.promise,
    close: () => {
      for (const socket of live) socket.destroy()
      server.close()
    },
  }
}
