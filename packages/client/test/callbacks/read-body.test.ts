import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { readInbound } from '../../src/index.ts'

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
