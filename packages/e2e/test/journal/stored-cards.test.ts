import type { Exchange } from '@tallystick/client'
import { rebillOrderId } from '@tallystick/client'
import { buildInput, cards } from '@tallystick/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { type JournalShop, journalShop, neverLeft, replyLost, requestLost, saleOf } from './shop.ts'

let shop: JournalShop
afterEach(() => shop.close())

/** An approved sale, whose card may be stored. */
async function approved() {
  const { intent } = await shop.journal.pay('invoice 77', 'sale', saleOf())
  await shop.goOn(2, 5000)
  return { clientOrderId: intent.clientOrderId, orderId: intent.orderId ?? '' }
}

/** The callback of the payment, once more. */
async function calledBack(order: { clientOrderId: string; orderId: string }) {
  await shop.journal.inbox.receive({ ...order, status: 'approved', type: 'sale' })
  await shop.goOn(2, 5000)
}

/** The answer of a gateway whose acquirer has not approved the payment yet. */
async function refused(): Promise<Exchange> {
  const body = JSON.stringify({ type: 'validation-error', 'error-message': 'not approved yet', 'error-code': '9' })
  return { kind: 'replied', httpStatus: 400, mediaType: 'application/json', body }
}

const stored = () => shop.outcomes.filter(({ operation }) => operation === 'createCardRef')

describe('a card that is stored through the journal', () => {
  test('and was refused is not stored by a callback of its payment', async () => {
    shop = await journalShop()
    const { intent } = await shop.journal.pay('invoice 77', 'sale', saleOf())
    const order = { clientOrderId: intent.clientOrderId, orderId: intent.orderId ?? '' }
    shop.mishap('create-card-ref', refused)
    expect(await shop.journal.pay('card of 77', 'createCardRef', order)).toMatchObject({ outcome: 'rejected' })
    await calledBack(order)
    expect(shop.outcomes).toMatchObject([{ operation: 'sale', status: 'approved' }])
    expect(await shop.journal.pay('card of 77', 'createCardRef', order)).toMatchObject({ outcome: 'rejected' })
    const again = await shop.journal.pay('card of 77', 'createCardRef', order, { attempt: 2 })
    expect(again).toMatchObject({ outcome: 'final', intent: { reference: expect.any(String) } })
  })

  test('gets its reference by the repeat, whatever callbacks of the payment come meanwhile', async () => {
    shop = await journalShop({ repeatsGetFirstAnswer: true })
    const order = await approved()
    shop.mishap('create-card-ref', replyLost)
    expect(await shop.journal.pay('card of 77', 'createCardRef', order)).toMatchObject({ outcome: 'unknown' })
    await calledBack(order)
    expect(stored()).toEqual([])
    const again = await shop.journal.pay('card of 77', 'createCardRef', order)
    expect(again).toMatchObject({ outcome: 'final', intent: { reference: expect.any(String) } })
  })

  test('does not count as refused, or never sent, by the result of a repeat', async () => {
    shop = await journalShop({ repeatsGetFirstAnswer: true })
    const order = await approved()
    for (const happen of [replyLost, neverLeft, refused]) {
      shop.mishap('create-card-ref', happen)
      const { outcome, intent } = await shop.journal.pay('card of 77', 'createCardRef', order)
      expect([outcome, intent.state]).toEqual(['unknown', 'UNKNOWN'])
    }
    expect(await shop.journal.pay('card of 77', 'createCardRef', order, { attempt: 2 })).toMatchObject({
      outcome: 'final',
      intent: { attempt: 1, reference: expect.any(String) },
    })
  })

  test('goes to review if five repeats had no reply', async () => {
    shop = await journalShop({ repeatsGetFirstAnswer: true })
    const order = await approved()
    for (let sends = 1; sends <= 5; sends++) {
      shop.mishap('create-card-ref', replyLost)
      expect(await shop.journal.pay('card of 77', 'createCardRef', order)).toMatchObject({ outcome: 'unknown' })
    }
    for (const attempt of [1, 2]) {
      expect(await shop.journal.pay('card of 77', 'createCardRef', order, { attempt })).toMatchObject({
        outcome: 'review',
        intent: { attempt: 1, reviewReason: 'NO_STATUS' },
      })
    }
    expect(shop.events).toMatchObject([{ type: 'REVIEW' }])
    expect(shop.sent.filter((operation) => operation === 'create-card-ref')).toHaveLength(5)
  })

  test('stays in review if its reply was lost: there is no status to ask for', async () => {
    shop = await journalShop()
    const order = await approved()
    shop.mishap('create-card-ref', requestLost)
    const { intent } = await shop.journal.pay('card of 77', 'createCardRef', order)
    expect(intent).toMatchObject({ state: 'REVIEW', reviewReason: 'NO_STATUS' })
    await calledBack(order)
    for (const decision of ['ask-again', 'take-status'] as const) {
      await expect(shop.journal.resolveReview(intent.intentId, decision, 'once more')).rejects.toThrow(
        'stores a card, which has no status to ask for',
      )
    }
    await shop.journal.resolveReview(intent.intentId, 'nothing-charged', 'the gateway has no such card')
    expect(await shop.journal.pay('card of 77', 'createCardRef', order, { attempt: 2 })).toMatchObject({
      outcome: 'final',
      intent: { reference: expect.any(String) },
    })
    await shop.goOn(1, 5000)
    expect(stored()).toHaveLength(1)
  })
})

