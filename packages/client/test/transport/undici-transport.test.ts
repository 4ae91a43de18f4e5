import { getEventListeners } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type SelfSigned, selfSigned } from '../../../gateway/test/support/self-signed.ts'
import { createPaymentClient, type Exchange, type UndiciTransportOptions, undiciTransport } from '../../src/index.ts'
import type { TransportOptions } from '../../src/internal.ts'
import { merchant } from '../merchant.ts'
import { httpReply, type RawServer, rawServer } from './raw-server.ts'

const body = 'client_orderid=902B4FF5&end=1'
const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/vnd.pay+json' }

function transport(options: UndiciTransportOptions = {}) {
  const made = undiciTransport(options)
  onTestFinished(() => made.close())
  return made
}

function send(url: string, options: Partial<TransportOptions> = {}, made = transport()): Promise<Exchange> {
  return made.send({ url, headers, body }, { timeoutMs: 5000, ...options })
}

/** `not-sent` is a proof: it must never describe a request if the server saw a byte of it. */
function expectProven(exchange: Exchange, server: RawServer): void {
  expect(exchange.kind === 'not-sent' && server.received !== '').toBe(false)
}

describe('It is certain that nothing was sent', () => {
  test('when the connection is refused', async () => {
    const exchange = await send('http://127.0.0.1:1/')
    expect(exchange).toEqual({
      kind: 'not-sent',
      seen: 'the connection to http://127.0.0.1:1 failed with ECONNREFUSED',
    })
  })

  test('when the name of the host cannot exist', async () => {
    // A label of 64 characters is over the limit of DNS: no name server is asked.
    expect(await send(`http://${'a'.repeat(64)}.invalid/`)).toMatchObject({ kind: 'not-sent' })
  })

  // What OpenSSL makes of a text depends on its release: 3.5.4 of Node 24.11 takes this one for too long a record.
  test.each([
    ['text', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['too long a record', Buffer.of(22, 3, 1, 255, 255)],
  ])('when the other side speaks no TLS, as the message says: %s', async (_what, said) => {
    const server = await rawServer({ connection: (socket) => socket.end(said) })
    const origin = `https://127.0.0.1:${server.port}`
    const seen = expect.stringMatching(
      `^the connection to ${origin} failed with ERR_SSL_[A-Z_]+: there is no TLS at this port; `,
    )
    expect(await send(`${origin}/`)).toEqual({ kind: 'not-sent', seen })
    expect(server.received).not.toContain('902B4FF5')
  })

  /** A gateway with this certificate, on this machine. */
  async function gatewayWith(certificate: SelfSigned): Promise<string> {
    const server = createServer(certificate, (_request, response) => response.end('{}'))
    await new Promise<void>((resolve) => server.listen(0, resolve))
    onTestFinished(() => void server.close())
    return `https://localhost:${(server.address() as AddressInfo).port}/`
  }

  test('[F-C8] when no known authority has signed the certificate, as the message says; tls.ca adds it', async () => {
    const certificate = selfSigned('localhost')
    const url = await gatewayWith(certificate)
    expect(await send(url)).toEqual({
      kind: 'not-sent',
      seen: expect.stringMatching(
        /DEPTH_ZERO_SELF_SIGNED_CERT: no authority .*: name the file of that authority in NODE_EXTRA_CA_CERTS, or give it as tls\.ca of undiciTransport$/,
      ),
    })
    const trusting = transport({ tls: { ca: certificate.cert } })
    expect(await send(url, {}, trusting)).toMatchObject({ kind: 'replied', httpStatus: 200 })
  })

  test('[F-C8] when the certificate is of another host, as the message says', async () => {
    const certificate = selfSigned('gate.example.com')
    const trusting = transport({ tls: { ca: certificate.cert } })
    expect(await send(await gatewayWith(certificate), {}, trusting)).toEqual({
      kind: 'not-sent',
      seen: expect.stringMatching(
        /ERR_TLS_CERT_ALTNAME_INVALID: its certificate is of another host name: check baseUrl$/,
      ),
    })
  })

  test('when the other side hangs up during the TLS handshake', async () => {
    const server = await rawServer({ connection: (socket) => socket.once('data', () => socket.destroy()) })
    expect(await send(`https://127.0.0.1:${server.port}/`)).toMatchObject({ kind: 'not-sent' })
  })

  test('when no connection is there within its time-out', async () => {
    const server = await rawServer({})
    const made = transport({ connectTimeoutMs: 20 })
    expect(await send(`https://127.0.0.1:${server.port}/`, {}, made)).toEqual({
      kind: 'not-sent',
      seen: `the connection to https://127.0.0.1:${server.port} failed with UND_ERR_CONNECT_TIMEOUT`,
    })
  })

  test('when no connection is there at the deadline', async () => {
    const server = await rawServer({})
    expect(await send(`https://127.0.0.1:${server.port}/`, { timeoutMs: 30 })).toEqual({
      kind: 'not-sent',
      seen: 'there was no whole reply within 30 ms',
    })
  })

  test('when the call was aborted before it began', async () => {
    const server = await rawServer({})
    expect(await send(server.url, { signal: AbortSignal.abort() })).toEqual({
      kind: 'not-sent',
      seen: 'the call was aborted before it began',
    })
    expect(server.connections).toBe(0)
  })

  test('when the call is aborted while it connects: a connection that is made nevertheless carries no byte', async () => {
    const server = await rawServer({})
    const abort = new AbortController()
    const exchange = send(server.url, { signal: abort.signal })
    abort.abort()
    expect(await exchange).toEqual({ kind: 'not-sent', seen: 'the call was aborted' })
    await server.closed()
    expect(server.received).toBe('')
  })

  test('when the transport was closed before', async () => {
    const server = await rawServer({})
    const made = undiciTransport()
    await made.close()
    expect(await send(server.url, {}, made)).toEqual({
      kind: 'not-sent',
      seen: 'the client was closed before the call began (close it last, after the server and the journal)',
    })
    expect(server.connections).toBe(0)
  })
})

describe('It is not known whether the request took effect', () => {
  const cases: ReadonlyArray<readonly [what: string, request: (socket: Socket) => void]> = [
    ['the connection is reset after the request', (socket) => socket.resetAndDestroy()],
    ['the connection is ended after the request', (socket) => socket.end()],
    ['the head of the reply is cut', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty')],
    ['the head of the reply is cut by a reset', (socket) => reset(socket, 'HTTP/1.1 200 OK\r\ncontent-ty')],
    ['the body is shorter than announced', (socket) => socket.end(httpReply('{"type":"x"}').slice(0, -3))],
    ['the body is cut by a reset', (socket) => reset(socket, httpReply('{"type":"x"}').slice(0, -3))],
    [
      'the last chunk of the body is missing',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n'),
    ],
    ['the reply is no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
    ['the reply is only provisional', (socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n')],
  ]

  function reset(socket: Socket, text: string): void {
    socket.write(text, () => socket.resetAndDestroy())
  }

  test.each(cases)('when %s', async (_what, request) => {
    const server = await rawServer({ request })
    const exchange = await send(server.url)
    const seen = expect.stringMatching(
      /^the connection to http:\/\/127\.0\.0\.1:\d+ failed with \w+(: it was closed .*)?$/,
    )
    expect(exchange).toEqual({ kind: 'lost', seen })
    expect(server.requests).toBe(1)
  })

  test('when the connection is closed, as the message explains', async () => {
    const server = await rawServer({ request: (socket) => socket.end() })
    const { origin } = new URL(server.url)
    expect(await send(server.url)).toEqual({
      kind: 'lost',
      seen: `the connection to ${origin} failed with UND_ERR_SOCKET: it was closed before the whole reply had come`,
    })
  })

  test('when there is no reply by the deadline', async () => {
    const server = await rawServer({})
    expect(await send(server.url, { timeoutMs: 1000 })).toEqual({
      kind: 'lost',
      seen: 'there was no whole reply within 1000 ms',
    })
    expect(server.requests).toBe(1)
  })

  test('when the reply has begun and is not whole by the deadline', async () => {
    const server = await rawServer({ request: (socket) => socket.write(httpReply('{"type":"x"}').slice(0, -3)) })
    expect(await send(server.url, { timeoutMs: 1000 })).toMatchObject({ kind: 'lost' })
  })

  test('when the reply is endless: it is cut off past one mebibyte', async () => {
    const server = await rawServer({
      request: (socket) => {
        const pour = () => {
          while (!socket.destroyed && socket.write('x'.repeat(65_536)));
        }
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n')
        socket.on('drain', pour)
        pour()
      },
    })
    expect(await send(server.url)).toEqual({ kind: 'lost', seen: 'the reply is larger than 1048576 bytes' })
    await server.closed()
  })

  test('when the call is aborted after sending', async () => {
    const abort = new AbortController()
    const server = await rawServer({ request: () => abort.abort() })
    expect(await send(server.url, { signal: abort.signal })).toEqual({ kind: 'lost', seen: 'the call was aborted' })
    await server.closed()
    expect(server.requests).toBe(1)
  })

  test('when the connection that the first call left open is reset by the second', async () => {
    let count = 0
    const server = await rawServer({
      request: (socket) => (++count === 1 ? socket.write(httpReply('{}')) : socket.resetAndDestroy()),
    })
    const made = transport()
    expect(await send(server.url, {}, made)).toMatchObject({ kind: 'replied' })
    expect(await send(server.url, {}, made)).toMatchObject({ kind: 'lost' })
    expect(server.requests).toBe(2)
  })
})

describe('A request is never not-sent if the server saw a byte of it, even if the connection is', () => {
  test.each<readonly [what: string, connection: (socket: Socket) => void]>([
    ['reset when it is accepted', (socket) => socket.resetAndDestroy()],
    ['ended when it is accepted', (socket) => socket.end()],
    ['destroyed when it is accepted', (socket) => socket.destroy()],
    ['reset at the first byte', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['ended at the first byte', (socket) => socket.once('data', () => socket.end())],
  ])('%s', async (_what, connection) => {
    const server = await rawServer({ connection })
    const exchanges = await Promise.all(Array.from({ length: 8 }, () => send(server.url, { timeoutMs: 1000 })))
    for (const exchange of exchanges) {
      expect(exchange.kind).not.toBe('replied')
      expectProven(exchange, server)
    }
    expect(server.requests).toBeLessThanOrEqual(8)
  })
})

describe('A whole reply', () => {
  test('[S4-01] answers one POST with the headers and the body as they were given', async () => {
    const server = await rawServer({ request: (socket) => socket.write(httpReply('{"type":"x"}')) })
    expect(await send(`${server.url}?a=1`)).toEqual({
      kind: 'replied',
      httpStatus: 200,
      mediaType: 'application/json',
      body: '{"type":"x"}',
    })
    const [head = '', sentBody] = server.received.split('\r\n\r\n')
    expect(sentBody).toBe(body)
    expect(head.split('\r\n').toSorted()).toEqual([
      'POST /paynet/api/v2/sale/253?a=1 HTTP/1.1',
      'accept: application/vnd.pay+json',
      'connection: keep-alive',
      `content-length: ${body.length}`,
      'content-type: application/x-www-form-urlencoded',
      `host: 127.0.0.1:${server.port}`,
    ])
  })

  test('may come without a media type, and after provisional replies', async () => {
    const server = await rawServer({
      request: (socket) => {
        socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n')
        socket.end('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n')
      },
    })
    expect(await send(server.url)).toEqual({ kind: 'replied', httpStatus: 503, mediaType: '', body: '' })
  })

  test('is read as UTF-8, wherever it was cut on its way', async () => {
    const bytes = Buffer.from(httpReply('{"name":"日本 ☕"}'))
    const server = await rawServer({
      request: (socket) => {
        socket.setNoDelay(true)
        for (const byte of bytes) socket.write(Buffer.of(byte))
      },
    })
    expect(await send(server.url)).toMatchObject({ body: '{"name":"日本 ☕"}' })
  })

  const reply = '{"type":"async-response","note":"\u20ac"}'
  const spaces = Buffer.alloc(64 * 1_048_576, ' ')

  /** What a server sends that encodes although it was asked not to. */
  async function encoded(encoding: string, content: Buffer): Promise<Exchange> {
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${encoding}content-length: ${content.length}\r\n\r\n`
    const server = await rawServer({ request: (socket) => socket.write(Buffer.concat([Buffer.from(head), content])) })
    return send(server.url)
  }

  test.each([
    ['gzip', gzipSync(reply)],
    ['X-GZIP', gzipSync(reply)],
    ['deflate', deflateSync(reply)],
    ['deflate', deflateRawSync(reply)],
    ['br', brotliCompressSync(reply)],
    ['zstd', zstdCompressSync(reply)],
    ['gzip, br', brotliCompressSync(gzipSync(reply))],
    ['identity', gzipSync(reply)],
    ['gzip', Buffer.from(reply)],
    ['x-unheard', Buffer.from(reply)],
  ])('[F-C13] is read though it came in an encoding that was not asked for: %s', async (encoding, content) => {
    expect(await encoded(`content-encoding: ${encoding}\r\n`, content)).toEqual({
      kind: 'replied',
      httpStatus: 200,
      mediaType: 'application/json',
      body: reply,
    })
  })

  test('[F-C13] is read if it is in gzip and nothing says so', async () => {
    expect(await encoded('', gzipSync(reply))).toMatchObject({ kind: 'replied', body: reply })
  })

  test.each([
    ['gzip', gzipSync(reply).subarray(0, 20)],
    ['gzip', gzipSync(spaces)],
    ['br', Buffer.concat([brotliCompressSync(spaces), Buffer.of(0xff)])],
    ['gzip, gzip', gzipSync(gzipSync(spaces))],
    ['x-unheard', gzipSync(reply)],
    ['gzip, gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(gzipSync(reply))))],
  ])('[F-C13] proves nothing if it cannot be unpacked into a mebibyte, and says so: %s', async (encoding, content) => {
    expect(await encoded(`content-encoding: ${encoding}\r\n`, content)).toEqual({
      kind: 'lost',
      seen: `HTTP 200 came in an encoding that was not asked for and cannot be read: content-encoding ${encoding}`,
    })
  })

  test('that redirects is not followed', async () => {
    const elsewhere = await rawServer({ request: (socket) => socket.write(httpReply('{}')) })
    const server = await rawServer({
      request: (socket) =>
        socket.write(httpReply('', { status: '307 Elsewhere', headers: `location: ${elsewhere.url}\r\n` })),
    })
    expect(await send(server.url)).toMatchObject({ kind: 'replied', httpStatus: 307 })
    expect([server.requests, elsewhere.connections]).toEqual([1, 0])
  })

  test('that asks to try again later is not tried again', async () => {
    const server = await rawServer({
      request: (socket) => socket.write(httpReply('', { status: '503 Busy', headers: 'retry-after: 0\r\n' })),
    })
    expect(await send(server.url)).toMatchObject({ kind: 'replied', httpStatus: 503 })
    expect(server.requests).toBe(1)
  })

  test('belongs to its own request when there are many at once', async () => {
    const server = await rawServer({
      request: (socket, request) => socket.write(httpReply(JSON.stringify({ echo: request.split('\r\n\r\n')[1] }))),
    })
    const made = transport()
    const numbers = Array.from({ length: 25 }, (_, index) => `number=${index}&end=1`)
    const exchanges = await Promise.all(
      numbers.map((each) => made.send({ url: server.url, headers, body: each }, { timeoutMs: 5000 })),
    )
    expect(exchanges.map((each) => (each.kind === 'replied' ? each.body : each.kind))).toEqual(
      numbers.map((each) => JSON.stringify({ echo: each })),
    )
    expect(server.requests).toBe(25)
  })

  test('leaves the connection open for the next requests', async () => {
    const server = await rawServer({ request: (socket) => socket.write(httpReply('{}')) })
    const made = transport()
    for (let count = 0; count < 10; count++) await send(server.url, {}, made)
    expect(server.requests).toBe(10)
    // undici frees a connection a moment after it has given the reply, so a call right then opens a second one.
    expect(server.connections).toBeLessThanOrEqual(2)
  })

  test.each([
    ['says that it closes the connection', httpReply('{}', { headers: 'connection: close\r\n' })],
    ['closes it without a word', httpReply('{}')],
  ])('of a server that %s is followed by a new connection, so that the next call is not lost', async (_what, reply) => {
    const server = await rawServer({ request: (socket) => socket.end(reply) })
    const made = transport()
    for (let count = 0; count < 5; count++) expect(await send(server.url, {}, made)).toMatchObject({ kind: 'replied' })
    expect([server.connections, server.requests]).toEqual([5, 5])
  })

  test('comes once a server listens, even if a connection was refused before', async () => {
    const before = await rawServer({})
    const { port, url } = before
    await before.stop()
    const made = transport()
    expect(await send(url, {}, made)).toMatchObject({ kind: 'not-sent' })
    await rawServer({ request: (socket) => socket.write(httpReply('{}')) }, port)
    expect(await send(url, {}, made)).toMatchObject({ kind: 'replied' })
  })

  test('leaves no listener on the signal', async () => {
    const server = await rawServer({ request: (socket) => socket.write(httpReply('{}')) })
    const { signal } = new AbortController()
    await send(server.url, { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

test('a runtime that compiles no WebAssembly is refused at the start, with its name if it has one', () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  const Module = function refuse() {
    throw new Error('Wasm code generation disallowed by embedder')
  }
  vi.stubGlobal('WebAssembly', { Module })
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
  const refusal = 'undiciTransport: Cloudflare-Workers compiles no WebAssembly; see docs/runtimes.md for a transport'
  expect(() => createPaymentClient({ ...merchant, baseUrl: 'https://gate.example.com/paynet' })).toThrow(
    new TypeError(refusal),
  )
  vi.stubGlobal('navigator', undefined)
  expect(() => undiciTransport()).toThrow('undiciTransport: this runtime compiles no WebAssembly; ')
})

test('HTTP/2 is not offered, because undici would resend a POST', async () => {
  const server = await rawServer({ connection: (socket) => socket.once('data', () => socket.destroy()) })
  await send(`https://127.0.0.1:${server.port}/`)
  // The whole ALPN extension of the ClientHello: its number, its length, the list's length, and each protocol after its length.
  expect(server.received).toContain('\0\x10\0\x0b\0\x09\x08http/1.1')
})

test('close lets the call that is under way finish', async () => {
  const arrived = Promise.withResolvers<Socket>()
  const server = await rawServer({ request: (socket) => arrived.resolve(socket) })
  const made = undiciTransport()
  const exchange = send(server.url, {}, made)
  const socket = await arrived.promise
  const closed = made.close()
  socket.write(httpReply('{}'))
  expect(await exchange).toMatchObject({ kind: 'replied', body: '{}' })
  await closed
})

test('close does not wait for the connection of an aborted call, and may be called again', async () => {
  const server = await rawServer({})
  const made = undiciTransport({ connectTimeoutMs: 60_000 })
  await send(`https://127.0.0.1:${server.port}/`, { timeoutMs: 30 }, made)
  await made.close()
  await expect(made.close()).resolves.toBeUndefined()
})

test('close ends the connections that are open', async () => {
  const reply = httpReply('{}', { headers: 'keep-alive: timeout=600\r\n' })
  const server = await rawServer({ request: (socket) => socket.write(reply) })
  const made = undiciTransport()
  expect(await send(server.url, {}, made)).toMatchObject({ kind: 'replied' })
  await made.close()
  await server.closed()
})

test('[S4-01] [S1-02] the client sends its requests over this transport by default', async () => {
  const reply = '{"type":"async-response","paynet-order-id":"6768788"}'
  const server = await rawServer({ connection: (socket) => socket.once('data', () => socket.end(httpReply(reply))) })
  const client = createPaymentClient({ ...merchant, baseUrl: `http://127.0.0.1:${server.port}/paynet` })
  const result = await client.void({ clientOrderId: '902B4FF5', orderId: '6768788' })
  expect(result).toMatchObject({ outcome: 'accepted', reply: { orderId: '6768788' } })
  await client.close()
  expect(server.received).toMatch(/^POST \/paynet\/api\/v2\/void\/253 HTTP\/1\.1\r\n/)
})

test.each([
  ['a status line', 'HTTP/1.1 200 ', 's'.repeat(65_536)],
  ['provisional replies', '', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(1000)],
  ['a chunk extension', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5;', 'e'.repeat(65_536)],
])('an endless answer (%s) is cut off long before the deadline', async (_what, begin, more) => {
  const server = await rawServer({
    request: (socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write(more));
      }
      socket.write(begin)
      socket.on('drain', pour)
      pour()
    },
  })
  expect(await send(server.url, { timeoutMs: 20_000 })).toEqual({
    kind: 'lost',
    seen: `the connection to ${new URL(server.url).origin} failed with ENDLESS_REPLY`,
  })
})

test('a connection may carry any number of replies that end', async () => {
  const large = httpReply('x'.repeat(900_000))
  const server = await rawServer({ request: (socket) => socket.write(large) })
  const made = transport()
  for (let count = 0; count < 24; count++) expect(await send(server.url, {}, made)).toMatchObject({ kind: 'replied' })
  expect(server.connections).toBeLessThanOrEqual(2)
})
