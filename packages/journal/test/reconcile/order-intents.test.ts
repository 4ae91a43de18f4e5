import type { Intent } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { kept, moved } from '../../src/intents/states.ts'
import { withOpening } from '../../src/reconcile/order-intents.ts'
import { intentWith } from '../intents.ts'

const NOW = 500
const paid = { status: 'approved', transactionType: 'sale', amount: '1042' }
const returned = { status: 'approved', transactionType: 'reversal', amount: '742' }
const chargedBack = { status: 'approved', transactionType: 'chargeback', amount: '542' }

const sale = (changes: Partial<Intent> = {}) =>
  intentWith({ intentId: 'sale', state: 'FINAL', status: 'approved', orderId: '9', observed: paid, ...changes })
const refund = (changes: Partial<Intent> = {}) =>
  intentWith({
    operation: 'return',
    kind: 'modification',
    state: 'UNKNOWN',
    orderId: '9',
    before: paid,
    holdsOrder: true,
    ...changes,
  })

/** What is written together with the end of a return. */
async function beside(before: Intent, after: Intent, ofId: readonly Intent[], isChangedSince = false) {
  const parts = { store: { ofOrder: async () => ofId }, clock: { now: () => NOW } }
  const [own, ...others] = await withOpening(before, { intent: after, outcomes: [], isChangedSince }, parts)
  return { told: own.outcomes, others: others.map(({ intent }) => intent) }
}

describe('With a return that has ended', () => {
  const done = moved(refund(), 'FINAL', { status: 'approved', observed: returned })

  test('its payment is as the return left it: an older answer does not count, and no status check is needed', async () => {
    const { told, others } = await beside(refund(), done, [refund(), sale()])
    expect(told).toEqual([])
    expect(others).toEqual([{ ...sale(), observed: returned, lookedAt: NOW, version: 2 }])
  })

  test.each([
    ['the order was changed since', {}, true],
    ['its status was to be checked anyway', { nextCheckAt: 9000 }, false],
  ])('its payment is checked at once if %s', async (_what, changes, isChangedSince) => {
    const { others } = await beside(refund(), done, [sale(changes)], isChangedSince)
    expect(others).toMatchObject([{ observed: returned, lookedAt: NOW, wokenAt: NOW, nextCheckAt: NOW }])
  })

  test('what happened before it is reported: nothing else would report it', async () => {
    const late = refund({ before: chargedBack })
    const { told, others } = await beside(late, moved(late, 'FINAL', { observed: returned }), [sale()])
    expect(told).toMatchObject([{ kind: 'notice', intentId: 'sale', amount: '500', kept: '542' }])
    expect(others).toMatchObject([{ observed: returned }])
  })

  test('that was presumed absent, earlier changes are not reported: its payment has not waited for it', async () => {
    const absent = refund({ state: 'PRESUMED_ABSENT', holdsOrder: false })
    const left = { ...returned, amount: '242' }
    const late = moved(absent, 'FINAL', { status: 'approved', observed: left })
    const { told, others } = await beside(absent, late, [absent, sale({ observed: chargedBack })])
    expect([told, others.map(({ observed }) => observed)]).toEqual([[], [left]])
  })

  test('that an operator found absent once more, its payment is checked at once if it waited', async () => {
    const doubted = refund({ state: 'REVIEW', holdsOrder: false, observed: returned })
    const absent = moved(doubted, 'PRESUMED_ABSENT', { nextCheckAt: NOW })
    const { told, others } = await beside(doubted, absent, [doubted, sale({ nextCheckAt: 9000 })])
    expect(told).toEqual([])
    expect(others).toMatchObject([{ observed: paid, wokenAt: NOW, nextCheckAt: NOW }])
  })

  test.each([
    ['the payment is of another order', [sale({ orderId: '8' })]],
    ['only another return is known', [refund({ intentId: '2', state: 'FINAL', observed: paid })]],
    ['none is known', []],
  ])('no other intent is written if %s', async (_what, ofId) => {
    expect((await beside(refund(), done, ofId)).others).toEqual([])
  })

  test('a payment that has not ended is written unchanged: a process that ends it just now has to read again', async () => {
    const open = sale({ state: 'ACCEPTED', status: undefined })
    expect((await beside(refund(), done, [open])).others).toEqual([{ ...open, version: 2 }])
  })

  test('nothing is written a second time', async () => {
    expect((await beside(done, kept(done, { lookedAt: NOW }), [sale()])).others).toEqual([])
  })
})

describe('With a return of a payment that was reported as declined', () => {
  const unpaid = sale({ status: 'declined', observed: { ...paid, status: 'declined' }, holdsKey: false })
  const done = moved(refund(), 'FINAL', { status: 'approved', observed: returned })

  test('the payment is reported first, if it was shown as approved before the return, and counts as paid from then on', async () => {
    const { told, others } = await beside(refund(), done, [refund(), unpaid])
    expect(told).toMatchObject([{ kind: 'notice', intentId: 'sale', status: 'approved', amount: '1042', kept: '1042' }])
    expect(others).toMatchObject([{ status: 'approved', observed: returned, holdsKey: false }])
  })

  test('the payment stays declined, if it was shown as such before the return as well', async () => {
    const before = { ...paid, status: 'declined' } as const
    const { told, others } = await beside(refund({ before }), { ...done, before }, [unpaid])
    expect([told, others[0]?.status]).toEqual([[], 'declined'])
  })
})

describe('With a return that was refused', () => {
  const refused = refund({ state: 'REJECTED', nextCheckAt: 1 })
  const confirmed = (observed: Intent['observed']) => kept(refused, { observed, nextCheckAt: undefined })

  test('its payment stays as it is, if nothing has happened to it', async () => {
    expect(await beside(refused, confirmed(paid), [sale()])).toEqual({ told: [], others: [] })
  })

  test('the change that caused the refusal is reported', async () => {
    const { told, others } = await beside(refused, confirmed(chargedBack), [sale()])
    expect(told).toMatchObject([{ kind: 'notice', transactionType: 'chargeback', amount: '500' }])
    expect(others).toMatchObject([{ intentId: 'sale', observed: chargedBack, lookedAt: NOW }])
  })
})

test('With a return without any answer that an operator ends, nothing is reported', async () => {
  const silent = refund({ state: 'REVIEW', reviewReason: 'TOO_OLD' })
  const ended = moved(silent, 'PRESUMED_ABSENT', { nextCheckAt: NOW })
  expect(await beside(silent, ended, [silent, sale()])).toEqual({ told: [], others: [] })
})

test('With a payment that ends, no other payment under its id is written', async () => {
  const open = sale({ intentId: '2', state: 'ACCEPTED', observed: undefined })
  expect((await beside(open, moved(open, 'FINAL', { observed: returned }), [sale()])).others).toEqual([])
})
