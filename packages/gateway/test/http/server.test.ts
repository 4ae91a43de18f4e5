import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Server as HttpServer, type IncomingMessage, type Server } from 'node:http'
import { connect, type Socket, Server as SocketServer } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  createGateway,
  type GatewayReply,
  type GatewayRequest,
  type Listener,
  type ListenOptions,
  listen,
} from '../../src/index.ts'
import { afterNextTurn } from '../../src/runtime/system.ts'
import { SAFE } from '../support/safe-headers.ts'
import { form, merchants, oauthSigned, SALE, SHOP, sale, status } from '../support/signed-requests.ts'
import { testGateway } from '../support/test-gateway.ts'

type Handle = (request: GatewayRequest) => Promise<GatewayReply>

const open: Listener[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(open.splice(0).map((listener) => listener.close()))
})

/** A server with this handler, closed after the test. */
async function serving(handle: Handle): Promise<Listener> {
  const listener = await listen(handle, { lingerMs: 0 })
  open.push(listener)
  return listener
}

/** A server, and the requests that it has seen. */
async function echoing() {
  const seen: GatewayRequest[] = []
  const listener = await serving(async (request) => {
    seen.push(request)
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'Größe' }
  })
  return { seen, ...listener }
}

/** The request of a test as fetch sends it. */
function send(origin: string, { url, method, headers, body }: GatewayRequest): Promise<Response> {
  return fetch(origin + url, { method, headers: headers as Record<string, string>, body })
}

const portOf = ({ origin }: Pick<Listener, 'origin'>) => Number(new URL(origin).port)

/** Writes a text to a connection: everything that the server answers on it. */
function rawExchange(listener: Listener, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(portOf(listener), '127.0.0.1', () => socket.write(text, 'latin1'))
    let said = ''
    socket
      .on('data', (chunk) => (said += chunk.toString('latin1')))
      .on('close', () => resolve(said))
      .on('error', reject)
  })
}

