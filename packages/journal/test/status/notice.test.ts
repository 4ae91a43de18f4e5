import type { Intent } from '@tallystick/client/ports'
import type { ReplyValues } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { isPaid } from '../../src/intents/states.ts'
import { decideStatus } from '../../src/status/decide.ts'
import type { StatusResult } from '../../src/status/status-result.ts'
import { intentWith } from '../intents.ts'
import { circumstances, foundSale, lostReturn } from './looks.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const at = (now: number, modifications: readonly Intent[] = []) => circumstances(now, { modifications })
const sale = (changes: Partial<Intent> = {}) =>
  intentWith({
    state: 'FINAL',
    status: 'approved',
    orderId: '1',
    sentAt: 0,
    observed: { status: 'approved', transactionType: 'sale', amount: '1042' },
    ...changes,
  })
const found = (changes: Partial<ReplyValues<'status'>> = {}) =>
  foundSale({ transactionType: 'chargeback', amount: '5.42', ...changes })
const silent: StatusResult = { kind: 'silent', seen: 'nothing' }
const reversing = { status: 'processing', transactionType: 'reversal', amount: '1042' }
const isReversing = found({ status: 'processing', transactionType: 'reversal', amount: '10.42' })

/** The times of the status checks that follow, if each has the same result. */
function looksAt(
  intent: Intent,
  look: StatusResult,
  from: number,
  modifications: readonly Intent[] = [],
): readonly number[] {
  const times: number[] = []
  let next = decideStatus(intent, look, at(from, modifications)).intent
  while (next.nextCheckAt !== undefined && times.length < 10_000) {
    times.push(next.nextCheckAt)
    next = decideStatus(next, look, at(next.nextCheckAt, modifications)).intent
  }
  return times
}

