import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Where a connection ends, counted over all that are open, and how. */
export type End =
  | { readonly afterByte: number; readonly how: 'end' | 'reset' }
  /** The server's word that it ends the connection comes in the same packet as the message before it. */
  | { readonly afterMessage: number; readonly how: 'fatal' }

export interface Ended {
  /** What the server sends if nothing ends. */
  readonly bytes: number
  readonly messages: number
  /** How many connections were ended. */
  readonly ends: number
  /** What would have ended the process. */
  readonly uncaught: readonly unknown[]
}

/**
 * Does the work again and again, and ends one of its connections at another place each time. How the work fails is its own
 * business; it must end.
 *
 * @param choose The ends to try, by what the work receives if nothing ends. The default is after every message.
 */
export async function endedConnections(
  to: string,
  work: (url: string) => Promise<unknown>,
  choose: (whole: { readonly bytes: number; readonly messages: number }) => readonly End[] = everyMessage,
): Promise<Ended> {
  const uncaught: unknown[] = []
  const note = (error: unknown) => void uncaught.push(error)
  process.on('uncaughtException', note).on('unhandledRejection', note)
  const way = await wayThatEnds(to)
  try {
    await work(way.url)
    const whole = way.counted()
    let ends = 0
    for (const end of choose(whole)) {
      way.endAt(end)
      await work(way.url).catch(() => {})
      if (way.hasEnded()) ends += 1
    }
    // What is thrown after the last one comes by then.
    await new Promise((resolve) => setImmediate(resolve))
    return { ...whole, ends, uncaught }
  } finally {
    way.close()
    process.off('uncaughtException', note).off('unhandledRejection', note)
  }
}

const everyMessage = ({ messages }: { readonly messages: number }): readonly End[] =>
  Array.from({ length: messages }, (_, index) => ({ afterMessage: index + 1, how: 'fatal' }))

/** A proxy to the server, of PostgreSQL or of MySQL, that ends one connection at a place, and lets all others through. */
async function wayThatEnds(to: string) {
  const target = new URL(to)
  const { endAt, fatal } = target.protocol === 'mysql:' ? MYSQL : POSTGRESQL
  const live = new Set<Socket>()
  let end: End | undefined
  let hasEnded = false
  let bytes = 0
  let messages = 0

  /** How much of this chunk still goes out. `undefined`: all of it. */
  function cutIn(chunk: Buffer, endsOfMessages: readonly number[]): number | undefined {
    const before = { bytes, messages }
    bytes += chunk.length
    messages += endsOfMessages.length
    if (end === undefined || hasEnded) return undefined
    if (end.how === 'fatal') return endsOfMessages[end.afterMessage - before.messages - 1]
    const left = end.afterByte - before.bytes
    return left <= chunk.length ? left : undefined
  }

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const ends = endsOfMessages(endAt)
    for (const socket of [near, far]) {
      live.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => live.delete(socket))
    }
    near.once('close', () => far.destroy())
    far.once('close', () => near.end())
    near.on('data', (chunk) => void far.write(chunk))
    far.on('data', (chunk) => {
      const cut = cutIn(chunk, ends(chunk))
      if (cut === undefined) return void near.write(chunk)
      hasEnded = true
      far.destroy()
      if (end?.how === 'fatal') near.end(Buffer.concat([chunk.subarray(0, cut), fatal]))
      else if (end?.how === 'reset') near.write(chunk.subarray(0, cut), () => near.resetAndDestroy())
      else near.end(chunk.subarray(0, cut))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(to)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    counted: () => ({ bytes, messages }),
    endAt: (next: End) => {
      end = next
      hasEnded = false
      bytes = 0
      messages = 0
    },
    hasEnded: () => hasEnded,
    close: () => {
      for (const socket of live) socket.destroy()
      server.close()
    },
  }
}

/** Where in each chunk of one connection a message ends. */
function endsOfMessages(endAt: Protocol['endAt']): (chunk: Buffer) => readonly number[] {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    const before = rest.length
    rest = Buffer.concat([rest, chunk])
    const ends: number[] = []
    let at = 0
    for (let end = endAt(rest, at); end !== undefined && end <= rest.length; end = endAt(rest, at)) {
      at = end
      ends.push(at - before)
    }
    rest = rest.subarray(at)
    return ends
  }
}

interface Protocol {
  /** Where the message ends that begins there. `undefined`: its length has not come yet. */
  endAt(bytes: Buffer, begin: number): number | undefined
  /** The server's word that it ends the connection. */
  readonly fatal: Buffer
}

/**
 * A message is a byte for its type, four for its length without that byte, and the rest.
 *
 * @see {@link https://www.postgresql.org/docs/current/protocol-message-formats.html}
 */
const POSTGRESQL: Protocol = {
  endAt: (bytes, begin) => (bytes.length < begin + 5 ? undefined : begin + 1 + bytes.readUInt32BE(begin + 1)),
  fatal: Buffer.from(
    'E\0\0\0\x4fSFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0',
    'latin1',
  ),
}

/**
 * A packet is three bytes for the length of the rest, one that counts the packets of a command, and the rest. A server that ends
 * an idle connection says so by an error, which is no part of an answer.
 *
 * @see {@link https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_packets.html}
 */
const MYSQL: Protocol = {
  endAt: (bytes, begin) => (bytes.length < begin + 4 ? undefined : begin + 4 + bytes.readUIntLE(begin, 3)),
  fatal: Buffer.from(
    '\x49\0\0\0\xff\xbf\x0f#HY000The client was disconnected by the server because of inactivity.',
    'latin1',
  ),
}
