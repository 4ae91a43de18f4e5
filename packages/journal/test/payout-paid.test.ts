import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { memoryJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { type Answer, hearingShop, replied, shopProcess, statusReply } from './shop-process.ts'

const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()

const MINUTE = 60_000
const payout = { amount: '10.00', currency: 'EUR', accountNumber: 'DE00 EXAMPLE', bankName: 'Bank of Willows' } as const
const money = { amount: '10.00', 'initial-amount': '10.00', currency: 'EUR', 'transaction-type': 'payout' }
const CHECKED = { ...money, status: 'processing', 'order-stage': 'payout_checked' }
const PAID = { ...money, status: 'approved', 'order-stage': 'payout_approved' }
const LOST = { kind: 'lost', seen: 'the connection was reset' } as const

/** A shop whose payout was checked. `show` sets what the gateway shows of it from now on. */
async function shopOfChecked() {
  const sent: string[] = []
  let shown: Readonly<Record<string, string>> = CHECKED
  let isLost = false
  const answer: Answer = async (operation, request) => {
    if (operation === 'status') return statusReply(request, shown)
    sent.push(operation)
    return isLost ? LOST : replied({ type: 'async-response', 'paynet-order-id': '9' })
  }
  const shop = hearingShop(answer, { privateKey })
  const { intent } = await shop.journal.pay('check of payout 7', 'payoutCheck', payout)
  await shop.clock.goOn(10_000)
  const order = { clientOrderId: intent.clientOrderId, orderId: '9' }
  return {
    ...shop,
    pays: () => sent.filter((operation) => operation === 'payout-pay').length,
    pay: (key: string) => shop.journal.pay(key, 'payoutPay', order),
    show: (fields: Readonly<Record<string, string>>) => {
      shown = fields
    },
    /** A callback comes. */
    wake: async () => {
      await shop.journal.inbox.receive({ ...order, status: 'approved' })
      await shop.clock.goOn(10_000)
    },
    loseReplies: (lost: boolean) => {
      isLost = lost
    },
  }
}

const WITHDRAWN = {
  outcome: 'paidBefore',
  intent: {
    state: 'REJECTED',
    rejection: 'withdrawn: the status of the order shows that the payout was paid before',
    sends: 0,
  },
}

describe('A payout whose status shows that it was paid', () => {
  test('by somebody else is not paid again, and the merchant is told of it', async () => {
    const { journal, clock, told, pay, pays, show } = await shopOfChecked()
    show(PAID)
    expect(await pay('payout 7')).toMatchObject(WITHDRAWN)
    expect(await pay('payout 7')).toMatchObject(WITHDRAWN)
    await clock.goOn(10_000)
    expect(pays()).toBe(0)
    expect(told.slice(1)).toMatchObject([
      { businessKey: 'check of payout 7', kind: 'notice', status: 'approved', kept: '1000' },
    ])
    await journal.close()
  })

  test('by a request that arrived late is not paid again under another key, and the late one is told of', async () => {
    const { journal, clock, told, events, pay, pays, show, loseReplies } = await shopOfChecked()
    loseReplies(true)
    await pay('payout 7')
    await clock.goOn(20 * MINUTE)
    const [inReview] = await journal.attempts('payout 7')
    expect(inReview).toMatchObject({ state: 'REVIEW', reviewReason: 'PART_UNCHANGED' })
    await journal.resolveReview(inReview?.intentId ?? '', 'nothing-charged', 'the gateway says so')
    loseReplies(false)
    show(PAID)
    expect(await pay('payout 7, once more')).toMatchObject(WITHDRAWN)
    expect(pays()).toBe(1)
    await clock.goOn(60 * MINUTE)
    expect(told.at(-1)).toMatchObject({ businessKey: 'payout 7', kind: 'outcome', status: 'approved', amount: '1000' })
    expect(told.filter(({ status }) => status === 'approved')).toHaveLength(1)
    expect(events).toContain('ARRIVED_LATE')
    await journal.close()
  })

  test('by another process at the same time is paid once, and is refused by neither', async () => {
    const [store, clock] = [memoryJournalStore(), handClock()]
    const paid = Promise.withResolvers<void>()
    let pays = 0
    const answer: Answer = async (operation, request) => {
      if (operation === 'status') return statusReply(request, pays === 0 ? CHECKED : PAID)
      if (operation === 'payout-pay') pays++
      return replied({ type: 'async-response', 'paynet-order-id': '9' })
    }
    // Its status before the change is answered when the other has paid.
    const slowly: Answer = async (operation, request) => {
      if (operation === 'status') await paid.promise
      return await answer(operation, request)
    }
    const one = shopProcess({ store, clock, answer, privateKey }).journal
    const other = shopProcess({ store, clock, answer: slowly, privateKey }).journal
    const { intent } = await one.pay('check of payout 7', 'payoutCheck', payout)
    await clock.goOn(10_000)
    await one.reconcile()
    const order = { clientOrderId: intent.clientOrderId, orderId: '9' }
    const slow = other.pay('payout 7', 'payoutPay', order)
    await clock.goOn(1)
    expect(await one.pay('payout 7', 'payoutPay', order)).toMatchObject({ outcome: 'accepted' })
    paid.resolve()
    expect(await slow).toMatchObject({ outcome: 'accepted', intent: { sends: 1 } })
    expect(pays).toBe(1)
    await Promise.all([one.close(), other.close()])
  })

  test('is paid if it was only checked', async () => {
    const { journal, clock, told, pay, pays, show } = await shopOfChecked()
    expect(await pay('payout 7')).toMatchObject({ outcome: 'accepted' })
    show(PAID)
    await clock.goOn(10_000)
    expect(told.at(-1)).toMatchObject({ businessKey: 'payout 7', status: 'approved', amount: '1000' })
    expect(pays()).toBe(1)
    await journal.close()
  })

  test.each([
    ['with the fee that its check showed', {}, { amount: '10.25' }, { amount: '10.25' }],
    ['at a gateway that shows no amount as long as nothing is paid', {}, { amount: '0.00' }, {}],
    ['at a gateway that shows one amount', { 'initial-amount': '' }, {}, {}],
    [
      'at a gateway that shows one amount, and none as long as nothing is paid',
      { 'initial-amount': '' },
      { amount: '0' },
      {},
    ],
  ])('is final %s', async (_what, both, checked, paid) => {
    const { journal, clock, told, pay, show } = await shopOfChecked()
    show({ ...CHECKED, ...both, ...checked })
    await pay('payout 7')
    const shown = { ...PAID, ...both, ...paid }
    show(shown)
    await clock.goOn(10_000)
    const amount = shown.amount.replace('.', '')
    expect(told.at(-1)).toMatchObject({ businessKey: 'payout 7', kind: 'outcome', status: 'approved', amount })
    await journal.close()
  })

  test('with another amount than the only one that its check showed goes to review', async () => {
    const { journal, clock, pay, show } = await shopOfChecked()
    show({ ...CHECKED, 'initial-amount': '' })
    await pay('payout 7')
    show({ ...PAID, 'initial-amount': '', amount: '99999.00' })
    await clock.goOn(10_000)
    expect(await journal.attempts('payout 7')).toMatchObject([{ state: 'REVIEW', reviewReason: 'AMOUNT_DIFFERS' }])
    await journal.close()
  })

  test.each([
    ['another amount', { amount: '99999.00' }, 'payout approved of 10.00 (now 99999.00) EUR'],
    ['another amount asked for', { 'initial-amount': '99999.00' }, 'payout approved of 99999.00 (now 10.00) EUR'],
    ['another currency', { currency: 'USD' }, 'payout approved of 10.00 USD'],
  ])('with %s than was checked goes to review', async (_what, fields, seen) => {
    const { journal, clock, told, events, pay, show } = await shopOfChecked()
    await pay('payout 7')
    show({ ...PAID, ...fields })
    await clock.goOn(10_000)
    const [intent] = await journal.attempts('payout 7')
    expect(intent).toMatchObject({ state: 'REVIEW', reviewReason: 'AMOUNT_DIFFERS' })
    expect(intent?.evidence.at(-1)?.seen).toBe(`AMOUNT_DIFFERS: ${seen}`)
    expect([told.length, events]).toEqual([1, ['REVIEW']])
    await journal.close()
  })

  test('with another amount, after its check had expired, is told of as a notice if an operator takes that', async () => {
    const { journal, clock, told, show, wake } = await shopOfChecked()
    show({ ...money, status: 'declined', 'order-stage': 'payout_declined' })
    await wake()
    show({ ...PAID, amount: '99.00' })
    await wake()
    const [check] = await journal.attempts('check of payout 7')
    expect(check).toMatchObject({ state: 'REVIEW', reviewReason: 'AMOUNT_DIFFERS', status: 'checked' })
    await journal.resolveReview(check?.intentId ?? '', 'take-status', 'the bank charges the rest')
    await clock.goOn(10_000)
    expect(told).toMatchObject([
      { kind: 'outcome', status: 'checked' },
      { kind: 'notice', status: 'declined' },
      { kind: 'notice', status: 'approved', amount: '9900' },
    ])
    await journal.close()
  })
})
