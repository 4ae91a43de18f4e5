import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildConnector } from 'undici'
import type { CallbackSenderOptions } from '../../src/callbacks/sender.ts'

/** A server on this machine that gets, and counts, everything that passes the guard. */
export interface CountingServer {
  /** A `connect` for a sender. Whatever the address, the connection goes to this server. */
  readonly connect: NonNullable<CallbackSenderOptions['connect']>
  /** The addresses, with ports, that the sender wanted to connect to. */
  readonly asked: string[]
  readonly port: number
  connections(): number
  requests(): number
  close(): void
}

export async function countingServer(): Promise<CountingServer> {
  let connections = 0
  let requests = 0
  const asked: string[] = []
  const server: Server = createServer((_incoming, response) => {
    requests++
    response.end()
  }).on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    connect: () => (options, callback) => {
      asked.push(`${options.hostname} ${options.port}`)
      buildConnector({})({ ...options, protocol: 'http:', hostname: '127.0.0.1', port: String(port) }, callback)
    },
    asked,
    port,
    connections: () => connections,
    requests: () => requests,
    close: () => server.close().closeAllConnections(),
  }
}
