import { createHash } from 'node:crypto'
import querystring from 'node:querystring'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createCallbackHandler, createPaymentClient, type Exchange, type PaymentOutcome } from '../../src/index.ts'
import { fakeTransport, json, lost } from '../fake-transport.ts'
import { baseUrl, merchant } from '../merchant.ts'

/** R1 of the known vectors, published in official test suites: the key is `key`. */
const R1 = {
  status: 'approved',
  orderid: '_',
  client_orderid: '_',
  control: '2c84ae87d73fa3dc116b3203e8bb1c133eed829d',
}

const approved = json({
  type: 'status-response',
  status: 'approved',
  'paynet-order-id': '6768788',
  'merchant-order-id': '902B4FF5',
  amount: '10.42',
  currency: 'EUR',
})

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

/** The parameters of a callback about order 6768788, with their control. */
const notice = {
  status: 'approved',
  orderid: '6768788',
  client_orderid: '902B4FF5',
  control: sha1('approved6768788902B4FF5key'),
}

const query = (parameters: Readonly<Record<string, string>>) => new URLSearchParams(parameters).toString()
const get = (parameters: Readonly<Record<string, string>>) => ({ method: 'GET', query: query(parameters) })

/** A shop whose gateway answers each status check with this. */
function shop(
  status: Exchange | readonly Exchange[] = approved,
  onOutcome: (outcome: PaymentOutcome) => void | Promise<void> = () => undefined,
) {
  const transport = fakeTransport(...[status].flat())
  const outcomes: PaymentOutcome[] = []
  const client = createPaymentClient({ ...merchant, baseUrl, controlKey: 'key', transport })
  const take = (outcome: PaymentOutcome) => {
    outcomes.push(outcome)
    return onOutcome(outcome)
  }
  const handle = createCallbackHandler({ client, onOutcome: take, onNotice: take })
  return { transport, outcomes, handle, client }
}

const ok = {
  status: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'OK',
}

