import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Acquirer } from '../../src/index.ts'
import { counter, FORM_OPERATIONS, TYPED } from '../pages/browser.ts'
import { APPROVED, deciding, listening } from '../support/acquirers.ts'
import { desk, type Ids, MONEY, shopKeys } from '../support/desk.ts'
import { MONTHLY } from '../support/recurring.ts'
import { CARD, type Fields, PAYER, SALE, SHOP } from '../support/signed-requests.ts'

const CALLBACK = 'https://shop.example.com/callback'
const NOTIFY = 'https://shop.example.com/notify'
const LATER = 'https://shop.example.com/later'

/** A desk at an endpoint with a `notifyUrl` of its own. */
function deskWithLater() {
  const { login, controlKey } = SHOP
  const endpoints = [{ id: 1111, notifyUrl: LATER }]
  return desk({ merchants: [{ login, controlKey, publicKey: shopKeys.publicKey, endpoints }] })
}

/** The path, the type and the amount of each callback. */
function told(calls: readonly string[]) {
  return calls.map((call) => {
    const { pathname, searchParams } = new URL(call)
    return [pathname.slice(1), searchParams.get('type'), searchParams.get('amount')]
  })
}

describe('where the callbacks of an order go', () => {
  test.for<readonly [string, Fields, readonly (readonly string[])[]]>([
    [
      'server_callback_url: the original transaction only',
      { server_callback_url: CALLBACK },
      [['callback', 'sale', '10.42']],
    ],
    [
      'notify_url: the original, and what comes later',
      { notify_url: NOTIFY },
      [
        ['notify', 'sale', '10.42'],
        ['notify', 'reversal', '0.42'],
      ],
    ],
    [
      'both: the first of the original, the second of what comes later',
      { server_callback_url: CALLBACK, notify_url: NOTIFY },
      [
        ['callback', 'sale', '10.42'],
        ['notify', 'reversal', '0.42'],
      ],
    ],
    ['neither: nobody', {}, []],
  ])('[G3.1-04] [G6-02] [S6-02] by %s', async ([, addresses, expected]) => {
    const { sale, return: giveBack, calls } = desk()
    await giveBack(await sale(addresses), { amount: '0.42', currency: 'EUR' })
    expect(told(calls)).toEqual(expected)
  })

  const TO_CARD = { ...MONEY, 'destination-card-no': '5555555555554444' }

  test.for<readonly [path: string, scheme: 'ask' | 'askOAuth', fields: (cardRefId: string) => Fields, type: string]>([
    ['/api/v2/sale', 'ask', () => SALE, 'sale'],
    ['/api/v2/preauth', 'ask', () => SALE, 'preauth'],
    ['/api/v2/account-verification', 'ask', () => ({ ...PAYER, ...CARD }), 'account verification'],
    ['/api/v2/make-rebill', 'ask', (cardrefid) => ({ ...MONEY, cardrefid }), 'sale'],
    ['/api/v2/payout', 'askOAuth', () => ({ ...MONEY, account_number: '4081781' }), 'payout'],
    ['/api/v2/pan-eligibility/send', 'askOAuth', (id) => ({ 'sending-card-ref-id': id }), 'account verification'],
    ['/api/v4/transfer', 'askOAuth', () => ({ ...TO_CARD, ...CARD }), 'transfer'],
    ['/api/v4/transfer-by-ref', 'askOAuth', () => TO_CARD, 'transfer'],
  ])('[S6-02] [S6-03] server_callback_url hears of the final outcome of %s', async ([path, scheme, fields, type]) => {
    const { cardRef, sale, calls, ...signed } = desk()
    const order = { client_orderid: 'told-1', server_callback_url: CALLBACK }
    await signed[scheme](path, { ...fields(await cardRef(await sale())), ...order })
    const heard = { status: 'approved', client_orderid: 'told-1', type }
    expect(calls.map((call) => Object.fromEntries(new URL(call).searchParams))).toEqual([
      expect.objectContaining(heard),
    ])
  })

  test.for<readonly [path: string, scheme: 'ask' | 'askOAuth', fields: (cardRefId: string) => Fields]>([
    ['/api/v2/preauth', 'ask', () => SALE],
    ['/api/v2/account-verification', 'ask', () => ({ ...PAYER, ...CARD })],
    ['/api/v2/make-rebill', 'ask', (cardrefid) => ({ ...MONEY, cardrefid })],
    ['/api/v2/payout', 'askOAuth', () => ({ ...MONEY, account_number: '4081781' })],
    ['/api/v4/transfer', 'askOAuth', () => ({ ...TO_CARD, ...CARD })],
    ['/api/v4/transfer-by-ref', 'askOAuth', () => TO_CARD],
  ])('[G3.1-04] [G3.1-05] notify_url hears of %s, with its merchant_data', async ([path, scheme, fields]) => {
    const { cardRef, sale, calls, told, ...signed } = desk()
    const order = { client_orderid: 'told-1', notify_url: NOTIFY, merchant_data: 'cart=7' }
    await signed[scheme](path, { ...fields(await cardRef(await sale())), ...order })
    expect(calls.map((call) => new URL(call).searchParams.get('merchantdata'))).toEqual(['cart=7'])
    expect(await told({ client_orderid: 'told-1' })).toMatchObject({ merchantdata: 'cart=7' })
  })

  test('[S6-03] [G3.1-05] a payout in two steps tells its addresses and its merchant_data at the second', async () => {
    const { payoutCheck, askOAuth, calls, told } = desk()
    const ids = await payoutCheck({ server_callback_url: CALLBACK, merchant_data: 'cart=7' })
    expect(await told(ids)).toMatchObject({ merchantdata: 'cart=7' })
    await askOAuth('/api/v4/payout-pay', { login: 'shop', ...ids })
    expect(calls.map((call) => new URL(call).searchParams.get('merchantdata'))).toEqual(['cart=7'])
  })

  test.for(FORM_OPERATIONS)(
    '[S6-02] [S6-03] [G3.1-05] server_callback_url hears of %s once the customer has sent the form, with its merchant_data',
    async (path) => {
      const { openForm, submit, calls, told } = counter()
      const { address, ids } = await openForm(path, { server_callback_url: CALLBACK, merchant_data: 'cart=7' })
      expect(await told(ids)).toMatchObject({ status: 'processing', merchantdata: 'cart=7' })
      const toWallet = { way: 'wallet', 'wallet-destination_wallet': 'w-1' }
      await submit(address, path.includes('payout') ? toWallet : TYPED)
      const heard = { status: 'approved', client_orderid: ids.client_orderid, merchantdata: 'cart=7' }
      expect(calls.map((call) => Object.fromEntries(new URL(call).searchParams))).toEqual([
        expect.objectContaining(heard),
      ])
    },
  )

  test("[G3.1-04] the endpoint's own address gets what no address of the order gets", async () => {
    const { sale, return: giveBack, calls } = deskWithLater()
    for (const addresses of [{}, { server_callback_url: CALLBACK }, { notify_url: NOTIFY }]) {
      await giveBack(await sale(addresses))
    }
    expect(told(calls).map(([where, type]) => [where, type])).toEqual([
      ['later', 'sale'],
      ['later', 'reversal'],
      ['callback', 'sale'],
      ['later', 'reversal'],
      ['notify', 'sale'],
      ['notify', 'reversal'],
    ])
  })

  test('[G3.1-04] [G13-23] of a recurring charge: its return is told to the address of the endpoint', async () => {
    const { askOAuth, store, return: giveBack, calls, gateway } = deskWithLater()
    const schedule = { ...MONTHLY, 'client-orderid': 'rp-1', server_callback_url: CALLBACK }
    await askOAuth('/api/v4/create-recurring-payment', schedule)
    await gateway.settled()
    const [charge] = await store.recentOrders('shop', 1)
    await giveBack({ client_orderid: charge?.clientOrderId ?? '', orderid: charge?.orderId ?? '' })
    expect(told(calls)).toEqual([
      ['callback', 'sale', '9.99'],
      ['later', 'reversal', '9.99'],
    ])
  })

  test("[G6-06] has the acquirer's id and approval code of the operation that it tells of", async () => {
    const execute: Acquirer['execute'] = async ({ kind }) => {
      return { status: 'approved', approvalCode: `code of ${kind}`, processorTxId: `id of ${kind}` }
    }
    const { preauth, capture, return: giveBack, calls } = desk({ acquirer: deciding({ execute }) })
    const ids = await preauth({ notify_url: NOTIFY })
    await capture(ids)
    await giveBack(ids)
    const named = calls.map((call) => new URL(call).searchParams)
    const kinds = ['preauth', 'capture', 'reversal']
    expect(named.map((each) => each.get('processor-tx-id'))).toEqual(kinds.map((kind) => `id of ${kind}`))
    expect(named.map((each) => each.get('approval-code'))).toEqual(kinds.map((kind) => `code of ${kind}`))
  })

  test('[G6-07] says why a return or a void was requested, which the acquirer gets as well', async () => {
    const { acquirer, executed } = listening()
    const { sale, preauth, return: giveBack, void: cancel, calls } = desk({ acquirer })
    const part = { amount: '1.00', currency: 'EUR' }
    await giveBack(await sale({ notify_url: NOTIFY }), { ...part, comment: 'One vase was broken' })
    await cancel(await preauth({ notify_url: NOTIFY }), { comment: 'Sold out' })
    const comments = [null, 'One vase was broken', null, 'Sold out']
    expect(calls.map((call) => new URL(call).searchParams.get('comment'))).toEqual(comments)
    expect(executed.map(({ comment = null }) => comment)).toEqual(comments)
  })

  test('[G6-02] a refused modification is not reported, and a declined one is', async () => {
    const { sale, return: giveBack, void: cancel, calls } = desk()
    const ids = await sale({ notify_url: NOTIFY })
    await giveBack(ids)
    await cancel(ids)
    expect(told(calls)).toHaveLength(2)
  })

  test.for([
    ['ends in the middle of a character', 'No \ud83d', 'No \ufffd'],
    ['is a whole page', 'n'.repeat(20_000), 'n'.repeat(500)],
    ['is a whole page of other letters', '\u0416'.repeat(20_000), '\u0416'.repeat(500)],
  ] as const)('[S6-03] hears of an outcome whose message %s', async ([, errorMessage, told]) => {
    const execute = async () => ({ status: 'declined', errorCode: '5', errorMessage }) as const
    const { sale, shown, calls, heard } = desk({ acquirer: deciding({ execute }) })
    const ids = await sale({ server_callback_url: CALLBACK })
    expect([(await shown(ids))[0], heard]).toEqual(['declined', []])
    expect(calls.map((call) => new URL(call).searchParams.get('error_message'))).toEqual([told])
    expect(calls[0]?.length).toBeLessThan(8000)
  })

  test('[G6-07] when sent again they are signed with the current control key', async () => {
    const { sale, payoutCheck, gateway, clock, store, calls } = desk()
    const [sold, checked] = [
      await sale({ server_callback_url: CALLBACK }),
      await payoutCheck({ server_callback_url: CALLBACK }),
    ]
    await clock.advance('15m')
    await gateway.close()
    const { login } = SHOP
    const next = desk({
      store,
      clock,
      merchants: [{ login, controlKey: '5F0C2AB9-D7E4-4104-8FF9-A0C1B7F2D4E9', endpoints: [{ id: 1111 }] }],
    })
    for (const { orderid } of [sold, checked]) expect(await next.gateway.resendCallbacks(orderid)).toBe(1)
    await next.gateway.settled()
    const signed = (status: string, { client_orderid, orderid }: Ids) =>
      createHash('sha1')
        .update(`${status}${orderid}${client_orderid}5F0C2AB9-D7E4-4104-8FF9-A0C1B7F2D4E9`)
        .digest('hex')
    // Both are due at once, in any order.
    const again = [sold, checked].map(({ orderid }) => next.calls.find((call) => call.includes(orderid)) ?? '')
    const withoutControl = (call: string) => call.replace(/&control=\w+/, '')
    expect(again.map(withoutControl)).toEqual(calls.map(withoutControl))
    expect(again.map((call) => new URL(call).searchParams.get('control'))).toEqual([
      signed('approved', sold),
      signed('declined', checked),
    ])
  })

  test('[G6-07] [G6-04] when retried they are signed with the current control key', async () => {
    const answers = [500, 403, 200]
    const sendCallback = async (url: string) => {
      calls.push(url)
      return { status: answers.shift() ?? 200 }
    }
    const calls: string[] = []
    const before = desk({ sendCallback })
    const { client_orderid, orderid } = await before.sale({ server_callback_url: CALLBACK })
    await before.gateway.close()
    const { store, clock } = before
    const merchants = [
      { login: SHOP.login, controlKey: '5F0C2AB9-D7E4-4104-8FF9-A0C1B7F2D4E9', endpoints: [{ id: 1111 }] },
    ]
    const next = desk({ store, clock, merchants, sendCallback })
    await next.recovered()
    await clock.advance('1h')
    const signed = (key: string) => createHash('sha1').update(`approved${orderid}${client_orderid}${key}`).digest('hex')
    expect(calls.map((call) => new URL(call).searchParams.get('control'))).toEqual([
      signed(SHOP.controlKey),
      signed('5F0C2AB9-D7E4-4104-8FF9-A0C1B7F2D4E9'),
      signed('5F0C2AB9-D7E4-4104-8FF9-A0C1B7F2D4E9'),
    ])
    expect(await store.deliveriesOf(orderid)).toMatchObject([{ state: 'acknowledged', made: 3 }])
  })

  test('[G6-07] [G6-04] if held up before they were first sent they are signed and addressed anew', async () => {
    const configured = (controlKey: string, notifyUrl: string) => {
      return [{ login: SHOP.login, controlKey, endpoints: [{ id: 1111, notifyUrl }] }]
    }
    const before = desk({ sandbox: true, merchants: configured(SHOP.controlKey, LATER) })
    before.gateway.faults.next('sale', 'callback-delayed')
    const { client_orderid, orderid } = await before.sale()
    await before.gateway.close()
    const { store, clock } = before
    const next = desk({ store, clock, merchants: configured('5F0C2AB9-D7E4-4104-8FF9-A0C1B7F2D4E9', NOTIFY) })
    await next.recovered()
    await clock.advance('10m')
    const signed = createHash('sha1')
      .update(`approved${orderid}${client_orderid}5F0C2AB9-D7E4-4104-8FF9-A0C1B7F2D4E9`)
      .digest('hex')
    expect(told(next.calls).map(([path]) => path)).toEqual(['notify'])
    expect(next.calls.map((call) => new URL(call).searchParams.get('control'))).toEqual([signed])
    expect(before.calls).toEqual([])
  })

  test.for([
    [
      'goes to the address that the endpoint has by now',
      'https://shop.example.com/new',
      ['later', 'new'],
      'acknowledged',
    ],
    ['is over where the endpoint has none any more', undefined, ['later'], 'given-up'],
  ] as const)('what was told to an endpoint and not taken %s', async ([, notifyUrl, where, state]) => {
    const calls: string[] = []
    const sendCallback = async (url: string) => ({ status: calls.push(url) === 1 ? 500 : 200 })
    const { login, controlKey } = SHOP
    const at = (address: string | undefined) => {
      return [
        { login, controlKey, endpoints: [{ id: 1111, ...(address === undefined ? {} : { notifyUrl: address }) }] },
      ]
    }
    const before = desk({ merchants: at(LATER), sendCallback })
    const { orderid } = await before.sale()
    await before.gateway.close()
    const { store, clock } = before
    const next = desk({ store, clock, merchants: at(notifyUrl), sendCallback })
    await next.recovered()
    await clock.advance('15d')
    expect(told(calls).map(([path]) => path)).toEqual(where)
    expect(await store.deliveriesOf(orderid)).toMatchObject([{ state }])
    expect(await next.gateway.resendCallbacks(orderid)).toBe(where.length - 1)
    await next.gateway.settled()
    expect(told(calls).map(([path]) => path)).toEqual([...where, ...where.slice(1)])
  })

  test('a payout-check that expired while the merchant was not configured is reported by resending', async () => {
    const rival = { login: 'rival', controlKey: '5F0C2AB9-D7E4-4104-8FF9-A0C1B7F2D4E9', endpoints: [{ id: 2222 }] }
    const { payoutCheck, gateway, clock, store } = desk()
    const { orderid } = await payoutCheck({ server_callback_url: CALLBACK })
    await gateway.close()
    const without = desk({ store, clock, merchants: [rival] })
    await without.recovered()
    await clock.advance('1h')
    await without.gateway.close()
    const next = desk({ store, clock })
    expect(await next.gateway.resendCallbacks(orderid)).toBe(1)
    await next.gateway.settled()
    expect(next.calls.map((call) => new URL(call).searchParams.get('status'))).toEqual(['declined'])
  })

  test('an outcome that came while the merchant was not configured is reported by resending, once they are', async () => {
    const { login, controlKey } = SHOP
    const shop = { login, controlKey, publicKey: shopKeys.publicKey, endpoints: [{ id: 1111 }] }
    const rival = { login: 'rival', controlKey: '5F0C2AB9-D7E4-4104-8FF9-A0C1B7F2D4E9', endpoints: [{ id: 2222 }] }
    const unknown = async () => ({ status: 'unknown' }) as const
    const before = desk({ merchants: [shop, rival], acquirer: deciding({ execute: unknown, lookup: unknown }) })
    const ids = await before.sale({ server_callback_url: CALLBACK })
    await before.gateway.close()
    const { store, clock } = before
    const approving = deciding({ lookup: async () => APPROVED })
    const without = desk({ store, clock, merchants: [rival], acquirer: approving })
    await without.recovered()
    await clock.advance('1h')
    await without.gateway.close()
    const next = desk({ store, clock, merchants: [shop, rival] })
    expect((await next.shown(ids))[0]).toBe('approved')
    for (const _ of ['first', 'again']) {
      expect(await next.gateway.resendCallbacks(ids.orderid)).toBe(1)
      await next.gateway.settled()
    }
    expect(told(next.calls)).toEqual([
      ['callback', 'sale', '10.42'],
      ['callback', 'sale', '10.42'],
    ])
    expect(next.calls[0]).toContain('status=approved&')
    expect(before.calls.map((url) => new URL(url).searchParams.get('status'))).toEqual(['unknown'])
    expect(without.calls).toEqual([])
  })

  test('nothing of an order is reported to an endpoint that now belongs to another merchant', async () => {
    const { login, controlKey } = SHOP
    const before = desk({ merchants: [{ login, controlKey, endpoints: [{ id: 1111 }] }] })
    const ids = await before.sale()
    await before.gateway.close()
    const { store, clock } = before
    const moved = { id: 1111, notifyUrl: NOTIFY, descriptor: 'RIVAL' }
    const merchants = [
      { login, controlKey, endpoints: [{ id: 1112 }] },
      { login: 'rival', controlKey: '5F0C2AB9-D7E4-4104-8FF9-A0C1B7F2D4E9', endpoints: [moved] },
    ]
    const next = desk({ store, clock, merchants })
    await next.gateway.chargeback(ids.orderid, '1.00')
    await next.gateway.settled()
    expect(next.calls).toEqual([])
    const status = next.request('/api/v2/status', ids, { ...SHOP, endpointId: '1112' })
    expect(await next.send(status)).toMatchObject({ 'transaction-type': 'chargeback' })
    expect(await next.send(status)).not.toHaveProperty('descriptor')
  })

  test('a callback of an endpoint that this process does not know keeps its address', async () => {
    const calls: string[] = []
    const sendCallback = async (url: string) => ({ status: calls.push(url) === 1 ? 500 : 200 })
    const { login, controlKey } = SHOP
    const before = desk({
      merchants: [{ login, controlKey, endpoints: [{ id: 1111, notifyUrl: LATER }] }],
      sendCallback,
    })
    const { orderid } = await before.sale()
    await before.gateway.close()
    const { store, clock } = before
    const merchants = [{ login, controlKey, endpoints: [{ id: 2222 }] }]
    const next = desk({ store, clock, merchants, sendCallback })
    await next.recovered()
    await clock.advance('1h')
    expect(told(calls).map(([path]) => path)).toEqual(['later', 'later'])
    expect(await store.deliveriesOf(orderid)).toMatchObject([{ state: 'acknowledged', made: 2 }])
    expect(await next.gateway.resendCallbacks(orderid)).toBe(1)
  })

  test('all of them can be sent again, and are the same', async () => {
    const { sale, return: giveBack, calls, gateway } = desk()
    const ids = await sale({ notify_url: NOTIFY })
    await giveBack(ids)
    const before = [...calls]
    expect(await gateway.resendCallbacks(ids.orderid)).toBe(2)
    await gateway.settled()
    expect(calls.slice(2).toSorted()).toEqual(before.toSorted())
    expect(await gateway.resendCallbacks('123456789012345')).toBe(0)
  })
})
