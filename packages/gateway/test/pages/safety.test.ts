import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type GatewayReply, memoryStore } from '../../src/index.ts'
import type { StoredOrder } from '../../src/store-port.ts'
import { visitor } from '../support/page-visitor.ts'
import { failing } from '../support/stores.ts'
import { redirected, threeDsDesk } from '../support/three-ds.ts'
import { browser, counter, FORM_OPERATIONS, TYPED } from './browser.ts'

const PATH = '/paynet/form/AAAAAAAAAAAAAAAAAAAAAA'

const stuck = () => Promise.withResolvers<StoredOrder | undefined>().promise

/** What holds for every answer of a page. */
function expectSafe({ status, headers, body }: GatewayReply, ancestors = "'none'"): void {
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'strict-transport-security': 'max-age=63072000',
  })
  const policy = headers['content-security-policy'] ?? ''
  expect(policy.split('; ').slice(0, 3)).toEqual([
    "default-src 'none'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ])
  expect(policy.replace(ancestors, '')).not.toMatch(/unsafe|\*|connect-src/)
  if (status === 303) return
  const nonce = /script-src 'nonce-([\w+/=]{24})'/.exec(policy)?.[1]
  expect(policy).toContain(`style-src 'nonce-${nonce}'`)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  const elements = body.match(/<(?:script|style)[^>]*>/g) ?? []
  expect(elements.filter((element) => !element.includes(`nonce="${nonce}"`))).toEqual([])
  expect(body).not.toMatch(/<[a-z][^>]* (?:style|on\w+|src)=|javascript:|@import|url\(/)
}

/** Any site may frame an issuer's page. The page that leaves the frame of the method step is in a frame of our own. */
function ancestorsOf(url: string, { status }: GatewayReply): string {
  if (status === 303) return "'none'"
  if (url.startsWith('/paynet/acs/')) return '*'
  return url.startsWith('/paynet/3ds/method/') ? "'self'" : "'none'"
}

describe('the headers of every answer', () => {
  test.for(FORM_OPERATIONS)('of %s: the form, its refusal, its taking, the wait and the return', async (path) => {
    const { openForm, open, send, submit } = counter()
    const { address } = await openForm(path)
    const fields = { ...TYPED, way: 'phone', 'phone-receiver_phone': '+49 30 123456' }
    expectSafe(await open(address))
    expectSafe(await send(address, {}))
    expectSafe(await send(address, fields))
    expectSafe(await submit(address, fields))
    const unknown = await openForm(path)
    expectSafe(await submit(unknown.address, { ...TYPED, ...fields, cvv2: '217' }))
  })

  test.for(['challenge', 'method', 'pareq'] as const)('of 3DS and of its issuer: %s', async (card) => {
    const { begin, gateway } = threeDsDesk()
    const { redirectTo } = await begin(redirected(card))
    const seen: (readonly [url: string, reply: GatewayReply])[] = []
    const handle: typeof gateway.handle = async (request) => {
      const reply = await gateway.handle(request)
      seen.push([request.url, reply])
      return reply
    }
    const { go, answer } = visitor({ ...gateway, handle })
    await answer(await go(redirectTo), { code: 'hint' })
    expect(seen.map(([url]) => url.split('/')[2])).toEqual(expect.arrayContaining(['3ds', 'acs']))
    for (const [url, reply] of seen) expectSafe(reply, ancestorsOf(url, reply))
  })

  test.for([
    ['an address that is none', 'GET', PATH, 404],
    ['a form for an address that is none', 'POST', PATH, 404],
    ['another method', 'DELETE', PATH, 405],
  ] as const)('of %s', async ([, method, url, status]) => {
    const { ask } = counter()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await ask({ method, url, headers, body: method === 'POST' ? 'a=b' : '' })
    expectSafe(reply)
    expect(reply.status).toBe(status)
    expect(reply.headers['allow']).toBe(status === 405 ? 'GET, HEAD, POST' : undefined)
  })

  test('of a failure, which reveals nothing about the inside', async () => {
    const { open, heard } = counter({ store: failing('orderByPageToken', new Error('table orders is locked')) })
    const reply = await open(PATH)
    expectSafe(reply)
    expect([reply.status, reply.body.includes('locked')]).toEqual([500, false])
    expect(heard).toEqual([[expect.any(Error), expect.any(String)]])
  })

  test('of a gateway that has too much to do', async () => {
    const { open, openForm } = counter({ maxConcurrentRequests: 1 })
    const { address } = await openForm()
    const replies = await Promise.all([open(address), open(address), open(address)])
    for (const reply of replies) expectSafe(reply)
    expect(replies.map(({ status }) => status)).toEqual([200, 503, 503])
    expect(replies[1]?.headers['retry-after']).toBe('1')
  })

  test.for(['GET', 'POST'] as const)('[G13-07] of a store that does not answer for 30 s: %s', async (method) => {
    const { ask, gateway, clock, heard } = counter({ store: { ...memoryStore(), orderByPageToken: stuck } })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    let replied = false
    const asked = ask({ method, url: PATH, headers, body: method === 'POST' ? 'a=b' : '' })
    void asked.then(() => (replied = true))
    await gateway.isReady()
    await clock.advance(29_999)
    await gateway.settled()
    expect(replied).toBe(false)
    await clock.advance(1)
    expectSafe(await asked)
    expect((await asked).status).toBe(500)
    expect(heard).toEqual([[expect.any(Error), expect.any(String)]])
  })

  test('a page in time leaves no timer behind', async () => {
    const { openForm, open, clock, heard } = counter()
    expect(await open((await openForm()).address)).toMatchObject({ status: 200 })
    await clock.advance(60_000)
    expect(heard).toEqual([])
  })

  test('over plain http there is no HSTS header', async () => {
    const { ask } = counter({ publicUrl: 'http://127.0.0.1:8080/paynet' })
    expect((await ask({ url: PATH })).headers).not.toHaveProperty('strict-transport-security')
  })

  test('a nonce serves one answer', async () => {
    const { openForm, open } = counter()
    const { address } = await openForm()
    const policies = await Promise.all(
      Array.from({ length: 50 }, async () => (await open(address)).headers['content-security-policy']),
    )
    expect(new Set(policies).size).toBe(50)
  })

  test('HEAD is answered as GET', async () => {
    const { openForm, ask } = counter()
    const { address } = await openForm()
    const reply = await ask({ method: 'HEAD', url: address.slice('https://gate.example.com'.length) })
    expectSafe(reply)
    expect(reply.status).toBe(200)
  })
})

describe('what pages never hold', () => {
  const PAN = '4485940822379130'

  test('[S2-04] a card number or a CVV, in whichever field it was typed, and neither does anything that is stored', async () => {
    const { openForm, send, store, heard, calls, gateway } = counter()
    const names = ['credit_card_number', 'expiry', 'cvv2', 'card_printed_name', 'way', 'other', PAN]
    const payout = ['card-credit_card_number', 'account-bank_name', 'wallet-destination_wallet', 'phone-receiver_phone']
    const replies: GatewayReply[] = []
    for (const name of names) {
      const { address } = await openForm()
      replies.push(await send(address, { ...TYPED, cvv2: '7391x', [name]: PAN }))
    }
    for (const name of payout) {
      const { address } = await openForm('/api/v2/payout-form')
      replies.push(
        await send(address, { way: name.split('-')[0] ?? '', [name]: name.startsWith('card') ? `${PAN}0` : PAN }),
      )
    }
    const { address, token } = await openForm()
    replies.push(await send(address, { ...TYPED, credit_card_number: PAN, cvv2: '7391' }))
    await gateway.settled()
    expect(replies.map(({ status }) => status)).toEqual([...Array(11).fill(422), 303])
    const kept = { replies, heard, calls, order: await store.orderByPageToken(token) }
    const text = inspect(kept, { depth: 20, showHidden: true, maxStringLength: 1e6, maxArrayLength: 1e4 })
    expect(text).toContain('448594')
    // The CVV alone: its digits may also come up within ids and sealed bytes.
    expect([PAN, '4485 9408', /(?<![\w+/])7391x?(?![\w+/])/].filter((secret) => text.search(secret) >= 0)).toEqual([])
  })

  test('markup of a hostile merchant', async () => {
    const { openForm, open, submit } = counter()
    const hostile = `"><script>alert(1)</script><img src=x onerror='a'>&amp;\u2028`
    const { address } = await openForm('/api/v2/sale-form', {
      order_desc: hostile,
      client_orderid: `a'"><b>${'x'.repeat(20)}`,
      preferred_language: '"><script>',
      redirect_url: `https://shop.example.com/?"><script>alert(1)</script>`,
      merchant_data: hostile,
      first_name: '<b>',
    })
    for (const page of [
      await open(address),
      await submit(address, { ...TYPED, card_printed_name: '<script>x</script>' }),
    ]) {
      expectSafe(page)
      expect(page.body).not.toMatch(/<img|<b>|<script>|alert\(1\)<\//)
      expect(page.body.match(/<script/g)).toHaveLength(1)
    }
  })

  test('a long description is cut between characters', async () => {
    const { openForm, open } = counter()
    const { address } = await openForm('/api/v2/sale-form', { order_desc: '🌹'.repeat(5000) })
    const { body } = await open(address)
    expect(body).toContain(`<dd>${'🌹'.repeat(200)} …</dd>`)
  })
})

describe('addresses', () => {
  test('are below the base path, and do not change the interface for merchants', async () => {
    const { openForm, ask, gateway } = counter()
    const { token } = await openForm()
    const notPages = [
      `/form/${token}`,
      `/paynetform/${token}`,
      `/paynet/form/${token}/`,
      '/paynet/form/',
      '/paynet/forms/x',
    ]
    for (const url of notPages) {
      const { headers } = await ask({ url })
      expect(headers['content-type']).toBe('application/vnd.pay+json')
    }
    expect((await browser(gateway).ask({ url: `/paynet/form/${token}?utm=1` })).status).toBe(200)
  })

  test('the token of another order opens no form', async () => {
    const { openForm, open } = counter()
    const { token } = await openForm()
    const flipped = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    expect((await open(`/paynet/form/${flipped}`)).status).toBe(404)
  })

  test('answers of pages are reported like all others, without an order or an operation', async () => {
    const answered: unknown[] = []
    const { open } = counter({ onAnswer: (each) => void answered.push(each) })
    await open(PATH)
    expect(answered).toEqual([
      {
        serialNumber: expect.any(String),
        operation: undefined,
        orderId: undefined,
        errorCode: undefined,
        httpStatus: 404,
        milliseconds: 0,
        refused: expect.objectContaining({ path: '/paynet/form/***', method: 'GET' }),
      },
    ])
  })
})
