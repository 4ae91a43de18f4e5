import { connect, createServer, type Socket } from 'node:net'
import { listenOn } from '@tallystick/proof-kit'

/** What goes wrong between a client and its gateway, and after how many bytes in which direction. */
export interface Fault {
  readonly kind: FaultKind
  readonly direction: Direction
  readonly at: number
}

export type Direction = 'request' | 'response'

/**
 * - `cut`: both sides see the end of the connection (a reply is truncated);
 * - `reset`: both see a reset;
 * - `half-open`: nothing passes any more, and neither side is told;
 * - `drip`: the rest passes a byte at a time;
 * - `duplicate`: the gateway gets the request twice, at once (`at` 0) or after its first reply.
 */
export type FaultKind = 'cut' | 'reset' | 'half-open' | 'drip' | 'duplicate'

const DRIP_MS = 2

export type FaultProxy = Awaited<ReturnType<typeof faultProxy>>

/** Passes bytes on to a port of this machine. The first connection has the fault, the others have none. */
export async function faultProxy(gatewayPort: number, fault: Fault | undefined) {
  /** Those of the first connection that passed or came to the fault. */
  const bytes = { request: 0, response: 0 }
  const upstreams = new Set<Socket>()
  let connections = 0
  let received = ''
  const upstream = () => {
    const socket = connect({ port: gatewayPort, host: '127.0.0.1', noDelay: true })
    upstreams.add(socket.on('error', () => {}))
    return socket
  }
  const server = createServer({ noDelay: true }, (client) => {
    client.on('error', () => {})
    const isFirst = connections++ === 0
    client.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    const link = { client, gateway: upstream(), upstream }
    if (isFirst) pass(link, fault, bytes)
    else pass(link, undefined, { request: 0, response: 0 })
  })
  const { port, close } = await listenOn(server)
  return {
    port,
    bytes,
    /** What the client sent, over all connections together. */
    received: () => received,
    close: async () => {
      for (const socket of upstreams) socket.destroy()
      await close()
    },
  }
}

interface Link {
  readonly client: Socket
  readonly gateway: Socket
  readonly upstream: () => Socket
}

function pass(link: Link, fault: Fault | undefined, bytes: Record<Direction, number>): void {
  const { client, gateway } = link
  const limit = (direction: Direction) => (fault?.direction === direction ? fault.at : Number.POSITIVE_INFINITY)
  let isBroken = false
  const oneWay = (direction: Direction, from: Socket, to: Socket) => {
    from.on('data', (chunk) => {
      if (isBroken) return
      const left = limit(direction) - bytes[direction]
      bytes[direction] += chunk.byteLength
      if (fault === undefined || chunk.byteLength < left) return void to.write(chunk)
      to.write(chunk.subarray(0, left))
      if (fault.kind !== 'duplicate') isBroken = true
      happen(fault.kind, link, { to, rest: chunk.subarray(left) })
    })
    from.on('end', () => {
      if (!isBroken) to.end()
    })
  }
  oneWay('request', client, gateway)
  oneWay('response', gateway, client)
  // A fault before the first byte does not wait for one.
  if (fault?.direction === 'request' && fault.at === 0 && fault.kind !== 'duplicate') {
    isBroken = true
    happen(fault.kind, link, { to: gateway, rest: Buffer.alloc(0) })
  }
}

interface Way {
  readonly to: Socket
  /** The bytes that came with the fault and have not passed. */
  readonly rest: Buffer
}

function happen(kind: FaultKind, { client, gateway, upstream }: Link, { to, rest }: Way): void {
  switch (kind) {
    case 'cut':
      client.end()
      gateway.end()
      return
    case 'reset':
      client.resetAndDestroy()
      gateway.resetAndDestroy()
      return
    case 'half-open':
      return
    case 'drip':
      drip(to, rest, 0)
      return
    case 'duplicate': {
      to.write(rest)
      upstream().resume().write(rest)
      return
    }
  }
}

function drip(to: Socket, rest: Buffer, at: number): void {
  if (at >= rest.byteLength || to.destroyed) return
  to.write(rest.subarray(at, at + 1))
  setTimeout(drip, DRIP_MS, to, rest, at + 1)
}
