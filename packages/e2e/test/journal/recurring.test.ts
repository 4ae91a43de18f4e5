import { cards } from '@tallystick/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { type JournalShop, journalShop, replyLost, requestLost } from './shop.ts'

let shop: JournalShop
afterEach(() => shop.close())

/** A recurring payment of 5.00 that charges on request: its id. */
async function subscribed(): Promise<string> {
  shop = await journalShop()
  const { cvv2: _, ...card } = cards.approved
  const money = { amount: '5.00', currency: 'USD' }
  const made = await shop.journal.pay('subscription 7', 'createRecurringPayment', {
    recurringCardType: 'SRC',
    ...card,
    ...money,
  })
  return made.intent.reference ?? ''
}

describe('a charge of a recurring payment that the journal sends', () => {
  test.each([
    ['with an amount', { amount: '3.00', currency: 'USD' }, '3.00'],
    ['without one', {}, '5.00'],
  ])('[G14-04] %s ends with its own outcome, once for each key', async (_what, money, amount) => {
    const recurringPaymentId = await subscribed()
    const key = 'subscription 7, 2030-01'
    await shop.journal.pay(key, 'processRecurringPayment', { recurringPaymentId, ...money })
    await shop.goOn(1, 60_000)
    const again = await shop.journal.pay(key, 'processRecurringPayment', { recurringPaymentId, ...money })
    expect(again).toMatchObject({
      outcome: 'final',
      intent: { status: 'approved', sends: 1 },
    })
    expect((await shop.client.status({ clientOrderId: again.intent.clientOrderId })).amount).toBe(amount)
    expect((await shop.journal.report()).orphans).toEqual([])
  })

  test.each([
    ['reply', replyLost],
    ['request', requestLost],
  ])(
    '[G14-04] whose %s is lost is found by the status of its client order id, and never sent again',
    async (what, mishap) => {
      const recurringPaymentId = await subscribed()
      shop.mishap('process-recurring-payment', mishap)
      const key = 'subscription 7, 2030-01'
      const { intent } = await shop.journal.pay(key, 'processRecurringPayment', { recurringPaymentId })
      expect(intent).toMatchObject({ state: 'UNKNOWN', sends: 1 })
      await shop.goOn(3, 60 * 60_000)
      const [found] = await shop.journal.attempts(key)
      expect(found).toMatchObject(
        what === 'reply' ? { state: 'FINAL', status: 'approved', sends: 1 } : { state: 'UNKNOWN', sends: 1 },
      )
    },
  )
})

describe('an update of a recurring payment that the journal sends', () => {
  test('[G14-06] is in effect, and needs a person if its reply is lost', async () => {
    const recurringPaymentId = await subscribed()
    const first = await shop.journal.pay('price of 2030', 'updateRecurringPayment', {
      recurringPaymentId,
      amount: '6.00',
    })
    expect(first).toMatchObject({ outcome: 'final', intent: { status: 'approved' } })
    shop.mishap('update-recurring-payment', replyLost)
    const lost = await shop.journal.pay('price of 2031', 'updateRecurringPayment', {
      recurringPaymentId,
      amount: '7.00',
    })
    expect(lost.intent).toMatchObject({ state: 'REVIEW', reviewReason: 'NO_STATUS' })
  })
})