describe('A callback with a final outcome', () => {
  test.each([
    ['[G6-01] by GET, in the query', { method: 'GET', query: query(notice) }],
    ['[G6-01] by POST, as an unread form', { method: 'POST', query: '', body: query(notice) }],
    ['by POST, as a body parser left it', { method: 'POST', query: '', body: notice }],
  ])('%s, is confirmed by status and delivered once, then [G6-03] answered with 200', async (_how, inbound) => {
    const { handle, outcomes, transport } = shop()
    expect(await handle(inbound)).toEqual(ok)
    expect(outcomes).toEqual([
      {
        orderId: '6768788',
        clientOrderId: '902B4FF5',
        status: 'approved',
        reply: expect.objectContaining({ type: 'status-response', amount: '10.42', currency: 'EUR' }),
      },
    ])
    expect(transport.sent.map(({ url }) => url)).toEqual(['https://gate.example.com/paynet/api/v2/status/253'])
    expect(transport.sent[0]?.body).toContain('login=test-login&client_orderid=902B4FF5&orderid=6768788&control=')
  })

  test('[G6-07] is verified by the control of the known vector R1', async () => {
    const { handle } = shop(json({ type: 'status-response', status: 'approved', 'paynet-order-id': '_' }))
    expect(await handle(get(R1))).toEqual(ok)
  })

  test('[G7.1-01] may have its control in capitals', async () => {
    const { handle } = shop()
    expect(await handle(get({ ...notice, control: notice.control.toUpperCase() }))).toEqual(ok)
  })

  test('[G6-07] may name the order as merchant_order alone, or under both names', async () => {
    const { client_orderid: order, ...others } = notice
    expect(await shop().handle(get({ ...others, merchant_order: order }))).toEqual(ok)
    expect(await shop().handle(get({ ...notice, merchant_order: order }))).toEqual(ok)
  })

  test('[G6-06] [G6-08] may have more fields, and a type of transaction that is no payment', async () => {
    const more = { type: 'dispute', 'approval-code': '1', 'card-type': 'VISA', 'x-new': 'ü &', error_message: 'null' }
    const { handle, outcomes } = shop()
    expect(await handle(get({ ...notice, ...more }))).toEqual(ok)
    expect(outcomes).toHaveLength(1)
  })

  test('[G6-09] [S6-04] [S4-41] is not believed: amount and status come from the signed status', async () => {
    const { handle, outcomes } = shop(
      json({ type: 'status-response', status: 'declined', amount: '10.42', 'paynet-order-id': '6768788' }),
    )
    expect(await handle(get({ ...notice, amount: '999999.00', currency: 'USD' }))).toEqual(ok)
    expect(outcomes).toMatchObject([{ status: 'declined', reply: { amount: '10.42' } }])
  })

  test.each(['approved', 'declined', 'filtered', 'error'])('[G5-01] may be %s, which is final', async (status) => {
    const { handle, outcomes } = shop(json({ type: 'status-response', status, 'paynet-order-id': '6768788' }))
    expect(await handle(get(notice))).toEqual(ok)
    expect(outcomes).toMatchObject([{ status }])
  })

  test('[F-B9] that is repeated 200 times, one after the other or at once, costs one status check and one call', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { handle, outcomes, transport } = shop()
    const atOnce = Array.from({ length: 100 }, () => handle(get(notice)))
    expect(new Set((await Promise.all(atOnce)).map(({ status }) => status))).toEqual(new Set([200]))
    for (let time = 0; time < 100; time++) expect(await handle(get(notice))).toEqual(ok)
    expect([transport.sent.length, outcomes.length]).toEqual([1, 1])
    // It may have been a change that looks like an earlier one: one more check, for all of them.
    await vi.advanceTimersByTimeAsync(60_000)
    expect([transport.sent.length, outcomes.length]).toEqual([2, 1])
  })

  test('[F-B9] whose unsigned fields are varied costs a status check in two seconds, and no call', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { handle, outcomes, transport } = shop()
    const statuses: number[] = []
    for (let time = 0; time < 200; time++) {
      statuses.push((await handle(get({ ...notice, amount: `${time}.00` }))).status)
      await vi.advanceTimersByTimeAsync(50)
    }
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    // Four at once, and one in each two of ten seconds.
    expect(transport.sent.length).toBeLessThanOrEqual(9)
    expect(outcomes).toHaveLength(1)
  })

  test('[F-B9] that looks like an earlier one is told if it is another change', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const reversal = { type: 'status-response', 'paynet-order-id': '6768788', 'transaction-type': 'reversal' }
    const { handle, outcomes } = shop(
      ['7.42', '4.42'].map((amount) => json({ ...reversal, status: 'approved', amount })),
    )
    await handle(get(notice))
    await handle(get(notice))
    await vi.advanceTimersByTimeAsync(2000)
    expect(outcomes.map(({ reply }) => reply.amount)).toEqual(['7.42', '4.42'])
  })

  test('[F-B9] is answered in ten seconds while the handler hangs at the one before it, which another overtakes in the end', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { handle, transport } = shop(approved, () =>
      transport.sent.length === 1 ? new Promise(() => {}) : undefined,
    )
    void handle(get(notice))
    await vi.advanceTimersByTimeAsync(0)
    const waiting = handle(get({ ...notice, amount: '7.00' }))
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await waiting).status).toBe(503)
    await vi.advanceTimersByTimeAsync(50_000)
    expect(await handle(get({ ...notice, amount: '8.00' }))).toEqual(ok)
  })

  test('[F-B9] that waits for another is not acknowledged by the end of that one', async () => {
    const first = Promise.withResolvers<void>()
    const changes = [
      approved,
      json({
        type: 'status-response',
        'paynet-order-id': '6768788',
        status: 'approved',
        'transaction-type': 'reversal',
      }),
    ]
    const { handle, outcomes } = shop(changes, () =>
      outcomes.length === 1 ? first.promise : Promise.reject(new Error('the database is away')),
    )
    const payment = handle(get(notice))
    await new Promise((resolve) => setImmediate(resolve))
    const change = { ...notice, amount: '7.00' }
    const both = Promise.allSettled([handle(get(change)), handle(get(change))])
    first.resolve()
    expect(await payment).toEqual(ok)
    const answered = (await both).map((each) => (each.status === 'fulfilled' ? each.value.status : 503))
    expect(answered).toEqual([503, 503])
  })

  test('is not acknowledged before the shop has finished', async () => {
    const finish = Promise.withResolvers<void>()
    const { handle, outcomes } = shop(approved, () => finish.promise)
    const answers: unknown[] = []
    const answering = handle(get(notice)).then((answer) => answers.push(answer))
    await new Promise((resolve) => setImmediate(resolve))
    expect([outcomes.length, answers]).toEqual([1, []])
    finish.resolve()
    await answering
    expect(answers).toEqual([ok])
  })

  test('is not acknowledged if the shop throws, so that the gateway calls again', async () => {
    const { handle } = shop(approved, () => Promise.reject(new Error('the database is away')))
    await expect(handle(get(notice))).rejects.toMatchObject({ status: 503, cause: new Error('the database is away') })
  })
})

