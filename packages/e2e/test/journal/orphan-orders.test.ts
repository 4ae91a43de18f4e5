import type { OrphanNotice, OrphanOutcome } from '@tallystick/journal'
import { buildInput, cards, signedCallback } from '@tallystick/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { type JournalShop, type JournalShopOptions, journalShop, replyLost, requestLost, saleOf } from './shop.ts'

const DAY = 24 * 60 * 60_000
const serverCallbackUrl = 'https://shop.example.com/callback'

let shop: JournalShop
afterEach(() => shop.close())

/** A shop that is notified of orders that it has not opened. */
async function listeningShop(refuse: () => boolean = () => false, options: JournalShopOptions = {}) {
  const told: (OrphanOutcome | OrphanNotice)[] = []
  shop = await journalShop({
    ...options,
    onOrphan: (outcome) => {
      if (refuse()) throw new Error('no disk')
      told.push(outcome)
    },
  })
  return told
}

/** An order that the shop has paid for without its journal. */
async function orphanOrder() {
  const clientOrderId = shop.client.newClientOrderId()
  const sale = await shop.client.sale({ ...saleOf({ amount: '10.42' }), clientOrderId })
  await shop.gateway.settled()
  if (sale.outcome !== 'accepted') throw new Error('The sale was not accepted')
  return { clientOrderId, orderId: sale.reply.orderId ?? '' }
}

const call = (order: { clientOrderId: string; orderId: string }, status = 'approved') =>
  shop.callback(signedCallback({ ...order, status }, shop.gateway.merchant.controlKey))

function subscribe() {
  const { cardNumber, cardPrintedName, expireMonth, expireYear } = cards.approved
  return shop.journal.pay('subscription 12', 'createRecurringPayment', {
    recurringCardType: 'SRC',
    cardNumber,
    cardPrintedName,
    expireMonth,
    expireYear,
    amount: '5.00',
    currency: 'USD',
    orderDesc: 'a month',
    period: 'month',
    interval: 1,
    serverCallbackUrl,
  })
}

describe('an order that the gateway opens by itself', () => {
  test('[S6-04] [G13-23] the charge of a recurring payment is confirmed by the status and reported with the intent that created it', async () => {
    const told = await listeningShop()
    const created = await subscribe()
    expect(created).toMatchObject({ outcome: 'final', intent: { reference: expect.any(String) } })
    const { reference } = created.intent
    await shop.goOn(40, DAY)
    expect(told.map(({ clientOrderId }) => clientOrderId)).toEqual([`${reference}-1`, `${reference}-2`])
    expect(told[0]).toMatchObject({
      status: 'approved',
      reply: { amount: '5.00', currency: 'USD', recurringPaymentId: reference },
      recurringPayment: { businessKey: 'subscription 12' },
    })
    expect((await shop.journal.report()).orphans).toEqual([])
  })

  test('the charges of a recurring payment whose reply was lost are reported with it once an operator has named it', async () => {
    const told = await listeningShop()
    shop.mishap('create-recurring-payment', replyLost)
    const { intent } = await subscribe()
    expect(intent).toMatchObject({ state: 'REVIEW', reviewReason: 'NO_STATUS' })
    await shop.goOn(1, DAY)
    expect(told[0]?.recurringPayment).toBeUndefined()
    const reference = told[0]?.reply.recurringPaymentId ?? ''
    const settled = await shop.journal.resolveReview(intent.intentId, { reference }, 'the gateway shows it')
    expect(settled).toMatchObject({ state: 'FINAL', status: 'approved', reference, holdsKey: true })
    await shop.goOn(40, DAY)
    expect(told.at(-1)).toMatchObject({ status: 'approved', recurringPayment: { businessKey: 'subscription 12' } })
    expect(shop.outcomes).toMatchObject([
      { kind: 'outcome', businessKey: 'subscription 12', status: 'approved', reference },
    ])
    expect(await subscribe()).toMatchObject({ outcome: 'final', intent: { reference } })
  })
})

