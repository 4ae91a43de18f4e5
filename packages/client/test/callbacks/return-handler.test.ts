import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { readBrowserReturn } from '../../src/callbacks/return-handler.ts'
import {
  createBrowserReturnHandler,
  createPaymentClient,
  type Exchange,
  merchantCredentials,
  type Outbound,
  type ReturnedOrder,
  redirectTo,
} from '../../src/index.ts'

import { steppedClock } from '../clocks.ts'
import { fakeTransport, json, lost } from '../fake-transport.ts'
import { baseUrl, merchant } from '../merchant.ts'
import { skippingClock } from './skipping-clock.ts'

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')
const returned = (control: string) =>
  new URLSearchParams({ status: 'approved', orderid: '6768788', client_orderid: 'inv-a', control }).toString()
const genuine = returned(sha1('approved6768788inv-akey'))
const post = (body: string) => ({ method: 'POST', query: '', body })
const page = (body: string): Outbound => ({ status: 200, headers: {}, body })
const status = (fields: object): Exchange =>
  json({ type: 'status-response', 'paynet-order-id': '6768788', 'merchant-order-id': 'inv-a', ...fields })

describe('With a journal the browser return', () => {
  const asked: unknown[] = []
  afterEach(() => {
    asked.length = 0
  })
  const journal = {
    browserReturn: async (clientOrderId: string | undefined) => {
      asked.push(clientOrderId)
      return { shown: clientOrderId === undefined ? 'unknown-order' : 'pending', businessKey: 'invoice 77' }
    },
  }
  const handle = createBrowserReturnHandler({
    journal,
    show: ({ shown, businessKey }, { method }) => page(`${method} ${shown} ${businessKey}`),
  })

  test('[G6-10] names an order by POST or GET; what the journal says is shown', async () => {
    expect(await handle(post(genuine))).toEqual(page('POST pending invoice 77'))
    expect(await handle({ method: 'GET', query: genuine })).toEqual(page('GET pending invoice 77'))
    expect(asked).toEqual(['inv-a', 'inv-a'])
  })

  test.each(['', 'status=approved', '%', 'status=a&status=b'])(
    'that names no order is shown as that: %j',
    async (body) => {
      expect(await handle(post(body))).toEqual(page('POST unknown-order invoice 77'))
      expect(asked).toEqual([undefined])
    },
  )

  test.each(['/thanks', undefined, {}, { status: 200 }])('needs a page from show, not %j', async (made) => {
    const show = (() => made) as () => Outbound
    const handler = createBrowserReturnHandler({ journal, show })
    await expect(handler(post(genuine))).rejects.toThrow(
      "A browser return: show must return a page, { status, headers, body }, as redirectTo('/thanks') makes one",
    )
  })

  test('is refused if it comes by another method', async () => {
    for (const method of ['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'get', '']) {
      expect(await handle({ method, query: genuine })).toMatchObject({ status: 405, headers: { allow: 'GET, POST' } })
    }
    expect(asked).toEqual([])
  })

  test('is a 503 if the journal fails; an error of the page is passed on to the shop', async () => {
    const cause = new Error('the disk is full')
    const broken = { browserReturn: () => Promise.reject(cause) }
    const noJournal = createBrowserReturnHandler({ journal: broken, show: () => page('') })
    await expect(noJournal(post(genuine))).rejects.toMatchObject({ code: 'NOT_TAKEN', status: 503, cause })
    const show = () => {
      throw cause
    }
    await expect(createBrowserReturnHandler({ journal, show })(post(genuine))).rejects.toBe(cause)
  })
})

describe('Without a journal the browser return', () => {
  function shop(...exchanges: readonly Exchange[]) {
    const transport = fakeTransport(...exchanges)
    const options = { ...merchant, baseUrl, controlKey: 'key', transport, clock: skippingClock() }
    const client = createPaymentClient(options)
    const views: ReturnedOrder[] = []
    const show = (view: ReturnedOrder) => {
      views.push(view)
      return redirectTo(`/orders/${view.shown}`)
    }
    return { transport, views, handle: createBrowserReturnHandler({ client, show, deadlineMs: 5000 }) }
  }

  test('is shown by a show that is a method of the options', async () => {
    const client = createPaymentClient({
      ...merchant,
      baseUrl,
      controlKey: 'key',
      transport: fakeTransport(status({ status: 'approved' })),
    })
    const handle = createBrowserReturnHandler({
      client,
      deadlineMs: 5000,
      show({ shown }) {
        return page(`${shown} within ${this.deadlineMs}`)
      },
    })
    expect(await handle(post(genuine))).toEqual(page('approved within 5000'))
  })

  test('[G6-10] polls the status until it is final; what the browser said decides nothing', async () => {
    const { handle, views } = shop(status({ status: 'processing' }), lost, status({ status: 'declined' }))
    expect(await handle(post(genuine))).toMatchObject({ status: 303, headers: { location: '/orders/declined' } })
    expect(views).toMatchObject([
      { shown: 'declined', clientOrderId: 'inv-a', orderId: '6768788', outcome: { reply: { status: 'declined' } } },
    ])
  })

  test.each(['filtered', 'error'])('is shown as declined if the status is %s', async (ended) => {
    expect(await shop(status({ status: ended })).handle(post(genuine))).toEqual(redirectTo('/orders/declined'))
  })

  test('is shown as approved if the status says so', async () => {
    expect(await shop(status({ status: 'approved' })).handle(post(genuine))).toEqual(redirectTo('/orders/approved'))
  })

  test('is shown as pending if the deadline comes first', async () => {
    const { handle, views } = shop(status({ status: 'processing' }))
    expect(await handle(post(genuine))).toEqual(redirectTo('/orders/pending'))
    expect(views).toMatchObject([{ outcome: { outcome: 'undecided' } }])
  })

  test('has a default deadline of 10 seconds, with the last status check a second before', async () => {
    const clock = steppedClock()
    const transport = fakeTransport(status({ status: 'processing' }))
    const client = createPaymentClient({ ...merchant, baseUrl, controlKey: 'key', transport, clock })
    const shown: string[] = []
    const show = (view: ReturnedOrder) => {
      shown.push(view.shown)
      return page('')
    }
    void createBrowserReturnHandler({ client, show })(post(genuine))
    await clock.advance(8_999)
    expect(shown).toEqual([])
    await clock.advance(1)
    expect(shown).toEqual(['pending'])
  })

  test.each([
    ['reversal', 'declined'],
    ['reversal', 'approved'],
    ['cancel', 'error'],
    ['capture', 'declined'],
    ['chargeback', 'approved'],
    ['reversal', 'processing'],
  ])(
    '[S3-06] [G13-20] is shown as approved, not to be paid again, if the status shows a %s that is %s',
    async (type, ended) => {
      const { handle } = shop(status({ status: ended, 'transaction-type': type }))
      expect(await handle(post(genuine))).toEqual(redirectTo('/orders/approved'))
    },
  )

  test.each(['sale', 'preauth', 'payout'])(
    'is shown as declined if the status shows a %s that is declined',
    async (type) => {
      const { handle } = shop(status({ status: 'declined', 'transaction-type': type }))
      expect(await handle(post(genuine))).toEqual(redirectTo('/orders/declined'))
    },
  )

  test('of another merchant is verified with the key that signs the status request', async () => {
    const transport = fakeTransport(status({ status: 'approved' }))
    const client = createPaymentClient({ ...merchant, baseUrl, transport })
    const credentials = merchantCredentials({ login: 'other', controlKey: 'key' })
    const show = ({ shown }: ReturnedOrder) => page(shown)
    const handle = createBrowserReturnHandler({ client, show, credentials })
    expect(await handle(post(genuine))).toEqual(page('approved'))
    expect(transport.sent[0]?.body).toContain('login=other&')
    const own = sha1(`approved6768788inv-a${merchant.controlKey}`)
    expect(await handle(post(returned(own)))).toEqual(page('unknown-order'))
  })

  test('is shown as that of an unknown order, and sends no request, if its control is wrong or absent', async () => {
    const { handle, transport, views } = shop(status({ status: 'approved' }))
    for (const body of [returned('0'.repeat(40)), '']) await handle(post(body))
    expect(views).toEqual([{ shown: 'unknown-order' }, { shown: 'unknown-order' }])
    expect(transport.sent).toEqual([])
  })

  test('is a 503 if the gateway refuses the shop', async () => {
    const { handle } = shop(json({ type: 'error', 'error-message': 'no' }, 403))
    await expect(handle(post(genuine))).rejects.toMatchObject({ status: 503, cause: { code: 'AUTH_REJECTED' } })
  })
})

describe('redirectTo', () => {
  test.each([
    ['/orders/7?a=b&c=%20', '/orders/7?a=b&c=%20'],
    ['/zahlung/größe', '/zahlung/gr%C3%B6%C3%9Fe'],
    ['/a\r\nset-cookie: x=y', '/a%0D%0Aset-cookie:%20x=y'],
    ['/\ud800', '/%EF%BF%BD'],
  ])('to %j is a 303 that any server can send', (url, location) => {
    expect(redirectTo(url)).toEqual({ status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' })
  })
})

const back = { status: 'approved', orderid: '1', client_orderid: 'a', merchant_order: 'a', control: 'anything' }
const text = (changes: Readonly<Record<string, string>> = {}) => new URLSearchParams({ ...back, ...changes }).toString()

describe('A browser that comes back names its order', () => {
  test.each([
    ['by POST, as an unread form', { method: 'POST', query: '', body: text() }],
    ['by POST, as a body parser left it', { method: 'POST', query: '', body: back }],
    ['by GET', { method: 'GET', query: text() }],
    ['with the literal text null for an error', { method: 'POST', query: '', body: text({ error_message: 'null' }) }],
  ])('%s', (_how, inbound) => {
    expect(readBrowserReturn(inbound)).toBe('a')
  })

  test.each([
    ['nothing', ''],
    ['half of the fields', 'status=approved'],
    ['a name twice', `${text()}&client_orderid=b`],
    ['two orders', text({ merchant_order: 'b' })],
  ])('or none, with %s', (_what, body) => {
    expect(readBrowserReturn({ method: 'POST', query: '', body })).toBeUndefined()
  })

  test('and the error of a body that cannot be read is passed on', () => {
    const body = {
      get status(): string {
        throw new TypeError('lazy parser')
      },
    }
    expect(() => readBrowserReturn({ method: 'POST', query: '', body })).toThrow('lazy parser')
  })
})
