import type { Intent } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { decideStatus } from '../../src/status/decide.ts'
import type { StatusResult } from '../../src/status/status-result.ts'
import { intentWith } from '../intents.ts'
import { circumstances as at, foundSale as found, lostReturn } from './looks.ts'

const MINUTE = 60_000
const unknown = (changes: Partial<Intent> = {}) => intentWith({ state: 'UNKNOWN', sentAt: 0, ...changes })
const absent: StatusResult = { kind: 'absent', seen: 'There is no order' }

describe('A payment is presumed absent', () => {
  // After the deadline of 70 s and 15 min: later than 970 s.
  const ripe = unknown({ absences: 2, firstAbsenceAt: 60_000 })
  const decide = (intent: Intent, now: number, lastAnswerAt?: number) =>
    decideStatus(intent, absent, at(now, { lastAnswerAt })).intent.state

  test('at the third answer, spread over 15 minutes, after the quarantine, with proof from those 15 minutes', () => {
    expect(decide(ripe, 970_001, 60_000)).toBe('PRESUMED_ABSENT')
    expect(decide({ ...ripe, firstAbsenceAt: 70_001 }, 970_001, 70_001)).toBe('PRESUMED_ABSENT')
  })

  test('with its count of absences, and watched by the schedule from then on', () => {
    const presumed = decideStatus(ripe, absent, at(970_001, { lastAnswerAt: 60_000 })).intent
    expect(presumed).toMatchObject({
      absences: 3,
      firstAbsenceAt: 60_000,
      lookedAt: 970_001,
      nextCheckAt: 970_001 + 5 * MINUTE,
    })
    expect(presumed.evidence.at(-1)).toMatchObject({ at: 970_001, seen: 'There is no order' })
    const again = decideStatus(presumed, absent, at(1_270_001, { lastAnswerAt: 60_000 }))
    expect(again).toMatchObject({ intent: { state: 'PRESUMED_ABSENT', lookedAt: 1_270_001 }, events: [] })
  })

  test.each([
    ['the second answer', { ...ripe, absences: 1 }, 970_001, 60_000],
    ['within the quarantine', ripe, 970_000, 60_000],
    ['answers spread over less than 15 minutes', { ...ripe, firstAbsenceAt: 70_002 }, 970_001, 970_000],
    ['no proof', ripe, 970_001, undefined],
    ['proof from before the first answer', ripe, 970_001, 59_999],
    ['an order that was acknowledged', { ...ripe, state: 'ACCEPTED' as const }, 970_001, 60_000],
    ['an order that was named, and for which an operator chose ask-again', { ...ripe, orderId: '1' }, 970_001, 60_000],
  ])('not at %s', (_what, intent, now, lastAnswerAt) => {
    expect(decide(intent, now, lastAnswerAt)).not.toBe('PRESUMED_ABSENT')
  })

  test.each([{ state: 'ACCEPTED' }, { orderId: '1' }] as const)(
    'and is not counted as absent if it has %j',
    (changes) => {
      expect(decideStatus({ ...ripe, ...changes }, absent, at(970_001)).intent.absences).toBe(2)
    },
  )

  describe('by planned waits alone', () => {
    // The first three answers were spread over 5 minutes, and the next check was planned shortly before the 15 minutes ended.
    const [first, third, planned] = [60_000, 360_000, 950_000]
    const counted = unknown({ absences: 3, firstAbsenceAt: first, lookedAt: third, nextCheckAt: planned })

    test('at the status check that was planned for the end of the 15 minutes', () => {
      expect(decide({ ...counted, nextCheckAt: 970_001 }, 970_001, first)).toBe('PRESUMED_ABSENT')
    })

    test.each([
      ['the clock was set forward by an hour', counted, planned + 3_600_000],
      ['the journal was down for a day', counted, planned + 86_400_000],
      ['the clock was set back', counted, third - 1],
      ['its status was checked without being planned', { ...counted, nextCheckAt: undefined }, 7_200_000],
    ])('not when %s', (_what, intent, now) => {
      expect(decide(intent, now, now)).toBe('UNKNOWN')
    })

    test('nor at a late status check after an unanswered one', () => {
      const silent: StatusResult = { kind: 'silent', seen: 'nothing' }
      const late = decideStatus({ ...counted, nextCheckAt: 600_000 }, silent, at(600_000 + 20 * MINUTE)).intent
      const { nextCheckAt = 0 } = late
      expect(decide(late, nextCheckAt, nextCheckAt)).toBe('UNKNOWN')
    })
  })

  describe('after the clock was set back by an hour', () => {
    const HOUR = 60 * MINUTE
    const look = (intent: Intent, now: number, lastAnswerAt?: number) =>
      decideStatus(intent, absent, at(now, { lastAnswerAt })).intent

    test('not by an older answer: the first absence counts only once the clock has passed the time of that answer', () => {
      const first = unknown()
      const uncounted = look(first, 10_000, 10_001)
      expect(uncounted).toMatchObject({ absences: 0, nextCheckAt: 15_000 })
      expect(uncounted.firstAbsenceAt).toBeUndefined()
      const counted = look(first, 10_000, 10_000)
      expect(counted).toMatchObject({ absences: 1, firstAbsenceAt: 10_000 })
      expect(look(counted, 15_000, 16_000)).toMatchObject({ absences: 2, firstAbsenceAt: 10_000 })
    })

    test('but a refusal is confirmed all the same', () => {
      const refused = unknown({ state: 'REJECTED', rejection: 'no', nextCheckAt: 10_000 })
      expect(look(refused, 10_000, HOUR)).toMatchObject({ state: 'REJECTED', nextCheckAt: undefined })
    })

    test('what was counted before does not count, and the quarantine and the schedule start over', () => {
      const before = unknown({ absences: 2, sentAt: HOUR, firstAbsenceAt: HOUR + 2000, lookedAt: HOUR + 5000 })
      const anew = look(before, 10_000)
      expect(anew).toMatchObject({ absences: 1, firstAbsenceAt: 10_000, sentAt: 10_000, nextCheckAt: 12_000 })
      const ripeAgain = { ...anew, absences: 2, nextCheckAt: 980_000 }
      expect(look(ripeAgain, 980_000, 980_000).state).toBe('UNKNOWN')
      expect(look({ ...ripeAgain, nextCheckAt: 980_001 }, 980_001, 980_001).state).toBe('PRESUMED_ABSENT')
    })

    test('times from a clock that is three seconds ahead stay as they are', () => {
      const stands = unknown({ absences: 2, sentAt: 12_000, firstAbsenceAt: 13_000 })
      expect(look(stands, 10_000)).toMatchObject({ absences: 3, firstAbsenceAt: 13_000, sentAt: 12_000 })
      expect(look({ ...stands, sentAt: 13_001 }, 10_000).sentAt).toBe(10_000)
    })
  })

  test('not without answers, however long: after thirty days it goes to review', () => {
    const silent: StatusResult = { kind: 'silent', seen: 'nothing' }
    expect(decideStatus(ripe, silent, at(29 * 24 * 60 * MINUTE)).intent).toMatchObject({
      state: 'UNKNOWN',
      absences: 2,
    })
    expect(decideStatus(ripe, silent, at(30 * 24 * 60 * MINUTE))).toMatchObject({
      intent: { state: 'REVIEW', reviewReason: 'TOO_OLD' },
      events: ['REVIEW'],
    })
  })

  test('nor sent to review before thirty days from when it was sent, even if it was written long before', () => {
    const sentAt = 40 * 24 * 60 * MINUTE
    const { intent } = decideStatus(unknown({ sentAt }), { kind: 'silent', seen: 'nothing' }, at(sentAt + 1))
    expect(intent).toMatchObject({ state: 'UNKNOWN', lookedAt: sentAt + 1, nextCheckAt: sentAt + 1 + 2000 })
    expect(intent.evidence).toMatchObject([{ at: sentAt + 1, seen: 'nothing' }])
  })
})

