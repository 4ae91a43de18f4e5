import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { NodeRequest } from '../../src/callbacks/inbound.ts'
import { readInbound } from '../../src/index.ts'

interface Given {
  readonly method?: string
  readonly url?: string
  readonly originalUrl?: string
  readonly body?: unknown
}

/** A request whose body nobody has read, as `node:http` gives it. */
function unread(given: Given, ...chunks: readonly string[]): NodeRequest {
  return Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), given)
}

/** A request whose body a parser has read to its end. */
async function read(given: Given): Promise<NodeRequest> {
  const request = Object.assign(Readable.from([Buffer.from('status=approved')]), given)
  for await (const _chunk of request);
  return request
}

describe('The body of a request', () => {
  test('is read if nobody has read it', async () => {
    const request = unread({ method: 'POST', url: '/callback' }, 'status=app', 'roved')
    expect(await readInbound(request)).toEqual({ method: 'POST', query: '', body: 'status=approved' })
  })

  test('is also read if a parser left an empty body without reading', async () => {
    const request = unread({ method: 'POST', url: '/callback', body: {} }, 'status=approved')
    expect(await readInbound(request)).toMatchObject({ body: 'status=approved' })
  })

  test.each<readonly [what: string, body: unknown, expected: unknown]>([
    ['a parser that makes an object', { status: 'approved' }, { status: 'approved' }],
    ['a parser that makes an object without prototype', Object.assign(Object.create(null), { a: '1' }), { a: '1' }],
    ['a parser that makes a text', 'status=approved', 'status=approved'],
    ['a parser that makes pairs', new URLSearchParams('status=approved&a=1&a=2'), 'status=approved&a=1&a=2'],
    ['a parser that keeps the bytes', Buffer.from('status=approved'), 'status=approved'],
    ['a parser that keeps them as they came', Buffer.from([0x61, 0x3d, 0xfc]), 'a=\u00fc'],
    ['a reader that left nothing', undefined, undefined],
    ['a parser that found null', null, undefined],
    ['a parser that found a number', 7, undefined],
  ])('is taken from %s', async (_what, body, expected) => {
    const request = await read({ method: 'POST', url: '/callback', body })
    expect(await readInbound(request)).toEqual({ method: 'POST', query: '', body: expected })
  })
})

describe('The query', () => {
  test.each([
    ['/callback?status=approved&orderid=1', 'status=approved&orderid=1'],
    ['/callback?a=b?c', 'a=b?c'],
    ['/callback?', ''],
    ['/callback', ''],
  ])('of %s is kept as it arrived', async (url, query) => {
    expect(await readInbound(unread({ method: 'GET', url }))).toEqual({ method: 'GET', query })
  })

  test('is that of the original address if a router has cut the address', async () => {
    const request = unread({ method: 'GET', url: '/', originalUrl: '/shop/callback?status=approved' })
    expect(await readInbound(request)).toMatchObject({ query: 'status=approved' })
  })

  test('and the method are empty if the request has none', async () => {
    expect(await readInbound(unread({}))).toEqual({ method: '', query: '', body: '' })
  })
})

test('The body of a GET is not waited for', async () => {
  const request = Object.assign(new Readable({ read: () => {} }), { method: 'GET', url: '/callback?a=b' })
  expect(await readInbound(request)).toEqual({ method: 'GET', query: 'a=b' })
})

test('A body past 64 KiB is read to its end, but only enough of it is kept to count as too large', async () => {
  const chunk = 'x'.repeat(60_000)
  const request = unread({ method: 'POST', url: '/callback' }, ...Array.from({ length: 20 }, () => chunk))
  const { body } = await readInbound(request)
  expect(body).toBe(chunk + chunk)
  expect(request.readableEnded).toBe(true)
})

/** A request as `node:http` gives it. */
function request(headers: Readonly<Record<string, string>> = {}, ...chunks: readonly string[]) {
  return Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), {
    method: 'POST',
    url: '/callback',
    headers,
  })
}

describe('Reading a body', () => {
  test('fails with status 400 if its sender goes away', async () => {
    const cut = request({}, 'status=app', 'roved')
    const reason = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    setImmediate(() => cut.destroy(reason))
    await expect(readInbound(Object.assign(cut, { read: () => null }))).rejects.toMatchObject({
      code: 'BODY_CUT',
      status: 400,
      cause: { message: 'aborted' },
    })
  })

  test('fails with status 400, and does not wait, if the request was destroyed before', async () => {
    const destroyed = request({}, 'status=approved')
    destroyed.destroy()
    await expect(readInbound(destroyed)).rejects.toMatchObject({ code: 'BODY_CUT', status: 400 })
  })

  test('fails with status 503 if somebody has read a part of it: the rest must not pass for the whole', async () => {
    const half = request({}, 'status=app', 'roved')
    for await (const _chunk of half.iterator({ destroyOnReturn: false })) break
    await expect(readInbound(half)).rejects.toMatchObject({ code: 'BODY_TAKEN', status: 503 })
  })

  test.each([
    ['', { 'content-length': '15' }, undefined],
    [' (chunked)', { 'transfer-encoding': 'chunked' }, undefined],
    [' and a parser for other types left an empty one', { 'content-length': '15' }, {}],
    [' (chunked) and a parser for other types left an empty one', { 'transfer-encoding': 'chunked' }, {}],
  ])('fails with status 503 if somebody has thrown it away%s', async (_what, headers, body) => {
    const drained = Object.assign(request(headers, 'status=approved'), { body })
    for await (const _chunk of drained);
    await expect(readInbound(drained)).rejects.toMatchObject({ code: 'BODY_TAKEN', status: 503 })
  })

  test('gives undefined if there is none', async () => {
    const empty = request({ 'content-length': '0' })
    for await (const _chunk of empty);
    expect(await readInbound(empty)).toMatchObject({ body: undefined })
  })
})

test('Headers and the address of the customer are passed on if there are any', async () => {
  const headers = { 'user-agent': 'Mozilla/5.0' }
  expect(await readInbound(Object.assign(request(headers), { ip: '203.0.113.7' }))).toMatchObject({
    headers,
    customerIp: '203.0.113.7',
  })
})