describe('a period of a subscription whose rebill was declined', () => {
  const KEY = { profile: 'subscription 12', period: '2026-11' }
  const NEXT = { attempt: 2 }

  /** How the customer pays the period with another card, and how the shop retries the stored one. */
  async function declined() {
    shop = await journalShop()
    const order = await approved()
    const { intent } = await shop.journal.pay('card of 77', 'createCardRef', order)
    const rebill = { cardRefId: intent.reference ?? '', amount: '5.00', currency: 'USD', orderDesc: 'November' }
    await shop.journal.pay(KEY, 'makeRebill', { ...rebill, cvv2: cards.insufficientFunds.cvv2 })
    await shop.goOn(2, 5000)
    const { clientOrderId: _, ...form } = buildInput('saleForm', { amount: '5.00', currency: 'USD' })
    return {
      byForm: () => shop.journal.pay(KEY, 'saleForm', form, NEXT),
      byRebill: (attempt = 2) => shop.journal.pay(KEY, 'makeRebill', rebill, { attempt }),
    }
  }

  test('is paid by the customer on a form under the same key, and not by a retry as well', async () => {
    const { byForm, byRebill } = await declined()
    const { outcome, intent } = await byForm()
    expect(outcome).toBe('accepted')
    expect(await byRebill()).toMatchObject({ outcome: 'conflict', intent: { operation: 'saleForm' } })
    await shop.gateway.payOnPages(intent.redirectUrl ?? '', cards.approved)
    await shop.goOn(2, 5000)
    expect(await byRebill(3)).toMatchObject({ outcome: 'conflict', intent: { attempt: 2, status: 'approved' } })
    expect(shop.outcomes.map(({ operation, status }) => `${operation} ${status}`)).toEqual([
      'sale approved',
      'createCardRef approved',
      'makeRebill declined',
      'saleForm approved',
    ])
  })

  test('opens no form while it is retried', async () => {
    const { byForm, byRebill } = await declined()
    expect(await byRebill()).toMatchObject({ outcome: 'accepted' })
    expect(await byForm()).toMatchObject({ outcome: 'conflict', intent: { operation: 'makeRebill' } })
  })

  test('has one client order id for each attempt, whatever pays it, and is no key of what pays nothing', async () => {
    const { byForm } = await declined()
    expect((await byForm()).intent.clientOrderId).toBe(rebillOrderId(KEY.profile, KEY.period, 2))
    const order = { clientOrderId: 'a', orderId: '1', comment: 'broken' }
    await expect(shop.journal.pay({ ...KEY, period: '2026-12' }, 'return', order)).rejects.toThrow(
      '{ profile, period } is the key of what pays for that period; give return a text',
    )
  })
})
