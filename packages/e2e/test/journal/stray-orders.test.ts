import type { StrayOutcome } from '@tallystick/journal'
import { cards, signedCallback } from '@tallystick/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { type JournalShop, journalShop, saleOf } from './shop.ts'

const DAY = 24 * 60 * 60_000
const serverCallbackUrl = 'https://shop.example.com/callback'

let shop: JournalShop
afterEach(() => shop.close())

/** A shop that is told of orders that it has not opened. */
async function listeningShop(refuse: () => boolean = () => false) {
  const told: StrayOutcome[] = []
  shop = await journalShop({
    onStray: (outcome) => {
      if (refuse()) throw new Error('no disk')
      told.push(outcome)
    },
  })
  return told
}

/** An order that the shop has paid for without its journal. */
async function strayOrder() {
  const clientOrderId = shop.client.newClientOrderId()
  const sale = await shop.client.sale({ ...saleOf({ amount: '10.42' }), clientOrderId })
  await shop.gateway.settled()
  if (sale.outcome !== 'accepted') throw new Error('The sale was not accepted')
  return { clientOrderId, orderId: sale.reply.orderId ?? '' }
}

const call = (order: { clientOrderId: string; orderId: string }, status = 'approved') =>
  shop.callback(signedCallback({ ...order, status }, shop.gateway.merchant.controlKey))

describe('an order that the gateway opens by itself', () => {
  test('[S6-04] [G13-23] the charge of a recurring payment is confirmed by the status and told with the intent that created it', async () => {
    const told = await listeningShop()
    const { cardNumber, cardPrintedName, expireMonth, expireYear } = cards.approved
    const created = await shop.journal.pay('subscription 12', 'createRecurringPayment', {
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
    expect(created).toMatchObject({ outcome: 'final', intent: { reference: expect.any(String) } })
    const { reference } = created.intent
    await shop.goOn(40, DAY)
    expect(told.map(({ clientOrderId }) => clientOrderId)).toEqual([`${reference}-1`, `${reference}-2`])
    expect(told[0]).toMatchObject({
      status: 'approved',
      reply: { amount: '5.00', currency: 'USD', recurringPaymentId: reference },
      recurringPayment: { businessKey: 'subscription 12' },
    })
    expect((await shop.journal.report()).strays).toEqual([])
  })
})

describe('an order that no intent has', () => {
  test('is told once for copies of its callback, and again when its status has changed', async () => {
    const told = await listeningShop()
    const order = await strayOrder()
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

  test('is not told by what its callback claims: the status decides', async () => {
    const told = await listeningShop()
    const order = await strayOrder()
    await call(order, 'declined')
    await shop.goOn(2, 5000)
    expect(told).toMatchObject([{ status: 'approved' }])
  })

  test('that the gateway does not know is never told, and shown in the report', async () => {
    const told = await listeningShop()
    await call({ clientOrderId: 'tSTRANGERz', orderId: '123456789012345' })
    await shop.goOn(40, DAY)
    expect(told).toEqual([])
    expect((await shop.journal.report()).strays).toMatchObject([{ clientOrderId: 'tSTRANGERz', callbacks: 1 }])
  })

  test('is told again when the handler fails', async () => {
    let isBroken = true
    const told = await listeningShop(() => isBroken)
    const order = await strayOrder()
    await call(order)
    await shop.goOn(2, 5000)
    expect(shop.events).toMatchObject([{ type: 'STRAY_FAILED', outcome: order }, { type: 'STRAY_FAILED' }])
    isBroken = false
    await shop.goOn(2, 5000)
    expect(told).toMatchObject([order])
  })

  test('is asked for once in two seconds, whatever comes', async () => {
    await listeningShop()
    const order = await strayOrder()
    const asked = () => shop.sent.filter((operation) => operation === 'status').length
    for (let second = 0; second < 10; second++) {
      await call(order)
      await shop.goOn(2, 500)
    }
    expect(asked()).toBeGreaterThan(1)
    expect(asked()).toBeLessThanOrEqual(5)
  })
})