describe('a gateway on a socket', () => {
  test('[S1-02] takes a sale, calls back over HTTP and reports its status', async () => {
    const called = Promise.withResolvers<GatewayRequest>()
    const shop = await serving(async (request) => {
      called.resolve(request)
      return { status: 200, headers: {}, body: '' }
    })
    const listener = await serving((request) => gateway.handle(request))
    const gateway = createGateway({ publicUrl: `${listener.origin}/paynet`, merchants: merchants(), sandbox: true })
    const sold = await send(listener.origin, sale({ server_callback_url: `${shop.origin}/cb?shop=7` }))
    expect([sold.status, sold.headers.get('content-type'), sold.headers.get('cache-control')]).toEqual([
      200,
      'application/vnd.pay+json',
      'no-store',
    ])
    const callback = await called.promise
    expect([callback.method, callback.body]).toEqual(['GET', ''])
    expect(callback.url).toMatch(/^\/cb\?shop=7&status=approved&orderid=\d{15}&/)
    const told = await send(listener.origin, status({ client_orderid: 'inv-1' }))
    expect(await told.json()).toMatchObject({ status: 'approved' })
    await gateway.close()
  })

  test('[S5.2-24] verifies OAuth by the port that it is called at, whatever the Host header says', async () => {
    const listener = await serving((request) => gateway.handle(request))
    const publicUrl = `${listener.origin}/paynet`
    const gateway = createGateway({ publicUrl, merchants: merchants(), sandbox: true })
    const timestamp = Math.floor(gateway.clock.now() / 1000)
    const payout = { client_orderid: 'out-1', amount: '1', currency: 'EUR', account_number: '1' }
    const signing = { method: 'HMAC-SHA1', key: SHOP.controlKey, timestamp, baseUrl: publicUrl }
    const { url, headers, body } = oauthSigned('/api/v2/payout/1111', payout, signing)
    const head = Object.entries({
      ...headers,
      host: 'evil.example',
      'content-length': body.length,
      connection: 'close',
    })
    const text = `POST ${url} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
    const said = await rawExchange(listener, text)
    expect(said).toMatch(/^HTTP\/1\.1 200 /)
    expect(said).toContain('async-response')
    await gateway.close()
  })
})

describe('what the handler sees', () => {
  test('is method, path with query, headers in lower case and the body, byte for byte', async () => {
    const { seen, origin } = await echoing()
    const response = await fetch(`${origin}/a%20b/?x=1&y=%C3%A4`, {
      method: 'PUT',
      headers: { 'X-Some': 'Thing' },
      body: 'a=1&b=%2B+',
    })
    expect(seen).toMatchObject([
      { method: 'PUT', url: '/a%20b/?x=1&y=%C3%A4', headers: { 'x-some': 'Thing' }, body: 'a=1&b=%2B+' },
    ])
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['7', 'Größe'])
  })

  test('is the path alone if the request has scheme and host before it, as for a proxy', async () => {
    const { seen, ...listener } = await echoing()
    for (const target of ['http://gate.example.com/paynet/api?x=1', 'HTTPS://gate.example.com:8443/a//b', '*']) {
      await rawExchange(listener, `POST ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    }
    expect(seen.map(({ url }) => url)).toEqual(['/paynet/api?x=1', '/a//b', '*'])
  })

  test('is a header that came twice as a list, whatever its name', async () => {
    const { seen, ...listener } = await echoing()
    const twice = ['Authorization: OAuth a="1"', 'authorization: OAuth b="2"', 'Content-Type: a/b', 'Content-Type: c/d']
    const once = ['Host: x', 'Accept: a, b', 'Connection: close']
    await rawExchange(listener, `GET / HTTP/1.1\r\n${[...twice, ...once].join('\r\n')}\r\n\r\n`)
    expect(seen[0]?.headers).toMatchObject({
      authorization: ['OAuth a="1"', 'OAuth b="2"'],
      'content-type': ['a/b', 'c/d'],
      accept: 'a, b',
    })
  })

  test('is every byte beyond ASCII as it is, so that the gateway can refuse it', async () => {
    const { gateway } = testGateway()
    const { origin } = await serving(gateway.handle)
    const request = sale()
    const response = await send(origin, { ...request, body: `${request.body}&x=ä` })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('ASCII')
  })
})