describe('an order that no intent has', () => {
  test('is reported once for copies of its callback, and again when its status has changed', async () => {
    const told = await listeningShop()
    const order = await orphanOrder()
    for (const _ of [1, 2, 3]) expect(await call(order)).toMatchObject({ status: 200 })
    await shop.goOn(2, 5000)
    await call(order)
    await shop.goOn(2, 5000)
    expect(told).toMatchObject([{ ...order, status: 'approved', reply: { amount: '10.42' } }])
    await shop.client.return({ ...order, amount: '3.00', currency: 'USD', comment: 'by a clerk' })
    await shop.gateway.settled()
    await call(order)
    await shop.goOn(2, 5000)
    expect(told.slice(1)).toMatchObject([
      { status: 'approved', reply: { transactionType: 'reversal', amount: '7.42' } },
    ])
    expect(new Set(told.map(({ key }) => key)).size).toBe(2)
  })

  test('is not reported by what its callback claims: the status decides', async () => {
    const told = await listeningShop()
    const order = await orphanOrder()
    await call(order, 'declined')
    await shop.goOn(2, 5000)
    expect(told).toMatchObject([{ status: 'approved' }])
  })

  test('that the gateway does not know is never reported to the handler, and shown in the report', async () => {
    const told = await listeningShop()
    await call({ clientOrderId: 'tSTRANGERz', orderId: '123456789012345' })
    await shop.goOn(40, DAY)
    expect(told).toEqual([])
    expect((await shop.journal.report()).orphans).toMatchObject([{ clientOrderId: 'tSTRANGERz', callbacks: 1 }])
  })

  test('is reported again when the handler fails', async () => {
    let isBroken = true
    const told = await listeningShop(() => isBroken)
    const order = await orphanOrder()
    await call(order)
    await shop.goOn(2, 5000)
    expect(shop.events).toMatchObject([{ type: 'ORPHAN_FAILED', outcome: order }, { type: 'ORPHAN_FAILED' }])
    isBroken = false
    await shop.goOn(2, 5000)
    expect(told).toMatchObject([order])
  })

  test('is checked once in two seconds, whatever comes', async () => {
    await listeningShop()
    const order = await orphanOrder()
    const asked = () => shop.sent.filter((operation) => operation === 'status').length
    for (let second = 0; second < 10; second++) {
      await call(order)
      await shop.goOn(2, 500)
    }
    expect(asked()).toBeGreaterThan(1)
    expect(asked()).toBeLessThanOrEqual(5)
  })
})

test('the order of a payment whose reply was lost is none of them, even while its own status is not answered', async () => {
  const told = await listeningShop()
  shop.mishap('sale', replyLost)
  await shop.journal.pay('invoice 77', 'sale', saleOf({ serverCallbackUrl }))
  await shop.gateway.settled()
  // Either the payment or the order of its callback is checked first: in neither case is the order an orphan.
  for (let looks = 0; looks < 3; looks++) {
    shop.mishap('status', requestLost)
    await shop.goOn(1, 5000)
  }
  await shop.goOn(2, 5000)
  expect([told, shop.events]).toEqual([[], []])
  expect(shop.outcomes).toMatchObject([{ businessKey: 'invoice 77', status: 'approved' }])
})

describe('an order that the journal has changed but not made', () => {
  const part = { amount: '3.00', currency: 'USD', comment: 'broken' }

  test('is reported with its chargeback, even if the journal has refunded a part of it', async () => {
    const told = await listeningShop()
    const order = await orphanOrder()
    await call(order)
    await shop.goOn(2, 5000)
    await shop.journal.pay('refund 1', 'return', { ...order, ...part })
    await shop.goOn(2, 5000)
    await shop.gateway.chargeback(order.orderId, '5.00')
    await shop.gateway.settled()
    expect(await call(order)).toMatchObject({ status: 200 })
    await shop.goOn(2, 5000)
    expect(told).toMatchObject([
      { ...order, reply: { amount: '10.42' } },
      { ...order, change: { transactionType: 'chargeback', status: 'approved' }, reply: { amount: '2.42' } },
    ])
  })

  test('is reported even if its first callback was not acted on before that', async () => {
    const told = await listeningShop()
    const order = await orphanOrder()
    await call(order)
    await shop.journal.pay('refund 1', 'return', { ...order, ...part })
    await shop.goOn(2, 5000)
    expect(told).toMatchObject([{ ...order, status: 'approved', change: { transactionType: 'reversal' } }])
  })
})

