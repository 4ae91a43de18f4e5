import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to the server on which the connections of before can be made silent; new ones work. */
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
    /** Resolves once something was said that nobody hears. */
    unheard: unheard.promise,
    close: () => {
      for (const socket of live) socket.destroy()
      server.close()
    },
  }
}
