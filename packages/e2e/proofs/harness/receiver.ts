import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Random } from '@tallystick/proof-kit'

/** Receives the merchant's callbacks on several ports: a gateway has at most four deliveries under way to each. */
export interface Receiver {
  /** An address for the next order. */
  address(): string
  /** Whether the callback with this full address was acknowledged. */
  hasHeard(url: string): boolean
  close(): void
}

const PORTS = 4
/** The percentage of callbacks that are refused at first. */
const REFUSED = 5

export async function startReceiver(random: Random): Promise<Receiver> {
  const heard = new Set<string>()
  const servers = await Promise.all(Array.from({ length: PORTS }, () => listen(random, heard)))
  const origins = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return {
    address: () => `${random.pick(origins)}/callback`,
    hasHeard: (url) => heard.has(url),
    close: () => {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}

function listen(random: Random, heard: Set<string>): Promise<Server> {
  const server = createServer(({ url, headers }, response) => {
    const isAcknowledged = random.below(100) >= REFUSED
    if (isAcknowledged) heard.add(`http://${headers.host}${url}`)
    response.writeHead(isAcknowledged ? 200 : 503).end()
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
