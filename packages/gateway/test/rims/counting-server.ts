import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildConnector } from 'undici'
import type { CallbackSenderOptions } from '../../src/rims/callback-sender.ts'

/** Everything that gets past the guard ends at one server on this machine, which counts. */
export interface CountingServer {
  /** The lower-level connect of a sender: whatever the address, the connection goes to the server. */
  readonly connect: NonNullable<CallbackSenderOptions['connect']>
  /** Addresses with ports that a connection was asked for. */
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
