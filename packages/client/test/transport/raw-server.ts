import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface RawServer {
  readonly port: number
  readonly url: string
  /** Connections that were accepted. */
  readonly connections: number
  /** What arrived, of all connections together. */
  readonly received: string
  /** How many requests arrived, by their first line. */
  readonly requests: number
  /** Settles when a connection has been closed. */
  closed(): Promise<unknown>
  /** Closes all connections, and listens no longer. */
  stop(): Promise<unknown>
}

/**
 * A server on the loopback that speaks no HTTP by itself: `onRequest` is called with the socket once a whole request
 * has arrived (its body ends with `&end=1`), `onConnection` when a connection is accepted.
 */
export async function rawServer(
  on: {
    readonly connection?: (socket: Socket) => void
    readonly request?: (socket: Socket, request: string) => void
  },
  atPort = 0,
): Promise<RawServer> {
  const sockets = new Set<Socket>()
  const closing = Promise.withResolvers<unknown>()
  let connections = 0
  let received = ''
  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', closing.resolve)
    let text = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      text += chunk.toString('latin1')
      if (!text.endsWith('&end=1')) return
      const request = text
      text = ''
      on.request?.(socket, request)
    })
    on.connection?.(socket)
  })
  server.listen(atPort, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(stop)
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/paynet/api/v2/sale/253`,
    get connections() {
      return connections
    },
    get received() {
      return received
    },
    get requests() {
      return received.split('POST /').length - 1
    },
    closed: () => closing.promise,
    stop,
  }
}

/** A whole HTTP reply. */
export function httpReply(body: string, { status = '200 OK', headers = '' } = {}): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
