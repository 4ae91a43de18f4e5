import { describe, expect, test } from 'vitest'
import type { HeaderValues } from '../../src/callbacks/handler.ts'
import { type Inbound, toFetchHandler } from '../../src/index.ts'

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
  test('hands over the query of a GET, as it arrived, and returns the answer', async () => {
    const { inbound, response } = await inboundOf(new Request('https://shop.example.com/cb?a=%20b&a=+c'))
    expect(inbound).toEqual({ method: 'GET', query: 'a=%20b&a=+c', body: undefined, headers: {} })
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([503, '1', 'later'])
  })

  test('hands over the form of a POST', async () => {
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