describe('After a later change of the order the outcome says that the payment was approved', () => {
  const shown = (fields: object) =>
    json({
      type: 'status-response',
      'paynet-order-id': '6768788',
      'initial-amount': '10.42',
      currency: 'EUR',
      ...fields,
    })

  test.each([
    ['a return of a sale that was declined', 'reversal', 'declined', '10.42'],
    ['a return of a sale that ended in an error', 'reversal', 'error', '10.42'],
    ['a return of a sale', 'reversal', 'approved', '0.00'],
    ['a part of it', 'reversal', 'approved', '7.42'],
    ['a void of a preauth', 'cancel', 'approved', '0.00'],
    ['a void that was filtered', 'cancel', 'filtered', '10.42'],
    ['a capture of a preauth', 'capture', 'approved', '10.42'],
    ['a capture that was declined', 'capture', 'declined', '10.42'],
    ['a chargeback', 'chargeback', 'approved', '0.00'],
    ['a fraud notice', 'fraud', 'approved', '10.42'],
    ['a dispute', 'dispute/retrieval', 'declined', '10.42'],
  ])('[S3-06] [G13-20] %s', async (_what, transactionType, status, amount) => {
    const { handle, outcomes } = shop(shown({ 'transaction-type': transactionType, status, amount }))
    expect(await handle(get(notice))).toEqual(ok)
    expect(outcomes).toMatchObject([{ status: 'approved', change: { transactionType, status }, reply: { amount } }])
  })

  test('also if the type of the change is in upper case', async () => {
    const { handle, outcomes } = shop(shown({ 'transaction-type': 'REVERSAL', status: 'declined' }))
    await handle(get(notice))
    expect(outcomes).toMatchObject([
      { status: 'approved', change: { transactionType: 'reversal', status: 'declined' } },
    ])
  })

  test('but the answer asks the gateway to call again while the change is under way', async () => {
    const { handle, outcomes } = shop(shown({ 'transaction-type': 'reversal', status: 'processing' }))
    expect(await handle(get(notice))).toMatchObject({ status: 503 })
    expect(outcomes).toEqual([])
  })

  test.each(['sale', 'preauth', 'account verification', 'payout', 'transfer', 'rebill', undefined])(
    'but it is the status itself if that is of the payment (%s)',
    async (transactionType) => {
      for (const status of ['approved', 'declined']) {
        const { handle, outcomes } = shop(shown({ 'transaction-type': transactionType, status }))
        expect(await handle(get(notice))).toEqual(ok)
        expect(outcomes).toMatchObject([{ status }])
        expect(outcomes[0]).not.toHaveProperty('change')
      }
    },
  )

  test('so that a sale, two equal returns, a third that is declined, and a chargeback each have their own key', async () => {
    const last = [
      ['sale', 'approved', '10.42'],
      ['reversal', 'approved', '7.42'],
      ['reversal', 'approved', '4.42'],
      ['reversal', 'declined', '4.42'],
      ['chargeback', 'approved', '0.00'],
    ]
    const keys = new Set<string>()
    for (const [transactionType, status, amount] of last) {
      const { handle, outcomes } = shop(shown({ 'transaction-type': transactionType, status, amount }))
      for (const _again of [1, 2]) await handle(get(notice))
      for (const { orderId, change, reply } of outcomes) {
        keys.add(JSON.stringify(change === undefined ? [orderId] : [orderId, change, reply.amount]))
      }
    }
    expect(keys.size).toBe(5)
  })
})

