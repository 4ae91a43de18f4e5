import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Browser } from '../../src/browser/browser.ts'

let server: Server
let origin: string
let looks = 0
const sent: { readonly url: string | undefined; readonly origin: string | undefined; readonly body: string }[] = []

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  sent.push({ url: request.url, origin: request.headers.origin, body })
  if (request.url === '/quiet') response.setHeader('referrer-policy', 'no-referrer')
  if (request.url === '/later' && ++looks < 3) response.setHeader('refresh', '0')
  if (request.url === '/on') response.writeHead(303, { location: '/done' })
  if (request.url === '/round') response.writeHead(303, { location: '/round' })
  response.end(`<form method="post" action="/on"><input name="a" value="1"><button>Go</button></form>
<form action="/found"><input name="q"><button>Find</button></form><p>${request.url}</p>`)
}

test('a form is sent as it was filled in, and a redirect is followed', async () => {
  const browser = new Browser()
  await browser.open(`${origin}/start`)
  const page = await browser.press(/^Go$/, { a: '2 & 3' })
  expect(page.url).toBe(`${origin}/done`)
  expect(sent.find(({ url }) => url === '/on')).toEqual({ url: '/on', origin, body: 'a=2+%26+3' })
  expect((await browser.press(/Find/, { q: 'x y' })).url).toBe(`${origin}/found?q=x+y`)
})

test('a form of a page with no-referrer is sent without its origin', async () => {
  const browser = new Browser()
  await browser.open(`${origin}/quiet`)
  await browser.press(/Go/)
  expect(sent.findLast(({ url }) => url === '/on')?.origin).toBe('null')
})

test('a page that updates itself is reloaded until it no longer does', async () => {
  const browser = new Browser()
  await browser.open(`${origin}/later`)
  expect((await browser.settle()).refreshAfter).toBeUndefined()
  expect(looks).toBe(3)
})

test('an action that no customer could take is an error', async () => {
  const browser = new Browser()
  await expect(browser.press(/Go/)).rejects.toThrow('open a page')
  await browser.open(`${origin}/start`)
  await expect(browser.press(/Buy/)).rejects.toThrow('There is no button /Buy/')
  await expect(browser.press(/Go/, { b: '1' })).rejects.toThrow('has no field b')
  await expect(browser.open(`${origin}/round`)).rejects.toThrow('redirects more than 10 times')
})