describe('What happens to a payment that is final', () => {
  test('is reported, with the amount taken away', () => {
    const { intent, outcomes } = decideStatus(sale({ nextCheckAt: 1 }), found(), at(1))
    expect(outcomes).toEqual([
      {
        kind: 'notice',
        intentId: 'intent-1',
        businessKey: 'invoice 77',
        operation: 'sale',
        clientOrderId: 'order-a',
        orderId: '1',
        status: 'approved',
        transactionType: 'chargeback',
        amount: '500',
        currency: 'USD',
        kept: '542',
      },
    ])
    expect(intent).toMatchObject({ nextCheckAt: undefined, lookedAt: 1, observed: { amount: '542' } })
    expect(intent.evidence).toMatchObject([{ at: 1, seen: 'chargeback approved' }])
    expect(decideStatus(intent, found(), at(2)).outcomes).toEqual([])
  })

  test('is not reported if the status is as before: what it shows now is stored, and checks end', () => {
    const { intent, outcomes } = decideStatus(sale({ nextCheckAt: 1 }), foundSale(), at(1))
    expect(outcomes).toEqual([])
    expect(intent).toMatchObject({ lookedAt: 1, nextCheckAt: undefined, observed: { initialAmount: '1042' } })
  })

  test('is reported with what was won back, if more is kept than before', () => {
    const chargedBack = { status: 'approved', transactionType: 'chargeback', amount: '542' }
    const { outcomes } = decideStatus(sale({ observed: chargedBack }), foundSale(), at(1))
    expect(outcomes).toMatchObject([{ kind: 'notice', transactionType: 'sale', amount: '500', kept: '1042' }])
  })

  test('is reported without an amount, if the status names none', () => {
    const { outcomes } = decideStatus(sale(), found({ amount: undefined }), at(1))
    expect(outcomes).toMatchObject([{ kind: 'notice', amount: undefined, kept: undefined }])
  })

  test('is reported for a payment whose order id the gateway never named', () => {
    expect(decideStatus(sale({ orderId: undefined }), found(), at(1)).outcomes).toHaveLength(1)
  })

  test('is reported in the currency shown, even if an operator took that instead of the one asked for', () => {
    const inEuro = { status: 'approved', transactionType: 'sale', amount: '1042', currency: 'EUR' }
    const { outcomes } = decideStatus(sale({ observed: inEuro }), found({ currency: 'EUR' }), at(1))
    expect(outcomes).toMatchObject([{ kind: 'notice', amount: '500', currency: 'EUR' }])
  })

  test('is not reported for another order under the same client order id', () => {
    const { intent, outcomes } = decideStatus(sale({ nextCheckAt: 1 }), found({ orderId: '2' }), at(1))
    expect([intent.observed, outcomes]).toEqual([sale().observed, []])
  })

  test('is checked while it is under way, even if it already was when the payment was first seen', () => {
    const { intent: first, outcomes: told } = decideStatus(
      sale({ state: 'ACCEPTED', status: undefined, observed: undefined }),
      isReversing,
      at(HOUR),
    )
    expect(told).toMatchObject([{ kind: 'outcome', amount: '1042' }])
    const second = decideStatus(first, isReversing, at(2 * HOUR)).intent
    expect([first.state, first.nextCheckAt, second.nextCheckAt]).toEqual(['FINAL', 2 * HOUR, 3 * HOUR])
    const { outcomes } = decideStatus(second, found({ transactionType: 'reversal', amount: '0.00' }), at(3 * HOUR))
    expect(outcomes).toMatchObject([{ kind: 'notice', transactionType: 'reversal', amount: '1042', kept: '0' }])
  })

  test.each([
    ['goes on', isReversing],
    ['is not answered', silent],
  ])('is checked by the schedule for thirty days, while it %s', (_what, look) => {
    const times = looksAt(sale({ observed: reversing }), look, HOUR)
    expect(times.slice(0, 2)).toEqual([2 * HOUR, 3 * HOUR])
    expect(times.at(-1)).toBe(30 * DAY)
    expect(times).toHaveLength(23 + 29)
  })

  test('is checked by the schedule counted from the last callback', () => {
    const [first, second] = looksAt(sale({ wokenAt: 10 * DAY }), silent, 10 * DAY)
    expect([first, second]).toEqual([10 * DAY + 2000, 10 * DAY + 5000])
    expect(decideStatus(sale({ wokenAt: 10 * DAY }), silent, at(10 * DAY)).intent.lookedAt).toBe(10 * DAY)
  })

  test('is checked until a modification of the order is decided', () => {
    const refund = intentWith({ kind: 'modification', operation: 'return', state: 'REVIEW', holdsOrder: true })
    const waiting = sale({ wokenAt: 0 })
    expect(decideStatus(waiting, found(), at(90 * DAY, [refund]))).toMatchObject({
      intent: { nextCheckAt: 91 * DAY },
      outcomes: [],
    })
    expect(
      decideStatus(waiting, found(), at(91 * DAY, [{ ...refund, state: 'PRESUMED_ABSENT', holdsOrder: false }]))
        .outcomes,
    ).toHaveLength(1)
  })

  test.each([
    ['PREPARED', true],
    ['NOT_SENT', true],
    ['REJECTED', false],
  ] as const)(
    'is reported, and checked no longer than usual, beside a return that changed nothing: %s',
    (state, holdsOrder) => {
      const refund = intentWith({ kind: 'modification', operation: 'return', state, holdsOrder })
      const waiting = sale({ wokenAt: 0 })
      expect(decideStatus(waiting, found(), at(1, [refund])).outcomes).toMatchObject([
        { kind: 'notice', amount: '500' },
      ])
      expect(decideStatus(waiting, silent, at(30 * DAY, [refund])).intent.nextCheckAt).toBeUndefined()
    },
  )

  describe('if it was reported as unpaid and is shown as approved after all', () => {
    const observed = { status: 'declined', transactionType: 'sale', amount: '1042' } as const
    const unpaid = (changes: Partial<Intent> = {}) =>
      sale({ status: 'declined', observed, holdsKey: false, ...changes })

    test.each(['declined', 'filtered', 'error'] as const)('is reported with its whole amount: it was %s', (status) => {
      const declined = unpaid({ status, observed: { ...observed, status }, nextCheckAt: 1 })
      const { intent, outcomes } = decideStatus(declined, foundSale(), at(1))
      expect(outcomes).toMatchObject([
        {
          kind: 'notice',
          intentId: 'intent-1',
          status: 'approved',
          transactionType: 'sale',
          amount: '1042',
          kept: '1042',
        },
      ])
      expect(intent).toMatchObject({ state: 'FINAL', status: 'approved', holdsKey: false, lookedAt: 1 })
      expect([isPaid(intent), intent.nextCheckAt, intent.evidence.at(-1)?.seen]).toEqual([
        true,
        undefined,
        'sale approved',
      ])
      expect(decideStatus(intent, foundSale(), at(2)).outcomes).toEqual([])
    })

    test('is reported before what has happened to it since', () => {
      const { intent, outcomes } = decideStatus(unpaid(), found(), at(1))
      expect(outcomes).toMatchObject([
        { kind: 'notice', status: 'approved', amount: '1042', kept: '1042' },
        { kind: 'notice', status: 'approved', transactionType: 'chargeback', amount: '500', kept: '542' },
      ])
      expect(outcomes[0]?.transactionType).toBeUndefined()
      expect(intent).toMatchObject({ status: 'approved', observed: { amount: '542' } })
    })

    test('does not count as paid if it was fully refunded by then', () => {
      const { intent } = decideStatus(unpaid(), found({ transactionType: 'reversal', amount: '0.00' }), at(1))
      expect([intent.status, isPaid(intent)]).toEqual(['approved', false])
    })

    test.each([
      ['another failure', foundSale({ status: 'error' })],
      ['a return that was declined', foundSale({ transactionType: 'reversal', status: 'declined' })],
    ])('stays unpaid if the status shows %s', (_what, look) => {
      const { intent, outcomes } = decideStatus(unpaid(), look, at(1))
      expect(intent.status).toBe('declined')
      expect(outcomes).toMatchObject([{ kind: 'notice', amount: '0' }])
    })

    test('is reported for a payout that was paid after its check had expired', () => {
      const expired = { status: 'declined', transactionType: 'payout', amount: '0' } as const
      const checked = unpaid({ operation: 'payoutCheck', status: 'checked', observed: expired })
      const { intent, outcomes } = decideStatus(checked, found({ transactionType: 'payout', amount: '10.42' }), at(1))
      expect(outcomes).toMatchObject([{ kind: 'notice', status: 'approved', amount: '1042' }])
      expect(intent.status).toBe('approved')
    })
  })

  describe('beside a return that was presumed absent', () => {
    const reversal = found({ transactionType: 'reversal', amount: '7.42' })
    const shown = {
      status: 'approved',
      transactionType: 'reversal',
      amount: '742',
      initialAmount: '1042',
      currency: 'USD',
    }
    const absent = (changes: Partial<Intent> = {}) =>
      lostReturn({ state: 'PRESUMED_ABSENT', holdsOrder: false, nextCheckAt: 5, ...changes })
    const toldBeside = (refund: Intent, look = reversal) =>
      decideStatus(sale({ wokenAt: 0 }), look, at(1, [refund])).outcomes

    test('is left to that return, which may have made it, and checked until it is reported', () => {
      const { intent, outcomes } = decideStatus(sale({ wokenAt: 0 }), reversal, at(1, [absent()]))
      expect([outcomes, intent.nextCheckAt, intent.observed?.amount]).toEqual([[], 2001, '1042'])
    })

    test.each([
      ['is presumed absent', absent()],
      ['is in review', absent({ state: 'REVIEW' })],
      ['is asked again', absent({ state: 'UNKNOWN' })],
    ])(
      'is not reported if another amount is shown and the return %s: an operator may take it for the return',
      (_what, refund) => {
        const otherAmount = found({ transactionType: 'reversal', amount: '5.42' })
        const { intent, outcomes } = decideStatus(sale({ wokenAt: 0 }), otherAmount, at(1, [refund]))
        expect([outcomes, intent.nextCheckAt]).toEqual([[], 2001])
      },
    )

    test.each([
      ['the status shows a chargeback', absent(), found({ amount: '7.42' })],
      ['the return is no longer watched', absent({ nextCheckAt: undefined }), reversal],
      ['the return has ended as approved itself', absent({ state: 'FINAL', status: 'approved' }), reversal],
      [
        'an operator judged the return before',
        absent({ reviewReason: 'CHANGED_OTHERWISE', observed: shown }),
        reversal,
      ],
    ])('is reported if %s', (_what, refund, look) => {
      expect(toldBeside(refund, look)).toHaveLength(1)
    })
  })

  test.each(['payout_checked', 'PAYOUT_CHECKED'])(
    '[G5-05] is not asked again if a payout was only checked: %s',
    (orderStage) => {
      const stage = { status: 'processing', transactionType: 'payout', orderStage }
      const checked = sale({ operation: 'payoutCheck', status: 'checked', observed: { ...stage, amount: '1042' } })
      expect(decideStatus(checked, found({ ...stage, amount: '10.42' }), at(1)).intent.nextCheckAt).toBeUndefined()
    },
  )
})