describe('Anything but a callback is refused, without a status check', () => {
  const many = Object.fromEntries(Array.from({ length: 97 }, (_, index) => [`x${index}`, '1']))

  test.each<readonly [what: string, inbound: Parameters<ReturnType<typeof shop>['handle']>[0], says: RegExp]>([
    ['nothing in the query', { method: 'GET', query: '' }, /status, orderid, client_orderid, control missing/],
    [
      'nothing in the body',
      { method: 'POST', query: query(notice) },
      /status, orderid, client_orderid, control missing/,
    ],
    ['no control', get({ ...notice, control: '' }), /^This is no callback: control missing\.$/],
    ['a blank order', get({ ...notice, orderid: ' ' }), /orderid missing/],
    ['a name twice', { method: 'GET', query: `${query(notice)}&status=declined` }, /names the field status twice/],
    ['two names that differ', get({ ...notice, merchant_order: 'OTHER' }), /gives clientOrderId twice/],
    [
      'a list from a parser',
      { method: 'POST', query: '', body: { ...notice, status: ['approved', 'declined'] } },
      /came twice/,
    ],
    ['an object from a parser', { method: 'POST', query: '', body: { ...notice, status: { $ne: '' } } }, /came twice/],
    ['a number from a parser', { method: 'POST', query: '', body: { ...notice, orderid: 6768788 } }, /is not a text/],
    [
      'a cut escape in a field that decides',
      { method: 'GET', query: `${query(notice)}&amount=%E0%A4` },
      /percent escape/,
    ],
    [
      'raw bytes in a field that decides',
      { method: 'POST', query: '', body: `${query(notice)}&type=\u00fc` },
      /beyond ASCII/,
    ],
    ['101 parameters', get({ ...notice, ...many }), /more than 100 pairs/],
    [
      '101 parameters from a parser',
      { method: 'POST', query: '', body: { ...notice, ...many } },
      /more than 100 pairs/,
    ],
    [
      'more than 64 KiB from a parser',
      { method: 'POST', query: '', body: { ...notice, name: 'x'.repeat(65_536) } },
      /larger than 65536 bytes/,
    ],
    ['more than 64 KiB', get({ ...notice, name: 'x'.repeat(65_536) }), /larger than 65536 bytes/],
  ])('%s', async (_what, inbound, says) => {
    const { handle, transport, outcomes } = shop()
    expect(await handle(inbound)).toEqual({
      status: 400,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
      body: expect.stringMatching(says),
    })
    expect([transport.sent, outcomes]).toEqual([[], []])
  })

  test.each<readonly [what: string, more: string]>([
    ['a cut escape', 'name=%E0%A4'],
    ['Latin-1', 'card-holder-name=J%F6rg'],
    ['Windows-1251', 'error_message=%CE%F8%E8%E1%EA%E0'],
    ['raw bytes', 'name=\u00d0\u0096'],
    ['a bare percent sign', 'coupon=50%'],
    ['a null character', 'descriptor=a%00b'],
    ['a value without a name', '=1'],
    ['a list of the shop', 'items[]=1&items[]=2'],
    ['a label twice', 'name=a&name=b'],
    ['a label under two names that differ', 'error_code=1&error-code=2'],
  ])('[F-A4] [F-A9] but not for a label that does not decode: %s', async (_what, more) => {
    const text = `${more}&${query(notice)}`
    for (const inbound of [
      { method: 'GET', query: text },
      { method: 'POST', query: '', body: text },
      { method: 'POST', query: '', body: querystring.parse(text) },
    ]) {
      const { handle, outcomes } = shop()
      expect(await handle(inbound)).toEqual(ok)
      expect(outcomes).toMatchObject([{ status: 'approved', orderId: '6768788' }])
    }
  })

  test('100 parameters are not too many', async () => {
    const hundred = Object.fromEntries(Object.entries({ ...notice, ...many }).slice(0, 100))
    expect(await shop().handle(get(hundred))).toEqual(ok)
    expect(await shop().handle({ method: 'POST', query: '', body: hundred })).toEqual(ok)
  })

  test('64 KiB are not too many', async () => {
    const text = `${query(notice)}&name=`
    const name = 'x'.repeat(65_536 - text.length)
    expect(await shop().handle({ method: 'GET', query: text + name })).toEqual(ok)
    expect(await shop().handle({ method: 'POST', query: '', body: text + name })).toEqual(ok)
    const rest = 65_536 - Object.entries(notice).flat().join('').length - 'name'.length
    const body = { ...notice, name: 'x'.repeat(rest) }
    expect(await shop().handle({ method: 'POST', query: '', body })).toEqual(ok)
    expect(await shop().handle({ method: 'POST', query: '', body: { ...body, name: `${body.name}x` } })).toMatchObject({
      status: 400,
    })
  })

  test.each(['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'get', ''])('the method %s is refused with 405', async (method) => {
    const { handle, transport } = shop()
    expect(await handle({ method, query: query(notice) })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, POST' },
    })
    expect(transport.sent).toEqual([])
  })
})