test.for(['', 'plain', 'Größe', '€ 10', '🌹', 'x'.repeat(100_000), `${'x'.repeat(100_000)}ß`])(
  'a reply is UTF-8, of the length that it says: %#',
  async (body) => {
    const { origin } = await serving(async () => ({ status: 200, headers: {}, body }))
    const response = await fetch(origin)
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    expect(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toBe(body)
  },
)

describe('what no handler sees is answered with the headers of every answer', () => {
  const headersOf = (said: string) => {
    const [, ...lines] = (said.split('\r\n\r\n')[0] ?? '').split('\r\n')
    return Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
  }
  const chunked = 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n'

  test.for([
    ['no request', 'what is this?\r\n\r\n', '400 Bad Request'],
    ['a request without a host', 'GET / HTTP/1.1\r\n\r\n', '400 Bad Request'],
    ['a request with two hosts', 'GET / HTTP/1.1\r\nhost: x\r\nHOST: y\r\n\r\n', '400 Bad Request'],
    [
      'a body that waits to be asked for, without a host',
      'POST / HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 1\r\n\r\n',
      '400 Bad Request',
    ],
    ['another expectation, without a host', 'GET / HTTP/1.1\r\nexpect: the-best\r\n\r\n', '400 Bad Request'],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', '400 Bad Request'],
    ['headers without end', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}`, '431 Request Header Fields Too Large'],
    ['chunks of words', `${chunked}2;${'y'.repeat(20_000)}`, '413 Payload Too Large'],
    ['another expectation', 'GET / HTTP/1.1\r\nhost: x\r\nexpect: the-best\r\n\r\n', '417 Expectation Failed'],
  ] as const)('%s', async ([, text, expected]) => {
    const { seen, ...listener } = await echoing()
    const said = await rawExchange(listener, text)
    expect(said.split('\r\n')[0]).toBe(`HTTP/1.1 ${expected}`)
    expect(headersOf(said)).toMatchObject({ ...SAFE, connection: 'close', 'content-length': '0' })
    expect(seen.filter(({ body }) => body !== '')).toEqual([])
    expect((await fetch(listener.origin)).status).toBe(200)
  })

  test('a request that does not arrive in time', async () => {
    const servers: Server[] = []
    const started = channel('http.server.request.start')
    const hear = (message: unknown) => void servers.push((message as { server: Server }).server)
    started.subscribe(hear)
    const listener = await echoing()
    await fetch(listener.origin)
    started.unsubscribe(hear)
    const [server] = servers
    const connected = new Promise<Socket>((resolve) => server?.once('connection', resolve))
    const said = rawExchange(listener, 'GET / HTTP/1.1\r\n')
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    server?.emit('clientError', error, await connected)
    expect(headersOf(await said)).toMatchObject(SAFE)
    expect(await said).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  })

  test.each([
    ['names no host', '', '400'],
    ['expects what nobody can do', 'host: x\r\nexpect: the-best\r\n', '417'],
  ])('a request behind one that %s is not served: its answer could not be sent', async (_, headers, status) => {
    const { seen, ...listener } = await echoing()
    const said = await rawExchange(listener, `GET /one HTTP/1.1\r\n${headers}\r\nGET /two HTTP/1.1\r\nhost: x\r\n\r\n`)
    expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(seen).toEqual([])
  })

  test('not before the answer to a payment that came first: a 400 in its place would say that it was refused', async () => {
    const { gateway } = testGateway()
    const listener = await serving(gateway.handle)
    const { url, headers, body } = sale()
    const head = Object.entries({ ...headers, host: 'x', 'content-length': body.length })
    const lines = head.map(([name, value]) => `${name}: ${value}\r\n`)
    const said = await rawExchange(listener, `POST ${url} HTTP/1.1\r\n${lines.join('')}\r\n${body}no request\r\n\r\n`)
    expect(said.match(/HTTP\/1\.1 \d+|connection: [-a-z]+|async-response/gi)).toEqual([
      'HTTP/1.1 200',
      'Connection: close',
      'async-response',
    ])
    const told = await send(listener.origin, status({ client_orderid: 'inv-1' }))
    expect(await told.json()).toMatchObject({ status: 'approved' })
  })

  test('a client that waits for 100 Continue is told to send its body', async () => {
    const { seen, ...listener } = await echoing()
    const text =
      'POST /asked HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\nconnection: close\r\ncontent-length: 1\r\n\r\ny'
    expect(await rawExchange(listener, text)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
    expect(seen).toMatchObject([{ url: '/asked', body: 'y' }])
  })

  test.for([
    ['GET /a HTTP/1.1\r\n\r\n', { method: 'GET', path: '/a', status: 400, reason: 'it names no host, or several' }],
    [
      'GET /b HTTP/1.1\r\nhost: x\r\nexpect: the-best\r\n\r\n',
      { method: 'GET', path: '/b', status: 417, reason: 'it expects what no server does' },
    ],
    [
      'GET /paynet/form/0123456789abcdefghijklmn?pan=4444333322221111 HTTP/1.1\r\n\r\n',
      { method: 'GET', path: '/paynet/form/***', status: 400, reason: 'it names no host, or several' },
    ],
    ['no request\r\n\r\n', { status: 400, reason: 'it could not be read (HPE_INVALID_METHOD)' }],
    [
      `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}`,
      { status: 431, reason: 'it could not be read (HPE_HEADER_OVERFLOW)' },
    ],
  ] as const)('[F-B12] the operator is told of a request that no handler sees: %j', async ([text, told]) => {
    const unread: unknown[] = []
    const listener = await listen(() => Promise.reject(new Error('seen')), {
      lingerMs: 0,
      onUnread: (each) => void unread.push(each),
    })
    open.push(listener)
    await rawExchange(listener, text)
    expect(unread).toEqual([{ peer: '127.0.0.1', ...told }])
  })

  test('a request of HTTP/1.0 needs no host', async () => {
    const { seen, ...listener } = await echoing()
    expect(await rawExchange(listener, 'GET /old HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
    expect(seen).toMatchObject([{ url: '/old' }])
  })
})

describe('the size of a body', () => {
  const bodyOf = (bytes: number) => `${form({ ...SALE, x: '' })}${'x'.repeat(bytes - form({ ...SALE, x: '' }).length)}`

  test.for([
    [65_536, 403],
    [65_537, 413],
    [10_000_000, 413],
  ] as const)('[G13-07] %i bytes are answered %i', async ([bytes, expected]) => {
    const { gateway } = testGateway()
    const { origin } = await serving(gateway.handle)
    const response = await send(origin, { ...sale(), body: bodyOf(bytes) })
    expect(response.status).toBe(expected)
    expect(response.headers.get('connection')).toBe(expected === 413 ? 'close' : 'keep-alive')
    expect(await response.json()).toMatchObject({ 'error-code': expected === 413 ? '1' : '4' })
  })

  /** Sends the head of a sale whose body is said to be this long, from a client that reads nothing yet. */
  async function begun(listener: Listener, bytes: number) {
    const { url, headers } = sale()
    const head = Object.entries({ ...headers, host: 'x', 'content-length': bytes })
    const text = `POST ${url} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
    const socket = connect(portOf(listener), '127.0.0.1').setEncoding('latin1').pause()
    // `write` reports it.
    socket.on('error', () => undefined)
    const write = promisify<string>(socket.write.bind(socket))
    await write(text)
    return { socket, write }
  }

  test('[G13-07] a client that reads only once it has sent everything gets the answer', async () => {
    const { gateway } = testGateway()
    const { socket, write } = await begun(await serving(gateway.handle), 5_000_000)
    for (let sent = 0; sent < 50; sent++) await write('x'.repeat(100_000))
    expect((await once(socket.resume(), 'data'))[0]).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('[G13-07] one that does not end is answered when it is too large, and not waited for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { gateway } = testGateway()
    const seen: number[] = []
    const listener = await serving((request) => {
      seen.push(request.body.length)
      return gateway.handle(request)
    })
    const { socket, write } = await begun(listener, 1e9)
    await write('x'.repeat(65_537))
    expect((await once(socket.resume(), 'data'))[0]).toMatch(/^HTTP\/1\.1 413 /)
    expect(seen).toEqual([65_537])
    vi.advanceTimersByTime(9_999)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1)
    await once(socket, 'close')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('[G13-07] one that goes on and on is cut off', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { gateway } = testGateway()
    const { write } = await begun(await serving(gateway.handle), 1e9)
    const sendAll = async () => {
      for (let sent = 0; sent < 1000; sent++) await write('x'.repeat(1_000_000))
    }
    await expect(sendAll()).rejects.toThrow(/EPIPE|ECONNRESET/)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('[G13-07] a client that goes away before it is answered is not waited for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const arrived = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const started = channel('http.server.request.start')
    const hear = (message: unknown) =>
      void (message as { request: IncomingMessage }).request.once('close', () => left.resolve())
    started.subscribe(hear)
    const listener = await serving(async () => {
      arrived.resolve()
      await left.promise
      afterNextTurn(() => answered.resolve())
      return { status: 413, headers: {}, body: '' }
    })
    const { socket, write } = await begun(listener, 1_000_000)
    await write('x'.repeat(65_537))
    await arrived.promise
    started.unsubscribe(hear)
    socket.resetAndDestroy()
    await answered.promise
    expect(vi.getTimerCount()).toBe(0)
  })

  test('[G13-07] a request behind a body that is too large is not served: its answer could not be sent', async () => {
    const { gateway } = testGateway()
    const seen: string[] = []
    const listener = await serving((request) => {
      seen.push(request.url)
      return gateway.handle(request)
    })
    const { socket, write } = await begun(listener, 65_540)
    await write('x'.repeat(65_537))
    expect((await once(socket.resume(), 'data'))[0]).toMatch(/^HTTP\/1\.1 413 /)
    const closed = once(socket, 'close')
    await write('xxxGET /behind HTTP/1.1\r\nhost: x\r\n\r\n')
    await closed
    expect(seen).toEqual([sale().url])
  })

  test('a request may take 30 s to arrive', async () => {
    const servers: Server[] = []
    const started = channel('http.server.request.start')
    const listener = (message: unknown) => void servers.push((message as { server: Server }).server)
    started.subscribe(listener)
    const { origin } = await echoing()
    await fetch(origin)
    started.unsubscribe(listener)
    expect(servers.map(({ requestTimeout }) => requestTimeout)).toEqual([30_000])
  })

  test('a caller who goes away in the middle of its body is let go, and the handler is not asked', async () => {
    const { seen, ...listener } = await echoing()
    await new Promise<void>((resolve) => {
      const socket = connect(portOf(listener), '127.0.0.1', () => {
        socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc', () => socket.resetAndDestroy())
      })
      socket.on('close', () => resolve())
    })
    expect((await fetch(listener.origin, { method: 'POST', body: 'b' })).status).toBe(200)
    expect(seen.map(({ body }) => body)).toEqual(['b'])
  })

  test('a handler that throws ends the connection, and the server serves on', async () => {
    let times = 0
    const { origin } = await serving(async () => {
      if (times++ === 0) throw new Error('a bug')
      return { status: 200, headers: {}, body: '' }
    })
    await expect(fetch(origin)).rejects.toThrow('fetch failed')
    expect((await fetch(origin)).status).toBe(200)
  })
})

describe('a reply that is lost on demand', () => {
  const reply = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"type":"asy' }

  test('is a connection that ends before the reply, or within its body', async () => {
    const replies: GatewayReply[] = [
      { status: 0, headers: {}, body: '', cut: 'before-reply' },
      { ...reply, cut: 'within-body' },
    ]
    const listener = await serving(async () => replies.shift() ?? reply)
    const ask = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
    expect(await rawExchange(listener, ask)).toBe('')
    const [head = '', body] = (await rawExchange(listener, ask)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(body).toBe(reply.body)
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBeGreaterThan(reply.body.length)
  })

  test('is an error to a caller, not a short answer', async () => {
    const replies: GatewayReply[] = [
      { status: 0, headers: {}, body: '', cut: 'before-reply' },
      { ...reply, cut: 'within-body' },
    ]
    const { origin } = await serving(async () => replies.shift() ?? reply)
    await expect(fetch(origin)).rejects.toThrow('fetch failed')
    await expect(fetch(origin).then((response) => response.text())).rejects.toThrow('terminated')
    expect(await (await fetch(origin)).text()).toBe(reply.body)
  })
})

describe('a reply that goes on', () => {
  /** Its parts are what the test says; it ends when the server or the caller does. */
  async function streaming() {
    const parts: Array<PromiseWithResolvers<string>> = [Promise.withResolvers()]
    const ended = Promise.withResolvers<string>()
    const listener = await listen(async () => {
      const stream = async function* (signal: AbortSignal) {
        const over = once(signal, 'abort').then(() => undefined)
        for (let at = 0; ; at++) {
          const part = await Promise.race([parts[at]?.promise, over])
          if (part === undefined) return ended.resolve('ended')
          yield part
        }
      }
      return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: 'first', stream }
    })
    open.push(listener)
    const say = (text: string) => {
      parts.push(Promise.withResolvers())
      parts.at(-2)?.resolve(text)
    }
    const response = await fetch(listener.origin)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    return { ...listener, response, say, ended: ended.promise, read: async () => (await reader?.read())?.value, reader }
  }

  test('[F-C23] is sent part by part, each when it comes', async () => {
    const { response, say, read } = await streaming()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(await read()).toBe('first')
    say('one, ')
    expect(await read()).toBe('one, ')
    say('zwölf')
    expect(await read()).toBe('zwölf')
  })

  test('[F-C23] ends when its caller goes', async () => {
    const { read, reader, ended } = await streaming()
    await read()
    await reader?.cancel()
    expect(await ended).toBe('ended')
  })

  test('[F-C23] ends when the server stops, which does not wait for it', async () => {
    const { read, close, ended } = await streaming()
    await read()
    open.pop()
    await close()
    expect(await ended).toBe('ended')
    expect(await read()).toBeUndefined()
  })
})

describe('starting and stopping', () => {
  test('returns its address, for IPv6 in brackets', async () => {
    expect((await echoing()).origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const handle = async () => ({ status: 200, headers: {}, body: 'six' })
    const six = await listen(handle, { host: '::1' }).catch((error: NodeJS.ErrnoException) => error.code)
    if (typeof six === 'string' || six === undefined) return expect(six).toMatch(/^E(ADDRNOTAVAIL|AFNOSUPPORT)$/)
    open.push(six)
    expect(six.origin).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect(await (await fetch(six.origin)).text()).toBe('six')
  })

  test('on a port that is taken is refused', async () => {
    const listener = await echoing()
    const handle = async () => ({ status: 200, headers: {}, body: '' })
    await expect(listen(handle, { port: portOf(listener) })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  test('finishes the requests under way, accepts no new ones, and does not wait for connections kept alive', async () => {
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { origin, close } = await listen(async () => {
      begun.resolve()
      await go.promise
      return { status: 200, headers: {}, body: 'late' }
    })
    const response = fetch(origin, { method: 'POST', body: 'a=1' })
    await begun.promise
    const closed = close()
    await expect(fetch(origin)).rejects.toThrow('fetch failed')
    go.resolve()
    expect((await response).headers.get('connection')).toBe('close')
    expect(await (await response).text()).toBe('late')
    await closed
    await expect(close()).rejects.toMatchObject({ code: 'ERR_SERVER_NOT_RUNNING' })
  })

  test('ends in Bun as well, where an HTTP server is no socket server', async () => {
    const { origin, close } = await listen(async () => ({ status: 200, headers: {}, body: '' }))
    const ending = vi.spyOn(HttpServer.prototype, 'close')
    Object.defineProperty(SocketServer, Symbol.hasInstance, { value: () => false, configurable: true })
    onTestFinished(() => {
      ending.mockRestore()
      Reflect.deleteProperty(SocketServer, Symbol.hasInstance)
    })
    await close()
    expect(ending).toHaveBeenCalledWith(expect.any(Function))
    await expect(fetch(origin)).rejects.toThrow('fetch failed')
  })

  describe('[F-B7] with as many connections as it may have', () => {
    const GET = 'GET /x HTTP/1.1\r\nhost: x\r\n\r\n'

    /** A server of three connections at most, whose answers the test gives. */
    async function small() {
      let full = 0
      const answers: Array<() => void> = []
      let isSlow = false
      const listener = await listen(
        async () => {
          if (isSlow) await new Promise<void>((resolve) => answers.push(resolve))
          return { status: 200, headers: {}, body: 'ok' }
        },
        { lingerMs: 0, maxConnections: 3, onConnectionsFull: () => full++ },
      )
      open.push(listener)
      const connected = async (text = '') => {
        const socket = connect(portOf(listener), '127.0.0.1')
        onTestFinished(() => void socket.destroy())
        const seen = { said: '', isClosed: false }
        socket.on('data', (chunk) => (seen.said += chunk.toString('latin1')))
        socket.on('close', () => {
          seen.isClosed = true
        })
        socket.on('error', () => {})
        await once(socket, 'connect')
        if (text !== '') socket.write(text)
        if (text === GET && !isSlow) await once(socket, 'data')
        return { socket, seen, closed: () => once(socket, 'close') }
      }
      const slow = (slow: boolean) => {
        isSlow = slow
      }
      return { connected, slow, answers, full: () => full }
    }

    test('it closes the longest idle one for a new one, which is served, and says so', async () => {
      const { connected, full } = await small()
      const [first, second, third] = [await connected(GET), await connected(GET), await connected(GET)]
      first.socket.write(GET)
      await once(first.socket, 'data')
      expect(full()).toBe(0)
      const fourth = await connected(GET)
      expect(fourth.seen.said).toContain('200 OK')
      if (!second.seen.isClosed) await second.closed()
      expect([first, third, fourth].map(({ seen }) => seen.isClosed)).toEqual([false, false, false])
      expect(full()).toBe(1)
    })

    test.for(['', 'POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf', 'GET /x HT'])(
      'one that has sent no whole request, but %j, is closed before one that has',
      async (text) => {
        const { connected } = await small()
        const served = await connected(GET)
        const silent = await connected(text)
        const other = await connected(GET)
        const fourth = await connected(GET)
        expect(fourth.seen.said).toContain('200 OK')
        if (!silent.seen.isClosed) await silent.closed()
        expect([served, other, fourth].map(({ seen }) => seen.isClosed)).toEqual([false, false, false])
      },
    )

    test('it refuses a new one with 503 and Retry-After if all are being answered, and loses no answer', async () => {
      const { connected, slow, answers } = await small()
      slow(true)
      const busy = [await connected(GET), await connected(GET), await connected(GET)]
      while (answers.length < 3) await new Promise((resolve) => setImmediate(resolve))
      const refused = await connected()
      if (!refused.seen.isClosed) await refused.closed()
      expect(refused.seen.said).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n/s)
      for (const answer of answers) answer()
      for (const { socket, seen } of busy) {
        if (seen.said === '') await once(socket, 'data')
        expect(seen.said).toContain('200 OK')
      }
    })
  })

  describe('a connection that is kept alive', () => {
    /** A connection over which one request was answered. */
    async function keptAlive(options?: ListenOptions) {
      const seen: string[] = []
      const answer = async ({ url }: GatewayRequest) => {
        seen.push(url)
        return { status: 200, headers: {}, body: '' }
      }
      const { origin, close } = await listen(answer, options)
      const socket = connect(portOf({ origin }), '127.0.0.1').setEncoding('latin1')
      const ended = once(socket, 'close')
      let said = ''
      socket.on('data', (text: string) => (said += text))
      const ask = (path: string) => socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`)
      ask('/first')
      await once(socket, 'data')
      said = ''
      return { ask, close, seen, ended, said: () => said }
    }

    test('is kept longer than proxies keep theirs, which is up to ten minutes', async () => {
      const { origin } = await echoing()
      expect((await fetch(origin)).headers.get('keep-alive')).toBe('timeout=620')
    })

    test.for([{ lingerMs: 300 }, { lingerMs: 0 }])(
      'that has sent its next request already is answered: %o',
      async (options) => {
        const { ask, close, seen, ended, said } = await keptAlive(options)
        ask('/second')
        await close()
        await ended
        expect(said()).toMatch(/^HTTP\/1\.1 200 OK\r\nconnection: close\r\n/i)
        expect(seen).toEqual(['/first', '/second'])
      },
    )

    test('may send one more request for a moment, which is answered as the last', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const { ask, close, seen, ended, said } = await keptAlive()
      const closed = close()
      vi.advanceTimersByTime(299)
      await new Promise<void>((turn) => afterNextTurn(turn))
      ask('/late')
      await closed
      await ended
      expect(said()).toMatch(/^HTTP\/1\.1 200 OK\r\nconnection: close\r\n/i)
      expect(seen).toEqual(['/first', '/late'])
      expect(vi.getTimerCount()).toBe(0)
    })

    test.for([
      [undefined, 300],
      [0, 0],
      [20, 20],
    ] as const)('and silent is closed: lingerMs %s', async ([lingerMs, after]) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const { close, ended, said } = await keptAlive(lingerMs === undefined ? {} : { lingerMs })
      const closed = close()
      vi.advanceTimersByTime(after)
      await closed
      await ended
      expect(said()).toBe('')
    })
  })

  test('cuts off after a minute what does not end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const begun = Promise.withResolvers<void>()
    const { origin, close } = await listen(() => {
      begun.resolve()
      return Promise.withResolvers<GatewayReply>().promise
    })
    const answered = fetch(origin).catch((error: unknown) => error)
    await begun.promise
    const closed = close()
    vi.advanceTimersByTime(60_000)
    expect(await answered).toBeInstanceOf(TypeError)
    await closed
  })
})
