import { once } from 'node:events'
import { createServer, request as requestOver } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { GatewayReply } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'
import type { HeaderValues } from '../../src/callbacks/handler.ts'
import { type Inbound, toFetchHandler } from '../../src/index.ts'
import { readGatewayRequest, sendGatewayReply } from '../../src/internal.ts'

async function inboundOf(request: Request) {
  const seen: Inbound[] = []
  const handle = toFetchHandler(async (inbound) => {
    seen.push(inbound)
    return { status: 503, headers: { 'content-type': 'text/plain', 'retry-after': '1' }, body: 'later' }
  })
  const response = await handle(request)
  return { inbound: seen[0], response }
}

describe('toFetchHandler', () => {
  test('passes on the query of a GET, as it arrived, and returns the answer', async () => {
    const { inbound, response } = await inboundOf(new Request('https://shop.example.com/cb?a=%20b&a=+c'))
    expect(inbound).toEqual({ method: 'GET', query: 'a=%20b&a=+c', body: undefined, headers: {} })
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([503, '1', 'later'])
  })

  test('passes on the form of a POST', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'User-Agent': 'Mozilla/5.0' }
    const body = 'status=approved&x=%C3%A9'
    const request = new Request('https://shop.example.com/cb', { method: 'POST', body, headers })
    const seen: HeaderValues = { 'content-type': headers['Content-Type'], 'user-agent': 'Mozilla/5.0' }
    expect((await inboundOf(request)).inbound).toEqual({ method: 'POST', query: '', body, headers: seen })
  })

  test.each<readonly [what: string, read: (request: Request) => unknown]>([
    ['read', (request) => request.text()],
    ['read as a form', (request) => request.formData()],
    ['begun to be read', (request) => request.body?.getReader()],
  ])('reports a body that somebody has %s as taken, not as cut', async (_what, read) => {
    const request = new Request('https://shop.example.com/cb', { method: 'POST', body: new URLSearchParams('a=b') })
    await read(request)
    await expect(inboundOf(request)).rejects.toMatchObject({ code: 'BODY_TAKEN', status: 503 })
  })

  test('takes a body whose copy was read', async () => {
    const request = new Request('https://shop.example.com/cb', { method: 'POST', body: 'a=b' })
    await request.clone().text()
    expect((await inboundOf(request)).inbound?.body).toBe('a=b')
  })

  test('keeps only enough of a huge body to show that it is too large', async () => {
    const chunks = Array.from({ length: 500 }, () => new Uint8Array(10_000).fill(97))
    const body = ReadableStream.from(chunks)
    const request = new Request('https://shop.example.com/cb', { method: 'POST', body, duplex: 'half' })
    const { inbound } = await inboundOf(request)
    expect(String(inbound?.body).length).toBeLessThan(1_000_000)
    expect(String(inbound?.body).length).toBeGreaterThan(65_536)
  })
})

const form = 'client_orderid=inv-a&amount=10.42'

/** A request as `node:http` gives it. */
function incoming(given: object, ...chunks: readonly string[]) {
  return Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), { headers: {} }, given)
}

async function read(body: unknown) {
  const whole = incoming({ method: 'POST', url: '/sale/253', body }, form)
  for await (const _chunk of whole);
  return await readGatewayRequest(whole)
}

describe('A request to a gateway is converted', () => {
  test('with its whole address, its body, its headers and where it comes from, and repeated headers are kept apart', async () => {
    const given = {
      method: 'POST',
      originalUrl: '/paynet/api/v2/sale/253?a=b',
      url: '/253?a=b',
      ip: '203.0.113.7',
      headers: { accept: 'a, b' },
      headersDistinct: { accept: ['a', 'b'], 'content-type': ['text/plain'], gone: undefined },
    }
    expect(await readGatewayRequest(incoming(given, 'client_orderid=inv-a', '&amount=10.42'))).toEqual({
      method: 'POST',
      url: '/paynet/api/v2/sale/253?a=b',
      headers: { accept: ['a', 'b'], 'content-type': 'text/plain', gone: undefined },
      body: form,
      peer: '203.0.113.7',
    })
  })

  test('without what a server does not provide', async () => {
    expect(await readGatewayRequest(incoming({ headers: { accept: 'a' } }))).toEqual({
      method: '',
      url: '',
      headers: { accept: 'a' },
      body: '',
    })
  })

  test.each<readonly [what: string, body: unknown, text: string]>([
    ['a text', form, form],
    ['bytes', Buffer.from(form), form],
    ['an object', { client_orderid: 'inv-a', amount: '10.42' }, form],
    ['nothing', undefined, ''],
    ['null', null, ''],
    ['a list under a name that came twice', { a: ['1', '2'] }, 'a=1&a=2'],
    ['an object under a name with brackets', { a: { b: 'x', c: { d: 'y' } } }, 'a%5Bb%5D=x&a%5Bc%5D%5Bd%5D=y'],
    ['what is no text', { a: 1, b: null, c: true }, 'a=1&b=&c=true'],
    ['characters that a form has to escape', { name: 'Jürgen & Co' }, 'name=J%C3%BCrgen%20%26%20Co'],
    ['half a character', { '\ud800': '\udfff' }, '%EF%BF%BD=%EF%BF%BD'],
  ])('if a parser has made %s of the form', async (_what, body, text) => {
    expect(await read(body)).toMatchObject({ body: text })
  })
})

interface Seen {
  readonly status?: number | undefined
  readonly length?: string | undefined
  readonly body: string
  readonly isWhole: boolean
}

/** What a caller sees of a reply over a socket. */
async function seen(reply: GatewayReply): Promise<Seen> {
  const server = createServer((_request, response) => sendGatewayReply(response, reply)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await ask((server.address() as AddressInfo).port)
  } finally {
    server.close().closeAllConnections()
  }
}

function ask(port: number): Promise<Seen> {
  return new Promise((resolve) => {
    const outgoing = requestOver({ port, host: '127.0.0.1', agent: false }, (incoming) => {
      let body = ''
      incoming.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      const { statusCode: status, headers } = incoming
      const end = () => resolve({ status, length: headers['content-length'], body, isWhole: incoming.complete })
      incoming.once('close', end).once('error', () => {})
    })
    outgoing.once('error', () => resolve({ body: '', isWhole: false })).end()
  })
}

const headers = { 'content-type': 'text/plain; charset=utf-8' }

test('A reply of a gateway is sent with its length in bytes', async () => {
  expect(await seen({ status: 403, headers, body: 'größer' })).toEqual({
    status: 403,
    length: '8',
    body: 'größer',
    isWhole: true,
  })
})

test('A reply that is to be cut within its body ends before it is whole', async () => {
  expect(await seen({ status: 200, headers, body: 'größ', cut: 'within-body' })).toEqual({
    status: 200,
    length: '7',
    body: 'größ',
    isWhole: false,
  })
})

test('A reply that is to be lost is not begun', async () => {
  expect(await seen({ status: 0, headers: {}, body: '', cut: 'before-reply' })).toEqual({ body: '', isWhole: false })
})
