import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands before a PostgreSQL server, and records what its clients send: every statement and every value to be stored. */
export interface WireTap {
  /** The server's address by way of the tap. */
  readonly url: string
  /** What was sent, one connection after the other. */
  sent(): Buffer
  close(): void
}

export async function wireTap(server: string): Promise<WireTap> {
  const { port } = new URL(server)
  const connections: Uint8Array[][] = []
  const open = new Set<Socket>()
  const door = createServer((client) => {
    const chunks: Uint8Array[] = []
    const behind = connect(Number(port), '127.0.0.1')
    connections.push(chunks)
    client.on('data', (chunk: Uint8Array) => chunks.push(chunk)).pipe(behind)
    behind.pipe(client)
    for (const socket of [client, behind]) {
      open.add(socket)
      socket.on('error', () => {}).once('close', () => open.delete(socket))
    }
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  const url = new URL(server)
  url.port = String((door.address() as AddressInfo).port)
  return {
    url: url.href,
    sent: () => Buffer.concat(connections.map((chunks) => Buffer.concat([...chunks, Buffer.from('\n')]))),
    close: () => {
      door.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** In what pg-boss sends: the seconds until a job is due. */
export const UNTIL_DUE = /(?<="startAfter":")[\d.]+(?=")/g