describe('A payment is final', () => {
  test.each(['approved', 'declined', 'filtered', 'error'])('when the signed status is %s', (status) => {
    const counted = unknown({ absences: 2, firstAbsenceAt: 0, nextCheckAt: 1 })
    const { intent, outcomes } = decideStatus(counted, found({ status }), at(1))
    expect(intent).toMatchObject({ state: 'FINAL', status, orderId: '1', lookedAt: 1, absences: 0 })
    expect([intent.nextCheckAt, intent.firstAbsenceAt]).toEqual([undefined, undefined])
    expect(intent.evidence).toMatchObject([{ at: 1, seen: `status ${status}` }])
    expect(outcomes).toEqual([
      {
        kind: 'outcome',
        intentId: 'intent-1',
        businessKey: 'invoice 77',
        operation: 'sale',
        clientOrderId: 'order-a',
        orderId: '1',
        status,
        transactionType: 'sale',
        amount: '1042',
        currency: 'USD',
        kept: '1042',
      },
    ])
  })

  test.each(['processing', 'unknown', 'frozen'])('not when it is %s', (status) => {
    const counted = unknown({ absences: 2, firstAbsenceAt: 0, rejection: 'no' })
    const { intent, outcomes } = decideStatus(counted, found({ status }), at(1))
    expect(outcomes).toEqual([])
    expect(intent).toMatchObject({ state: 'ACCEPTED', orderId: '1', lookedAt: 1, nextCheckAt: 2001, absences: 0 })
    expect([intent.firstAbsenceAt, intent.rejection, intent.observed?.status]).toEqual([undefined, undefined, status])
  })

  test('not while it is processing: after thirty days it goes to review, with its order id', () => {
    const month = 30 * 24 * 60 * MINUTE
    const { intent } = decideStatus(unknown(), found({ status: 'processing' }), at(month))
    expect(intent).toMatchObject({ state: 'REVIEW', reviewReason: 'TOO_OLD', orderId: '1', lookedAt: month })
    expect([intent.observed?.status, intent.nextCheckAt]).toEqual(['processing', undefined])
  })

  test.each([
    ['another order', { orderId: '2' }, 'ORDER_DIFFERS'],
    ['no order', { orderId: undefined }, 'ORDER_DIFFERS'],
    ['another amount', { initialAmount: '1.42' }, 'AMOUNT_DIFFERS'],
    ['an amount that is no number', { initialAmount: 'much' }, 'AMOUNT_DIFFERS'],
    ['another currency', { currency: 'EUR' }, 'AMOUNT_DIFFERS'],
    ['another amount, without an initial one', { initialAmount: undefined, amount: '1.42' }, 'AMOUNT_DIFFERS'],
  ] as const)('not by the status of %s: it goes to review', (_what, changes, reviewReason) => {
    const decision = decideStatus(unknown({ orderId: '1', nextCheckAt: 1 }), found(changes), at(1))
    expect(decision).toMatchObject({ intent: { state: 'REVIEW', reviewReason }, outcomes: [], events: ['REVIEW'] })
    expect([decision.intent.lookedAt, decision.intent.nextCheckAt]).toEqual([1, undefined])
  })

  test('not by a status without an order id, even if none is known yet', () => {
    const { intent } = decideStatus(unknown(), found({ orderId: undefined }), at(1))
    expect(intent).toMatchObject({ state: 'REVIEW', reviewReason: 'ORDER_DIFFERS' })
  })

  test('by a status without the client order id only if the order id is known', () => {
    const nameless = found({ clientOrderId: undefined })
    expect(decideStatus(unknown({ orderId: '1' }), nameless, at(1)).intent).toMatchObject({ state: 'FINAL' })
    const { intent, events } = decideStatus(unknown(), nameless, at(1))
    expect(intent).toMatchObject({ state: 'REVIEW', reviewReason: 'ORDER_DIFFERS' })
    expect(intent.evidence.at(-1)?.seen).toContain('status approved of order 1, which names no client order id')
    expect(events).toEqual(['REVIEW'])
  })

  test.each([
    ['its initial amount', {}, 'AMOUNT_DIFFERS: status approved of 10.42 USD'],
    ['its amount', { initialAmount: undefined, amount: '12.00' }, 'AMOUNT_DIFFERS: status approved of 12.00 USD'],
    ['no currency', { currency: undefined }, 'AMOUNT_DIFFERS: status approved of 10.42'],
  ])('not by another amount, and the evidence says which: %s', (_what, changes, seen) => {
    const { evidence } = decideStatus(unknown({ amounts: ['1'] }), found(changes), at(1)).intent
    expect(evidence).toMatchObject([{ at: 1, seen: `${seen}; asked for: 0.01 USD` }])
  })

  test('whatever its amount, if the request named none: an account verification', () => {
    const verification = unknown({ operation: 'accountVerification', amounts: [], currency: undefined })
    expect(decideStatus(verification, found({ initialAmount: '0.00' }), at(1)).intent.state).toBe('FINAL')
  })

  test('with the decimals of the currency asked for, if the status names no currency', () => {
    const yen = unknown({ amounts: ['1042'], currency: 'JPY' })
    const status = { initialAmount: '1042', amount: '1042', currency: undefined }
    expect(decideStatus(yen, found(status), at(1, { exponents: 'iso-4217' })).intent.state).toBe('FINAL')
  })

  test.each([
    [{}, '10.42 USD'],
    [{ amounts: ['5000', '1042'] }, '50.00 or 10.42 USD'],
    [{ amounts: ['1042'], currency: 'JPY' }, '1042 JPY'],
  ] as const)('not by another amount: the operator sees it beside the amount asked for', (asked, told) => {
    const intent = unknown({ orderId: '1', ...asked })
    const decision = decideStatus(
      intent,
      found({ initialAmount: '1.41', amount: '1.41', currency: 'USD' }),
      at(1, { exponents: 'iso-4217' }),
    )
    expect(decision.intent.evidence.at(-1)?.seen).toBe(
      `AMOUNT_DIFFERS: status approved of 1.41 USD; asked for: ${told}`,
    )
  })

  test.each(['1.00', '0.00', '104.20'])(
    'not if %s was taken instead of the amount asked for: it goes to review',
    (amount) => {
      const { intent } = decideStatus(unknown({ orderId: '1' }), found({ amount }), at(1))
      expect(intent).toMatchObject({ state: 'REVIEW', reviewReason: 'AMOUNT_DIFFERS' })
      expect(intent.evidence.at(-1)?.seen).toContain(`10.42 (now ${amount}) USD`)
    },
  )

  test.each([
    ['was refunded in part since', { transactionType: 'reversal', amount: '1.00' }],
    ['was declined', { status: 'declined', amount: '0.00' }],
  ])('with another amount than was asked for if it %s', (_what, changes) => {
    expect(decideStatus(unknown({ orderId: '1' }), found(changes), at(1)).intent.state).toBe('FINAL')
  })

  test('not when a request by both ids is answered with another order: it goes to review', () => {
    const decision = decideStatus(unknown({ orderId: '1' }), { kind: 'other', orderId: '2' }, at(1))
    expect(decision).toMatchObject({ intent: { state: 'REVIEW', reviewReason: 'ORDER_DIFFERS' }, events: ['REVIEW'] })
    expect(decision.intent.evidence).toMatchObject([{ seen: 'ORDER_DIFFERS: order 2; asked for: 10.42 USD' }])
  })

  test('with one of the amounts that were offered, or if the status names none', () => {
    const offered = unknown({ amounts: ['5000', '1042'] })
    expect(decideStatus(offered, found(), at(1)).intent.state).toBe('FINAL')
    const silent = { initialAmount: undefined, amount: undefined, currency: undefined }
    expect(decideStatus(unknown(), found(silent), at(1))).toMatchObject({
      intent: { state: 'FINAL' },
      outcomes: [{ amount: '1042', currency: 'USD', kept: undefined }],
    })
  })

  test('as approved, when the status shows a later change', () => {
    const { intent, outcomes } = decideStatus(unknown(), found({ transactionType: 'reversal', amount: '3.00' }), at(1))
    expect(intent).toMatchObject({ state: 'FINAL', status: 'approved' })
    expect(outcomes).toMatchObject([
      { kind: 'outcome', status: 'approved', amount: '1042' },
      { kind: 'notice', transactionType: 'reversal', amount: '742', kept: '300' },
    ])
    const captured = found({ transactionType: 'capture', initialAmount: undefined })
    expect(decideStatus(unknown(), captured, at(1)).outcomes[0]).toMatchObject({ status: 'approved', amount: '1042' })
  })

  describe('with a chargeback that came before the first status check', () => {
    const chargedBack = found({ transactionType: 'chargeback', amount: '5.42' })
    const before = { status: 'approved', transactionType: 'sale', amount: '1042' }
    const refund = (changes: Partial<Intent>) => lostReturn({ amounts: [], before, holdsOrder: false, ...changes })
    const decide = (intent: Intent, modification: Intent, look = chargedBack) =>
      decideStatus(intent, look, at(1, { modifications: [modification] }))
    const told = (modification: Intent, look = chargedBack) =>
      decide(unknown(), modification, look).outcomes.map(({ kind }) => kind)

    test.each([
      ['a void that was refused', refund({ operation: 'void', state: 'REJECTED' })],
      ['a return that was never sent', refund({ state: 'PREPARED' })],
      ['a return without a snapshot of the order', refund({ before: undefined })],
      ['a return of an order that was not paid yet', refund({ before: { status: 'processing' } })],
    ])('reports it in spite of %s', (_what, modification) => {
      expect(told(modification)).toEqual(['outcome', 'notice'])
    })

    test.each([
      ['is under way', refund({ holdsOrder: true }), ['outcome']],
      ['made it', refund({ state: 'FINAL', status: 'approved' }), ['outcome']],
      ['was refused', refund({ state: 'REJECTED' }), ['outcome', 'notice']],
    ])('leaves a reversal to the return that %s', (_what, modification, expected) => {
      expect(told(modification, found({ transactionType: 'reversal', amount: '5.42' }))).toEqual(expected)
    })

    // The gateway has let the order leave its final status.
    const declined = { ...before, status: 'declined' }
    const part = (changes: Partial<Intent>) => refund({ amounts: ['500'], before: declined, ...changes })

    test.each([
      ['that made it', part({ state: 'FINAL', status: 'approved' }), ['outcome']],
      ['that may have made it', part({}), ['outcome']],
      ['unless it was declined', part({ state: 'FINAL', status: 'declined' }), ['outcome', 'notice']],
      ['unless it was refused', part({ state: 'REJECTED', holdsOrder: false }), ['outcome', 'notice']],
      ['unless it was not sent', part({ state: 'PREPARED' }), ['outcome', 'notice']],
      ['unless it is of another amount', part({ amounts: ['300'] }), ['outcome', 'notice']],
    ])('leaves a reversal of an order that was declined at first to the return %s', (_what, modification, expected) => {
      expect(told(modification, found({ transactionType: 'reversal', amount: '5.42' }))).toEqual(expected)
    })

    test.each([
      [
        'was made',
        refund({ state: 'FINAL', status: 'approved', observed: { ...before, amount: '742' } }),
        '742',
        '200',
      ],
      ['was declined', refund({ state: 'FINAL', status: 'declined', observed: before }), '1042', '500'],
    ])(
      'reports it at the next status check, beside a return that %s meanwhile',
      (_what, modification, kept, amount) => {
        const { intent, outcomes } = decide(unknown(), modification)
        expect(outcomes).toMatchObject([{ kind: 'outcome', amount: '1042', kept: '1042' }])
        expect(intent).toMatchObject({ state: 'FINAL', nextCheckAt: 1, observed: { amount: kept } })
        expect(decide(intent, modification).outcomes).toMatchObject([{ kind: 'notice', amount, kept: '542' }])
      },
    )

    test('reports it at the next status check, beside a return that followed one made too early', () => {
      const early = refund({ before: { status: 'processing' }, state: 'PRESUMED_ABSENT' })
      const made = refund({ state: 'FINAL', status: 'approved', observed: { ...before, amount: '742' } })
      expect(decideStatus(unknown(), chargedBack, at(1, { modifications: [early, made] }))).toMatchObject({
        intent: { nextCheckAt: 1, observed: { amount: '742' } },
        outcomes: [{ kind: 'outcome', amount: '1042', kept: '1042' }],
      })
    })

    test('reports it once a return that is under way has ended', () => {
      const underWay = refund({ holdsOrder: true })
      const { intent, outcomes } = decide(unknown(), underWay)
      expect(outcomes).toMatchObject([{ kind: 'outcome', amount: '1042', kept: '1042' }])
      expect(intent).toMatchObject({ state: 'FINAL', nextCheckAt: 1, observed: before })
      expect(decide(intent, underWay).outcomes).toEqual([])
    })

    test('reports what a clerk refunded before the first return, and between two', () => {
      const reversed = (amount: string) => ({ ...before, transactionType: 'reversal', amount })
      const made = { state: 'FINAL', status: 'approved' } as const
      const modifications = [
        refund({ state: 'PREPARED' }),
        refund({ ...made, before: reversed('1000'), observed: reversed('900') }),
        refund({ ...made, before: reversed('850'), observed: reversed('800') }),
      ]
      const { intent, outcomes } = decideStatus(unknown(), chargedBack, at(1, { modifications }))
      expect(outcomes).toMatchObject([
        { kind: 'outcome', amount: '1042', kept: '1042' },
        { kind: 'notice', amount: '42', kept: '1000' },
        { kind: 'notice', amount: '50', kept: '850' },
      ])
      expect(intent.observed).toEqual(reversed('800'))
    })

    test('reports it in spite of a return of another order under the same id', () => {
      const declined = found({ status: 'declined' })
      const ofAnother = refund({ orderId: '2', holdsOrder: true })
      expect(decide(unknown(), ofAnother, declined).outcomes).toMatchObject([{ status: 'declined' }])
      expect(told(ofAnother)).toEqual(['outcome', 'notice'])
    })

    test('is reported as checked, if the payout was paid before that was seen', () => {
      const stage = { status: 'processing', transactionType: 'payout', orderStage: 'payout_checked', amount: '0' }
      const paid = { status: 'approved', transactionType: 'payout', amount: '1042' }
      const pay = refund({ operation: 'payoutPay', state: 'FINAL', status: 'approved', before: stage, observed: paid })
      const look = found({ transactionType: 'payout', amount: '10.42' })
      const { intent } = decide(unknown({ operation: 'payoutCheck' }), pay, look)
      expect(intent).toMatchObject({ status: 'checked', observed: paid, holdsKey: true })
    })
  })

  test('with the one of several offered amounts that the status names, if the order has changed since', () => {
    const offered = unknown({ operation: 'makeRebill', amounts: ['1000', '500'] })
    const reversed = { transactionType: 'reversal', amount: '3.00' }
    const outcomesOf = (look: StatusResult) => decideStatus(offered, look, at(1)).outcomes
    expect(outcomesOf(found({ ...reversed, initialAmount: '5.00' }))).toMatchObject([
      { kind: 'outcome', amount: '500', kept: '500' },
      { kind: 'notice', amount: '200', kept: '300' },
    ])
    const unnamed = outcomesOf(found({ ...reversed, initialAmount: undefined, amount: '5.00' }))
    expect(unnamed.map(({ amount }) => amount)).toEqual([undefined, undefined])
  })

  test.each(['payout_checked', 'PAYOUT_CHECKED'])(
    '[G5-05] of a payout that was only checked, when it is at the stage %s, and not before',
    (orderStage) => {
      const checking = unknown({ operation: 'payoutCheck' })
      const checked = found({ status: 'processing', orderStage, transactionType: 'payout' })
      expect(decideStatus(checking, checked, at(1)).intent).toMatchObject({ state: 'FINAL', status: 'checked' })
      const earlier = found({ status: 'processing', transactionType: 'payout' })
      expect(decideStatus(checking, earlier, at(1)).intent.state).toBe('ACCEPTED')
      expect(decideStatus(unknown({ operation: 'payout' }), checked, at(1)).intent.state).toBe('ACCEPTED')
    },
  )
})

describe('A refusal', () => {
  const refused = unknown({ state: 'REJECTED', nextCheckAt: 0, rejection: 'no' })

  test('counts once the status knows no such order', () => {
    const { intent } = decideStatus(refused, absent, at(1))
    expect([intent.state, intent.nextCheckAt, intent.holdsKey]).toEqual(['REJECTED', undefined, false])
    expect([intent.lookedAt, intent.evidence.at(-1)?.seen]).toEqual([1, 'There is no order'])
  })

  test('is refuted by a status that shows the order', () => {
    const { state, rejection } = decideStatus(refused, found(), at(1)).intent
    expect([state, rejection]).toEqual(['FINAL', undefined])
  })

  test('is still to be confirmed if the status is not answered', () => {
    const { intent } = decideStatus(refused, { kind: 'silent', seen: 'nothing' }, at(1))
    expect([intent.state, intent.nextCheckAt !== undefined, intent.holdsKey]).toEqual(['REJECTED', true, true])
  })
})