describe('A callback whose control is wrong is refused with 403, without a status check', () => {
  test.each([
    ['of another key', { ...notice, control: sha1('approved6768788902B4FF5other') }],
    ['of another status', { ...notice, status: 'declined' }],
    ['of another order', { ...notice, orderid: '6768789' }],
    ['of another order of the merchant', { ...notice, client_orderid: '902B4FF6' }],
    ['of another shape', { ...notice, control: 'approved' }],
  ])('if it is %s', async (_what, parameters) => {
    const { handle, transport, outcomes } = shop()
    expect(await handle(get(parameters))).toMatchObject({ status: 403, body: 'The control of this callback is wrong.' })
    expect([transport.sent, outcomes]).toEqual([[], []])
  })

  test('if it signs a text without a UTF-8 form, as a parser may make one', async () => {
    const { handle } = shop()
    expect(await handle({ method: 'POST', query: '', body: { ...notice, status: '\uD800' } })).toMatchObject({
      status: 403,
    })
  })
})

describe('Without a final status of this order the answer asks the gateway to call again', () => {
  test.each<readonly [what: string, status: Exchange]>([
    ['the status cannot be read', lost],
    ['the gateway reports an error', json({ type: 'error' }, 500)],
    ['the gateway refuses the status check', json({ type: 'validation-error' }, 400)],
    ['the order is processing', json({ type: 'status-response', status: 'processing', 'paynet-order-id': '6768788' })],
    ['[G5-02] the status is absent', json({ type: 'status-response', 'paynet-order-id': '6768788' })],
    [
      'the status is unknown, which is not final',
      json({ type: 'status-response', status: 'unknown', 'paynet-order-id': '6768788' }),
    ],
    [
      'the status is one that is not documented',
      json({ type: 'status-response', status: 'frozen', 'paynet-order-id': '6768788' }),
    ],
  ])('with 503 if %s', async (_what, status) => {
    const { handle, outcomes } = shop(status)
    expect(await handle(get(notice))).toMatchObject({ status: 503, body: expect.stringMatching(/call again\.$/) })
    expect(outcomes).toEqual([])
  })

  test.each([
    ['orderid', { 'paynet-order-id': '1' }],
    ['client_orderid', { 'merchant-order-id': 'OTHER' }],
  ])('with 503 if the status names another %s, which is not believed', async (_name, other) => {
    const { handle, outcomes } = shop(json({ type: 'status-response', status: 'approved', ...other }))
    expect(await handle(get(notice))).toMatchObject({
      status: 503,
      body: 'The status is not available now; call again.',
    })
    expect(outcomes).toEqual([])
  })

  test('and the shop learns why the status cannot be read, such as a wrong login', async () => {
    const heard: unknown[] = []
    const transport = fakeTransport(json({ type: 'error', 'error-message': 'no' }, 403))
    const client = createPaymentClient({ ...merchant, baseUrl, controlKey: 'key', transport })
    const handle = createCallbackHandler({
      client,
      onOutcome: () => undefined,
      onNotice: 'ignore',
      onUnconfirmed: (error, order) => heard.push([error.code, order]),
    })
    expect(await handle(get(notice))).toMatchObject({ status: 503 })
    expect(heard).toEqual([['AUTH_REJECTED', { orderId: '6768788', clientOrderId: '902B4FF5' }]])
  })

  test('an error of an async listener makes the gateway call again, and ends no process', async () => {
    const full = new Error('the log is full')
    const transport = fakeTransport(json({ type: 'error' }, 403))
    const handle = createCallbackHandler({
      client: createPaymentClient({ ...merchant, baseUrl, controlKey: 'key', transport }),
      onOutcome: () => undefined,
      onNotice: 'ignore',
      onUnconfirmed: (async () => await Promise.reject(full)) as () => void,
    })
    await expect(handle(get(notice))).rejects.toMatchObject({ status: 503, cause: full })
  })
})

