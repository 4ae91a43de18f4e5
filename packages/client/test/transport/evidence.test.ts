import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { undiciTransport } from '../../src/index.ts'
import { httpReply, rawServer } from './raw-server.ts'

/**
 * undici publishes when it has sent the head of a request. The verdict is compared with that for each kind of fault:
 * `not-sent` if and only if nothing was sent.
 */
const SENT = 'undici:client:sendHeaders'

let sent = 0
const count = () => void sent++

beforeEach(() => {
  sent = 0
  subscribe(SENT, count)
})
afterEach(() => {
  unsubscribe(SENT, count)
})

const request = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'client_orderid=a&end=1' }

interface Fault {
  readonly what: string
  readonly sent: 0 | 1
  readonly kind: 'not-sent' | 'lost' | 'replied'
  readonly connection?: (socket: Socket) => void
  readonly request?: (socket: Socket) => void
  readonly scheme?: 'http' | 'https'
  /** Only for faults that end by the deadline. The others have time, even on a busy machine. */
  readonly timeoutMs?: number
}

const faults: readonly Fault[] = [
  {
    what: 'a TLS handshake with a server that does not speak TLS',
    sent: 0,
    kind: 'not-sent',
    scheme: 'https',
    connection: (socket) => socket.end('no TLS\r\n'),
  },
  {
    what: 'a hang-up in the TLS handshake',
    sent: 0,
    kind: 'not-sent',
    scheme: 'https',
    connection: (socket) => socket.once('data', () => socket.destroy()),
  },
  { what: 'a TLS handshake without an end', sent: 0, kind: 'not-sent', scheme: 'https', timeoutMs: 150 },
  { what: 'a reset after the request', sent: 1, kind: 'lost', request: (socket) => socket.resetAndDestroy() },
  { what: 'an end after the request', sent: 1, kind: 'lost', request: (socket) => socket.end() },
  { what: 'silence', sent: 1, kind: 'lost', timeoutMs: 1000 },
  { what: 'half a head', sent: 1, kind: 'lost', request: (socket) => socket.end('HTTP/1.1 200 OK\r\ncont') },
  {
    what: 'half a body',
    sent: 1,
    kind: 'lost',
    request: (socket) => socket.end(httpReply('{"type":"x"}').slice(0, -3)),
  },
  { what: 'a reply', sent: 1, kind: 'replied', request: (socket) => socket.end(httpReply('{}')) },
  {
    what: 'a redirect',
    sent: 1,
    kind: 'replied',
    request: (socket) => socket.end(httpReply('', { status: '307 Go', headers: 'location: /elsewhere\r\n' })),
  },
]

describe("the verdict agrees with undici's own evidence after", () => {
  test.each(faults)('$what', async ({ scheme = 'http', kind, sent: times, timeoutMs = 20_000, ...on }) => {
    const server = await rawServer(on)
    const transport = undiciTransport()
    const url = `${scheme}://127.0.0.1:${server.port}/`
    const exchange = await transport.send({ url, ...request }, { timeoutMs })
    expect(exchange.kind).toBe(kind)
    expect(sent).toBe(times)
    await transport.close()
  })

  test('a refused connection', async () => {
    const transport = undiciTransport()
    expect(await transport.send({ url: 'http://127.0.0.1:1/', ...request }, { timeoutMs: 1000 })).toMatchObject({
      kind: 'not-sent',
    })
    expect(sent).toBe(0)
    await transport.close()
  })
})
