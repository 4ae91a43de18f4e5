import type { Intent } from '@tallystick/client/ports'
import type { ReplyValues } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { moved } from '../../src/intents/states.ts'
import { decideStatus } from '../../src/status/decide.ts'
import { intentWith } from '../intents.ts'
import { circumstances as at, foundSale as found, lostReturn } from './looks.ts'

const DAY = 24 * 60 * 60_000
type Status = Partial<ReplyValues<'status'>>
const accepted = intentWith({ state: 'ACCEPTED', orderId: '1', sentAt: 0 })
const refund = lostReturn()
const refused: Intent = { ...refund, state: 'REJECTED', nextCheckAt: 0 }

/** The intent after a status sent it to review, where an operator decided that nothing was charged. */
function judged(intent: Intent, seen: Status, now: number): Intent {
  const inReview = decideStatus(intent, found(seen), at(now)).intent
  expect(inReview.state).toBe('REVIEW')
  return moved(inReview, 'PRESUMED_ABSENT', { nextCheckAt: now })
}

describe('An intent for which an operator decided that nothing was charged', () => {
  const reversal = { transactionType: 'reversal', amount: '7.42' }

  test.each([
    [
      'another amount',
      accepted,
      { initialAmount: '12.00', amount: '12.00' },
      { initialAmount: '10.42', amount: '10.42' },
    ],
    ['an order that has no outcome after thirty days', accepted, { status: 'processing' }, { status: 'approved' }],
    ['another order', accepted, { orderId: '2' }, { orderId: '1' }],
    ['another currency', accepted, { currency: 'EUR' }, { currency: 'USD' }],
    [
      'another initial amount',
      accepted,
      { initialAmount: '12.00', amount: '10.42' },
      { initialAmount: '10.42', amount: '10.42' },
    ],
    ['another change of the order', refund, { ...reversal, amount: '8.42' }, { ...reversal, amount: '5.42' }],
    ['a change after a refusal', refused, reversal, { ...reversal, amount: '4.42' }],
    ['another order than that of the return', refund, { orderId: '2' }, { ...reversal, orderId: '1' }],
  ])('stays so while the status is the same, but not once it changes: %s', (_what, intent, seen, other) => {
    const settled = judged(intent, seen, 30 * DAY)
    const again = decideStatus(settled, found(seen), at(30 * DAY))
    expect(again).toMatchObject({ intent: { state: 'PRESUMED_ABSENT' }, outcomes: [], events: [] })
    const news = decideStatus(again.intent, found({ ...seen, ...other }), at(31 * DAY))
    expect(news.events).toHaveLength(1)
    expect(news.intent.state).not.toBe('PRESUMED_ABSENT')
  })

  test('is no longer watched after thirty days, without an event', () => {
    const settled = judged(refund, { ...reversal, amount: '8.42' }, DAY)
    const { intent, events } = decideStatus(settled, { kind: 'silent', seen: 'nothing' }, at(30 * DAY))
    expect(intent).toMatchObject({ state: 'PRESUMED_ABSENT', lookedAt: 30 * DAY, nextCheckAt: undefined })
    expect([events, intent.evidence.at(-1)?.seen]).toEqual([[], 'nothing'])
  })

  test('goes to review again if it was there for a reason other than the order, and now the order differs', () => {
    const settled = judged(accepted, { initialAmount: '12.00', amount: '12.00' }, DAY)
    const { intent } = decideStatus(settled, found({ orderId: '2' }), at(DAY))
    expect(intent).toMatchObject({ state: 'REVIEW', reviewReason: 'ORDER_DIFFERS' })
  })

  test('was decided for the other order alone: its own order, although unchanged, counts as arrived late', () => {
    const processing = decideStatus(accepted, found({ status: 'processing' }), at(1)).intent
    const settled = judged(processing, { orderId: '2' }, DAY)
    const { intent, events } = decideStatus(settled, found({ status: 'processing' }), at(DAY))
    expect([intent.state, events]).toEqual(['ACCEPTED', ['ARRIVED_LATE']])
    // The payment has turned out to exist, so the operator's earlier decision no longer applies.
    expect(decideStatus(intent, found({ orderId: '2' }), at(DAY)).intent.state).toBe('REVIEW')
  })

  test('differs from one presumed absent without an operator, which the same status makes final', () => {
    const observed = {
      status: 'approved',
      transactionType: 'sale',
      amount: '1042',
      initialAmount: '1042',
      currency: 'USD',
    }
    const absent = intentWith({ state: 'PRESUMED_ABSENT', sentAt: 0, observed })
    expect(decideStatus(absent, found(), at(DAY)).intent.state).toBe('FINAL')
  })

  test('is watched for thirty days', () => {
    const settled = judged(refund, { ...reversal, amount: '8.42' }, DAY)
    const again = decideStatus(settled, found({ ...reversal, amount: '8.42' }), at(DAY)).intent
    expect(again.nextCheckAt).toBe(2 * DAY)
  })
})