describe('a payment that a gateway without uniqueness took twice', () => {
  /** The request comes twice on its way. */
  async function paidTwice(reply: 'read' | 'lost') {
    shop.mishap('sale', async (send) => {
      const first = await send()
      await send()
      return reply === 'read' ? first : { kind: 'lost', seen: 'the connection was reset' }
    })
    const { intent } = await shop.journal.pay('invoice 77', 'sale', saleOf({ amount: '10.42' }))
    await shop.gateway.settled()
    return { intent, orders: await shop.gateway.orders() }
  }

  test.each(['read', 'lost'] as const)('is reported with its second order, if the reply was %s', async (reply) => {
    const told = await listeningShop(() => false, { allowRepeats: true })
    const { intent, orders } = await paidTwice(reply)
    expect(orders).toHaveLength(2)
    for (const { orderId, clientOrderId } of orders) {
      expect(await call({ orderId, clientOrderId })).toMatchObject({ status: 200 })
    }
    await shop.goOn(10, 5000)
    const [own] = await shop.journal.attempts('invoice 77')
    const second = orders.find(({ orderId }) => orderId !== own?.orderId)
    expect(own).toMatchObject({ state: 'FINAL', status: 'approved' })
    expect(shop.outcomes).toMatchObject([{ orderId: own?.orderId, amount: '1042' }])
    const orphan = { orderId: second?.orderId, status: 'approved', repeatOf: { intentId: intent.intentId } }
    expect(told).toMatchObject([orphan])
    expect(shop.events).toMatchObject([
      { type: 'DOUBLE_CHARGE_SUSPECTED', intents: [{ businessKey: 'invoice 77' }], orphan },
    ])
    expect((await shop.journal.report()).orphans).toEqual([])
  })

  test('is no double charge if it only verified a card', async () => {
    const told = await listeningShop(() => false, { allowRepeats: true })
    const { clientOrderId: _, ...verification } = buildInput('accountVerification')
    shop.mishap('account-verification', async (send) => {
      await send()
      return await send()
    })
    await shop.journal.pay('trial of 77', 'accountVerification', verification)
    await shop.gateway.settled()
    for (const { orderId, clientOrderId } of await shop.gateway.orders()) await call({ orderId, clientOrderId })
    await shop.goOn(10, 5000)
    expect(told).toMatchObject([{ status: 'approved', repeatOf: { businessKey: 'trial of 77' } }])
    expect(shop.events).toEqual([])
  })

  test('stays in the report until a handler is called with it, and is a suspected double charge without one', async () => {
    shop = await journalShop({ allowRepeats: true })
    const { intent, orders } = await paidTwice('read')
    for (const { orderId, clientOrderId } of orders) await call({ orderId, clientOrderId })
    await shop.goOn(2, 5000)
    const second = orders.find(({ orderId }) => orderId !== intent.orderId)
    expect((await shop.journal.report()).orphans).toMatchObject([{ orderId: second?.orderId }])
    const suspicion = {
      type: 'DOUBLE_CHARGE_SUSPECTED',
      intents: [{ intentId: intent.intentId }],
      orphan: { orderId: second?.orderId, status: 'approved' },
    }
    expect(shop.events).toMatchObject([suspicion])
    // It is checked by the schedule, and reported once.
    await shop.goOn(10, 5000)
    expect(shop.events).toHaveLength(1)
  })

  test.each([
    ['in full is not suspected', undefined, []],
    ['in part is', '3.00', ['DOUBLE_CHARGE_SUSPECTED']],
  ] as const)('and whose second order was refunded %s', async (_what, amount, heard) => {
    const told = await listeningShop(() => false, { allowRepeats: true })
    const { intent, orders } = await paidTwice('read')
    const { clientOrderId } = intent
    const second = orders.find(({ orderId }) => orderId !== intent.orderId)?.orderId ?? ''
    const money = amount === undefined ? {} : { amount, currency: 'USD' }
    await shop.client.return({ clientOrderId, orderId: second, ...money, comment: 'by a clerk' })
    await shop.gateway.settled()
    await call({ orderId: second, clientOrderId })
    await shop.goOn(2, 5000)
    expect(told).toMatchObject([{ orderId: second, change: { transactionType: 'reversal' } }])
    expect(shop.events.map(({ type }) => type)).toEqual(heard)
  })

  test('and that was refunded itself is not suspected', async () => {
    shop = await journalShop({ allowRepeats: true })
    const { intent, orders } = await paidTwice('read')
    const { clientOrderId, orderId = '' } = intent
    await shop.goOn(1, 5000)
    await shop.journal.pay('double of 77', 'return', { clientOrderId, orderId, comment: 'charged twice' })
    await shop.goOn(2, 5000)
    for (const order of orders) await call({ orderId: order.orderId, clientOrderId })
    await shop.goOn(2, 5000)
    expect([orders.length, shop.events]).toEqual([2, []])
  })

  test('is not checked without a handler if no payment is known to be its first', async () => {
    shop = await journalShop()
    const order = await orphanOrder()
    await call(order)
    shop.sent.length = 0
    await shop.goOn(5, 5000)
    expect([shop.sent, shop.events]).toEqual([[], [{ type: 'ORPHAN_UNHEARD' }]])
    expect((await shop.journal.report()).orphans).toMatchObject([order])
  })

  test('keeps what happens to its two orders apart', async () => {
    const told = await listeningShop(() => false, { allowRepeats: true })
    const { intent, orders } = await paidTwice('read')
    const { clientOrderId } = intent
    for (const { orderId } of orders) await call({ orderId, clientOrderId })
    await shop.goOn(2, 5000)
    const second = orders.find(({ orderId }) => orderId !== intent.orderId)?.orderId ?? ''
    await shop.journal.pay('back 77', 'return', { clientOrderId, orderId: second, comment: 'charged twice' })
    await shop.goOn(2, 5000)
    await call({ orderId: second, clientOrderId })
    await call({ orderId: intent.orderId ?? '', clientOrderId })
    await shop.goOn(2, 5000)
    expect(shop.outcomes).toMatchObject([
      { kind: 'outcome', orderId: intent.orderId, kept: '1042' },
      { kind: 'outcome', operation: 'return', orderId: second, kept: '0' },
    ])
    expect(told.map(({ orderId, change }) => [orderId, change?.transactionType])).toEqual([
      [second, undefined],
      [second, 'reversal'],
    ])
  })
})