describe('What was done to an order later', () => {
  const chargeback = json({
    type: 'status-response',
    'paynet-order-id': '6768788',
    'merchant-order-id': '902B4FF5',
    status: 'approved',
    'transaction-type': 'chargeback',
    amount: '0.00',
  })

  test.each([
    ['onNotice', (told: string[]) => () => void told.push('noticed'), ['noticed']],
    ['nobody, if that was said', () => 'ignore' as const, []],
  ] as const)('goes to %s, never to onOutcome', async (_to, onNotice, expected) => {
    const told: string[] = []
    const { client } = shop(chargeback)
    const handle = createCallbackHandler({ client, onOutcome: () => void told.push('paid'), onNotice: onNotice(told) })
    expect(await handle(get(notice))).toEqual(ok)
    expect(told).toEqual(expected)
  })

  test('is neither acknowledged nor taken for a payment, if nothing was said', async () => {
    const told: string[] = []
    const options: object = { client: shop(chargeback).client, onOutcome: () => void told.push('paid') }
    const handle = createCallbackHandler(options as Parameters<typeof createCallbackHandler>[0])
    await expect(handle(get(notice))).rejects.toMatchObject({
      status: 503,
      cause: new TypeError("Order 902B4FF5 was changed (chargeback): give onNotice beside onOutcome, or 'ignore'"),
    })
    expect(told).toEqual([])
  })
})

describe('An error that is no payment error is passed on', () => {
  test('if the client is misused', async () => {
    const status = () => Promise.reject(new TypeError('misuse'))
    const client = { verifiesCallback: shop().client.verifiesCallback, status }
    const handle = createCallbackHandler({ client, onOutcome: () => undefined, onNotice: 'ignore' })
    await expect(handle(get(notice))).rejects.toMatchObject({ status: 503, cause: new TypeError('misuse') })
  })

  test('if an object of a parser cannot be read', async () => {
    const body = {
      get status(): string {
        throw new TypeError('lazy parser')
      },
    }
    await expect(shop().handle({ method: 'POST', query: '', body })).rejects.toThrow('lazy parser')
  })
})
