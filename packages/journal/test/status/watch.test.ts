import type { Intent } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { decideStatus } from '../../src/status/decide.ts'
import type { Circumstances, StatusResult } from '../../src/status/status-result.ts'
import { intentWith } from '../intents.ts'
import { circumstances, foundSale, lostReturn } from './looks.ts'

const DAY = 86_400_000
const watchMs = 540 * DAY

const paid = (changes: Partial<Intent> = {}): Intent =>
  intentWith({
    state: 'FINAL',
    status: 'approved',
    orderId: '1',
    sentAt: 0,
    watchAt: 0,
    observed: { status: 'approved', transactionType: 'sale', amount: '1042', initialAmount: '1042', currency: 'USD' },
    ...changes,
  })

/** In how many days after this look it is watched next. */
function daysAfter(asked: Intent, look: StatusResult, day: number, changes: Partial<Circumstances> = {}) {
  const { intent } = decideStatus(asked, look, circumstances(day * DAY, { watchMs, ...changes }))
  return intent.watchAt === undefined ? undefined : intent.watchAt / DAY - day
}

describe('An approved payment', () => {
  test.each([
    [0, 1],
    [3, 1],
    [4, 1],
    [5, 1.25],
    [8, 2],
    [60, 15],
    [120, 30],
    [400, 30],
    [520, 20],
    [540, undefined],
  ])('of %d days is watched again in %s days: after a quarter of its age, for 540 days', (day, wait) => {
    expect(daysAfter(paid({ lookedAt: day * DAY - 1 }), foundSale(), day)).toBe(wait)
  })

  test.each([
    [0, 48],
    [1, 72],
  ])('is watched a fifth sooner or later, so that many do not come at once (%d)', (fraction, wait) => {
    expect(daysAfter(paid(), foundSale(), 240, { fraction })).toBe((wait * 30) / 60)
  })

  test('is watched from the moment that it is approved, whichever check saw that', () => {
    expect(daysAfter(paid({ state: 'ACCEPTED', status: undefined, watchAt: undefined }), foundSale(), 0)).toBe(1)
    expect(daysAfter(paid({ watchAt: undefined, nextCheckAt: 1 }), foundSale(), 12)).toBe(3)
  })

  test('is watched on if all of it was charged back or refunded: it may be won back, or charged back as well', () => {
    const gone = foundSale({ transactionType: 'chargeback', amount: '0.00' })
    const { intent, outcomes } = decideStatus(paid(), gone, circumstances(40 * DAY, { watchMs }))
    expect(outcomes).toMatchObject([{ kind: 'notice', transactionType: 'chargeback', amount: '1042', kept: '0' }])
    expect([intent.watchAt, intent.nextCheckAt]).toEqual([50 * DAY, undefined])
  })

  test.each([
    ['the gateway does not answer', { kind: 'silent', seen: 'reset' }],
    ['something is under way at its order', foundSale({ transactionType: 'chargeback', status: 'processing' })],
  ] as const)('is asked for sooner if %s, and stays among the watched', (_why, look) => {
    const { intent, outcomes, events } = decideStatus(paid(), look, circumstances(80 * DAY, { watchMs }))
    expect([intent.state, intent.nextCheckAt, intent.watchAt]).toEqual(['FINAL', undefined, 85 * DAY])
    expect([outcomes, events]).toEqual([[], []])
    expect(daysAfter(paid(), look, 3)).toBe(1)
  })

  test.each<readonly [string, StatusResult]>([
    ['no longer knows its order', { kind: 'absent', seen: 'no such order' }],
    ['answers with another order', { kind: 'other', orderId: '2' }],
  ])('is no review, and asked for no more often, if the gateway %s', (_what, look) => {
    const { intent, outcomes, events } = decideStatus(paid(), look, circumstances(80 * DAY, { watchMs }))
    expect([intent.state, intent.nextCheckAt, intent.watchAt]).toEqual(['FINAL', undefined, 100 * DAY])
    expect([outcomes, events]).toEqual([[], []])
    // It is not the order that the gateway answered for last, and in the end it is asked for no more.
    expect(intent.lookedAt).toBeUndefined()
    expect(daysAfter(paid({ lookedAt: DAY }), look, 540)).toBeUndefined()
  })

  test('has no news if only the stage of its order has moved, as when it is settled', () => {
    const settled = foundSale({ orderStage: 'sale_settled' })
    expect(decideStatus(paid(), settled, circumstances(8 * DAY, { watchMs })).outcomes).toEqual([])
    expect(decideStatus(paid({ nextCheckAt: 8 * DAY }), settled, circumstances(8 * DAY, { watchMs })).outcomes).toEqual(
      [],
    )
    const disputed = foundSale({ orderStage: 'sale_settled', transactionType: 'dispute' })
    expect(decideStatus(paid(), disputed, circumstances(8 * DAY, { watchMs })).outcomes).toHaveLength(1)
  })

  test('is watched once more if nobody had asked for long: the clock may be years ahead', () => {
    expect(daysAfter(paid({ lookedAt: DAY }), foundSale(), 3650)).toBe(30)
    expect(daysAfter(paid({ lookedAt: 3650 * DAY }), foundSale(), 3680)).toBeUndefined()
  })

  test('that has a callback is checked by the schedule of callbacks, and watched as well', () => {
    const woken = paid({ wokenAt: 40 * DAY, nextCheckAt: 40 * DAY })
    const { intent } = decideStatus(woken, { kind: 'silent', seen: 'reset' }, circumstances(40 * DAY, { watchMs }))
    expect([intent.nextCheckAt, intent.watchAt]).toEqual([40 * DAY + 2000, 42.5 * DAY])
  })
})

test.each([
  ['declined', paid({ status: 'declined' }), foundSale({ status: 'declined' })],
  ['in review', paid({ state: 'REVIEW' }), foundSale()],
  ['not decided', paid({ state: 'ACCEPTED', status: undefined }), foundSale({ status: 'processing' })],
  ['only the verification of a card', paid({ operation: 'accountVerification', amounts: [] }), foundSale()],
  ['a refund', lostReturn({ state: 'FINAL', status: 'approved' }), foundSale()],
])('What is %s is not watched', (_what, intent, look) => {
  expect(daysAfter(intent, look, 10)).toBeUndefined()
})

test('Nothing is watched if that is switched off', () => {
  expect(daysAfter(paid(), foundSale(), 10, { watchMs: 0 })).toBeUndefined()
})
