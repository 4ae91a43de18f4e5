import type { Intent, Observation } from '@tallystick/client/ports'
import type { ReplyValues } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { decideStatus } from '../../src/status/decide.ts'
import type { Circumstances, StatusResult } from '../../src/status/status-result.ts'
import { circumstances, foundSale, lostReturn as refund } from './looks.ts'

const at = (now = 1, changes: Partial<Circumstances> = {}) => circumstances(now, { lastAnswerAt: now, ...changes })
const found = (changes: Partial<ReplyValues<'status'>> = {}) =>
  foundSale({ transactionType: 'reversal', amount: '7.42', ...changes })
const unchanged = found({ transactionType: 'sale', amount: '10.42' })
const stateAfter = (intent: Intent, look: StatusResult, when = at()) => decideStatus(intent, look, when).intent
const captured = (amount?: string, status: 'approved' | 'declined' = 'approved') =>
  refund({ operation: 'capture', state: 'FINAL', status, amounts: amount === undefined ? [] : [amount] })

describe('A return whose reply was lost', () => {
  test.each([
    ['the part was refunded', found(), { state: 'FINAL', status: 'approved', holdsOrder: false }],
    ['it was declined', found({ status: 'declined', amount: '10.42' }), { state: 'FINAL', status: 'declined' }],
    ['it is under way', found({ status: 'processing' }), { state: 'UNKNOWN' }],
    ['nothing changed yet', unchanged, { state: 'UNKNOWN', absences: 1, holdsOrder: true }],
    ['another part was refunded', found({ amount: '5.42' }), { state: 'REVIEW', reviewReason: 'CHANGED_OTHERWISE' }],
    ['it was charged back', found({ transactionType: 'chargeback' }), { reviewReason: 'CHANGED_OTHERWISE' }],
    ['it was refunded in another currency', found({ currency: 'EUR' }), { reviewReason: 'AMOUNT_DIFFERS' }],
    ['the status is of another order', found({ orderId: '2' }), { reviewReason: 'ORDER_DIFFERS' }],
    ['the gateway answers with another order', { kind: 'other', orderId: '2' }, { reviewReason: 'ORDER_DIFFERS' }],
  ] as const)('when %s', (_what, look, expected) => {
    expect(stateAfter(refund(), look)).toMatchObject(expected)
  })

  test.each([found({ orderId: '2' }), { kind: 'other', orderId: '2' } as const])(
    'goes to review, with the order that the gateway named instead',
    (look) => {
      expect(stateAfter(refund(), look).evidence).toMatchObject([
        { seen: 'ORDER_DIFFERS: order 2; asked for: 3.00 USD' },
      ])
    },
  )

  test.each([
    ['return', 'cancel'],
    ['return', 'return'],
    ['return', 'refund'],
    ['void', 'cancel'],
    ['void', 'reversal'],
    ['void', 'void'],
  ] as const)('[S3-04] a full %s is what a %s shows', (operation, transactionType) => {
    const full = refund({ operation, amounts: [] })
    expect(stateAfter(full, found({ transactionType, amount: '0.00' }))).toMatchObject({ state: 'FINAL' })
  })

  test.each([
    ['names no transaction type', found({ transactionType: undefined })],
    ['spells it in capitals', found({ transactionType: 'REVERSAL' })],
    ['names no amount', found({ amount: undefined })],
  ])('is final if the part was refunded and the status %s', (_what, look) => {
    expect(stateAfter(refund(), look)).toMatchObject({ state: 'FINAL', status: 'approved' })
  })

  test.each([
    ['the payment is shown with another amount', { initialAmount: '99.42' }, ' of 99.42 (now 7.42) USD'],
    ['the money is of another currency', { currency: 'EUR' }, ' of 10.42 (now 7.42) EUR'],
  ])('goes to review if %s, even if the status names its request', (_what, shown, seen) => {
    const before = {
      status: 'approved',
      transactionType: 'sale',
      amount: '1042',
      initialAmount: '1042',
      currency: 'USD',
    }
    const own = { state: 'ACCEPTED', serialNumber: 's-1', before } as const
    for (const amounts of [['300'], []]) {
      const { intent, outcomes } = decideStatus(
        refund({ ...own, amounts }),
        found({ ...shown, byRequestSn: 's-1' }),
        at(),
      )
      expect(intent).toMatchObject({ state: 'REVIEW', reviewReason: 'AMOUNT_DIFFERS' })
      expect(intent.evidence.at(-1)?.seen).toContain(seen)
      expect(outcomes).toEqual([])
    }
    // Without a currency of its own, it is that of the order.
    const withoutCurrency = refund({ ...own, currency: undefined, amounts: [] })
    expect(stateAfter(withoutCurrency, found({ ...shown, byRequestSn: 's-1' }))).toMatchObject({ state: 'REVIEW' })
  })

  test('is final with what the status showed, and no longer checked; its counted absences are forgotten', () => {
    const counted = refund({ absences: 2, firstAbsenceAt: 0, nextCheckAt: 1 })
    const { intent, events } = decideStatus(counted, found(), at())
    expect(intent).toMatchObject({ state: 'FINAL', lookedAt: 1, absences: 0, observed: { amount: '742' } })
    expect([intent.nextCheckAt, intent.firstAbsenceAt, events]).toEqual([undefined, undefined, []])
    expect(intent.evidence).toMatchObject([{ at: 1, seen: 'reversal approved' }])
    const underWay = stateAfter(counted, found({ status: 'processing' }))
    expect([underWay.absences, underWay.firstAbsenceAt]).toEqual([0, undefined])
  })

  test.each([
    ['the order was not found', { kind: 'absent', seen: 'no order' }],
    ['nothing was learned', { kind: 'silent', seen: 'nothing' }],
  ] as const)('stays unknown when %s, however often', (_what, look) => {
    const ripe = refund({ amounts: [], absences: 2, firstAbsenceAt: 60_000 })
    expect(stateAfter(ripe, look, at(970_001))).toMatchObject({ state: 'UNKNOWN', absences: 2, lookedAt: 970_001 })
  })

  test('stays unknown if there is no snapshot of the order: no change can be seen', () => {
    expect(stateAfter(refund({ before: undefined }), found())).toMatchObject({ state: 'UNKNOWN', absences: 1 })
  })

  test.each(['reversal', 'cancel'])('in full is not decided by a %s that refunded nothing', (transactionType) => {
    const look = found({ transactionType, amount: '10.42' })
    expect(stateAfter(refund({ amounts: [] }), look)).toMatchObject({ reviewReason: 'CHANGED_OTHERWISE' })
  })

  test('in full is reported without an amount if the status names none', () => {
    const { intent, outcomes } = decideStatus(refund({ amounts: [] }), found({ amount: undefined }), at())
    expect([intent.state, outcomes.map(({ amount }) => amount)]).toEqual(['FINAL', [undefined]])
  })

  test.each([
    ['return', {}],
    ['void', {}],
    ['return', { transactionType: 'refund' }],
    ['return', { transactionType: 'return' }],
    ['void', { transactionType: 'REVERSAL' }],
    ['return', { transactionType: undefined }],
    ['void', { transactionType: undefined }],
  ] as const)('in full is not decided by the reversal of a part: a %s, shown as %j', (operation, changes) => {
    const full = refund({ operation, amounts: [] })
    expect(stateAfter(full, found(changes))).toMatchObject({ reviewReason: 'CHANGED_OTHERWISE' })
    expect(stateAfter(full, found({ ...changes, amount: '0.00' }))).toMatchObject({ state: 'FINAL' })
  })

  test.each([
    ['what is only held', '4.00', [captured('642')], 'FINAL'],
    ['less, since the hold is over', '0.00', [captured('642')], 'FINAL'],
    ['a part of what was captured', '5.00', [captured('642')], 'REVIEW'],
    ['a part of all that was captured', '5.00', [captured()], 'REVIEW'],
    ['a part, and a capture was declined', '4.00', [captured('642', 'declined')], 'REVIEW'],
  ] as const)(
    'in full of what was captured is decided by the amount left: %s',
    (_what, amount, modifications, state) => {
      const before = { status: 'approved', transactionType: 'reversal', amount: '1000', initialAmount: '1042' } as const
      const decided = stateAfter(refund({ amounts: [], before }), found({ amount }), at(1, { modifications }))
      expect(decided.state).toBe(state)
    },
  )

  test.each([
    ['return', 'what is only held', '4.00', '642', 'FINAL'],
    ['return', 'a part of what was captured', '5.00', '642', 'REVIEW'],
    ['void', 'what was captured', '6.42', '642', 'FINAL'],
    ['void', 'a part of what is only held', '6.43', '642', 'REVIEW'],
    ['void', 'less, since something else took a part', '3.00', '642', 'FINAL'],
    ['void', 'a part, where all was captured', '3.00', '1042', 'REVIEW'],
    ['void', 'nothing, where all was captured', '0.00', '1042', 'FINAL'],
  ] as const)(
    'in full whose status names no type is decided by the amount left: a %s that leaves %s',
    (operation, _what, amount, part, state) => {
      const before = { status: 'approved', amount: '1042', initialAmount: '1042' } as const
      const full = refund({ operation, amounts: [], before })
      const when = at(1, { modifications: [captured(part)] })
      expect(stateAfter(full, found({ transactionType: undefined, amount }), when).state).toBe(state)
    },
  )

  test('in full that leaves nothing is decided, even if less was kept before than the uncaptured amount', () => {
    const before = { status: 'approved', amount: '300', initialAmount: '1042' } as const
    const full = refund({ operation: 'void', amounts: [], before })
    const when = at(1, { modifications: [captured('642')] })
    expect(stateAfter(full, found({ transactionType: undefined, amount: '0.00' }), when).state).toBe('FINAL')
  })

  test('in full that the status shows as a reversal can leave at most what is only held, even if it is a void', () => {
    const before = { status: 'approved', transactionType: 'capture', amount: '1042', initialAmount: '1042' } as const
    const full = refund({ operation: 'void', amounts: [], before })
    const stateWith = (amount: string) =>
      stateAfter(full, found({ amount }), at(1, { modifications: [captured('642')] }))
    expect(stateWith('6.42')).toMatchObject({ reviewReason: 'CHANGED_OTHERWISE' })
    expect(stateWith('4.00')).toMatchObject({ state: 'FINAL' })
  })

  test.each([
    ['others captured a part of the order', 'capture', []],
    ['the initial amount is not known', 'sale', [captured('642')]],
  ] as const)('in full is decided by the reversal of a part if %s', (_what, transactionType, modifications) => {
    const before = { status: 'approved', transactionType, amount: '1042' } as const
    const decided = stateAfter(refund({ amounts: [], before }), found(), at(1, { modifications }))
    expect(decided.state).toBe('FINAL')
  })

  test('is decided by its serial number if the gateway gave one, whatever else happened', () => {
    const accepted = refund({ state: 'ACCEPTED', serialNumber: 's-1' })
    expect(stateAfter(accepted, found({ byRequestSn: 's-1', amount: '1.00' }))).toMatchObject({ state: 'FINAL' })
    expect(stateAfter(accepted, found({ byRequestSn: 's-1', status: 'declined' }))).toMatchObject({
      status: 'declined',
    })
    expect(stateAfter(accepted, found({ byRequestSn: 'other', amount: '1.00' }))).toMatchObject({ state: 'REVIEW' })
  })
})

describe('A return of 3.00 out of 10.42 that was approved, and after which more than 7.42 is kept', () => {
  const accepted = refund({ state: 'ACCEPTED', serialNumber: 's-1' })
  const changedOtherwise = { intent: { state: 'REVIEW', reviewReason: 'CHANGED_OTHERWISE' }, outcomes: [] }

  test.each([
    ['it refunded 1.00', '9.42'],
    ['something was won back', '12.42'],
  ])('goes to review, even if its own status shows it: %s', (_what, amount) => {
    expect(decideStatus(accepted, found({ byRequestSn: 's-1', amount }), at())).toMatchObject(changedOtherwise)
    expect(decideStatus(refund(), found({ amount }), at())).toMatchObject(changedOtherwise)
  })

  test('goes to review if 3.00 more is kept: that is no return', () => {
    expect(decideStatus(refund(), found({ amount: '13.42' }), at())).toMatchObject(changedOtherwise)
  })

  test('goes to review if a chargeback had left the amount it asked for, and no less is kept since', () => {
    const before = { status: 'approved', transactionType: 'sale', amount: '400' }
    const observed = { status: 'approved', transactionType: 'chargeback', amount: '300' }
    const look = found({ byRequestSn: 's-1', amount: '3.00' })
    expect(decideStatus({ ...accepted, before, observed }, look, at())).toMatchObject(changedOtherwise)
  })

  test('is reported if it was declined: something else was won back', () => {
    const look = found({ byRequestSn: 's-1', status: 'declined', amount: '12.42' })
    expect(decideStatus(accepted, look, at())).toMatchObject({
      intent: { state: 'FINAL', status: 'declined' },
      outcomes: [{ amount: '300', kept: '1042' }],
      isChangedSince: true,
    })
  })
})

describe('A stage that has moved by itself, as when an order is settled,', () => {
  const settled = (amount: string, transactionType: string) => found({ amount, transactionType, orderStage: 'settled' })
  const shown = { status: 'approved', orderStage: 'approved' } as const

  test('is no outcome of a second capture whose reply was lost', () => {
    const before = { ...shown, transactionType: 'capture', amount: '400', initialAmount: '1042' }
    const lost = refund({ operation: 'capture', amounts: ['300'], before })
    expect(stateAfter(lost, settled('4.00', 'capture'))).toMatchObject({ state: 'UNKNOWN', absences: 1 })
  })

  test('is no outcome of a return of which a person has decided that nothing was refunded by it', () => {
    const before = { ...shown, transactionType: 'sale', amount: '1042' }
    const observed = { ...shown, transactionType: 'reversal', amount: '742', initialAmount: '1042', currency: 'USD' }
    const judged = refund({ state: 'PRESUMED_ABSENT', reviewReason: 'CHANGED_OTHERWISE', before, observed })
    expect(stateAfter(judged, settled('7.42', 'reversal')).state).toBe('PRESUMED_ABSENT')
  })
})

describe('What the handler is called with', () => {
  const told = (intent: Intent, look: StatusResult) => decideStatus(intent, look, at()).outcomes[0]

  test.each([
    ['capture', { transactionType: 'capture', amount: '10.42' }, undefined],
    ['return', { amount: '0.00' }, '1042'],
    ['void', { transactionType: 'cancel', amount: '5.00' }, '542'],
    ['return', { status: 'declined', amount: '10.42' }, undefined],
  ] as const)('for a %s that names no amount has the amount refunded, if any', (operation, changes, amount) => {
    const outcome = told(refund({ operation, amounts: [] }), found(changes))
    expect([outcome?.kind, outcome?.amount]).toEqual(['outcome', amount])
  })

  test.each(['0', '1042', undefined])(
    '[G4-07] for the second step of a payout has the amount paid out, even if the check showed %s',
    (amount) => {
      const before = { status: 'processing', transactionType: 'payout', orderStage: 'payout_checked', amount } as const
      const look = found({ transactionType: 'payout', amount: '10.42' })
      expect(told(refund({ operation: 'payoutPay', amounts: [], before }), look)?.amount).toBe('1042')
    },
  )

  test('for a declined second step of a payout has no amount: nothing was paid out', () => {
    const before = { status: 'processing', transactionType: 'payout', orderStage: 'payout_checked', amount: '1042' }
    const look = found({ transactionType: 'payout', status: 'declined', amount: '10.42' })
    const outcome = told(refund({ operation: 'payoutPay', amounts: [], before }), look)
    expect([outcome?.status, outcome?.amount]).toEqual(['declined', undefined])
  })

  test('for the second step of a payout is its outcome, even if the gateway showed its amount before it was paid', () => {
    const before = { status: 'processing', transactionType: 'payout', orderStage: 'payout_checked', amount: '1042' }
    const look = found({ transactionType: 'payout', amount: '10.42' })
    expect(told(refund({ operation: 'payoutPay', amounts: [], before }), look)).toMatchObject({ status: 'approved' })
  })

  test('is in the currency of the request, or else in the one that the status shows', () => {
    expect(told(refund({ currency: 'EUR' }), found({ currency: undefined }))?.currency).toBe('EUR')
    expect(told(refund({ currency: undefined }), found())?.currency).toBe('USD')
  })

  test('has the amount asked for, and the one shown as kept, if no amount was known before', () => {
    const before = { status: 'approved', transactionType: 'sale' }
    expect(told(refund({ before }), found())).toMatchObject({ amount: '300', kept: '742' })
    const own = { state: 'ACCEPTED', serialNumber: 's-1', before } as const
    expect(told(refund(own), found({ byRequestSn: 's-1' }))).toMatchObject({ amount: '300', kept: '742' })
    expect(told(refund({ amounts: [], before }), found())?.amount).toBeUndefined()
  })

  test.each([
    ['return', 'reversal', 'declined'],
    ['capture', 'capture', 'approved'],
  ] as const)(
    'for a %s whose reply was lost has what was kept before it, if less is kept now',
    (operation, transactionType, status) => {
      const look = found({ transactionType, status, amount: '9.42' })
      const { outcomes, isChangedSince } = decideStatus(refund({ operation }), look, at())
      expect(outcomes).toMatchObject([{ status, amount: '300', kept: '1042' }])
      expect(isChangedSince).toBe(true)
    },
  )

  describe('for a request whose own status shows what is kept now', () => {
    const accepted = refund({ state: 'ACCEPTED', serialNumber: 's-1' })
    const own = { byRequestSn: 's-1', amount: '2.42' }

    test('has what was kept right after it, and the order is known to have changed since', () => {
      const decision = decideStatus(accepted, found(own), at())
      expect(decision.outcomes).toMatchObject([{ amount: '300', kept: '742' }])
      expect(decision.intent.observed).toMatchObject({ transactionType: 'reversal', amount: '742' })
      expect(decision.isChangedSince).toBe(true)
      expect(decideStatus(accepted, found({ ...own, amount: '7.42' }), at()).isChangedSince).toBe(false)
    })

    test('is reported even if the order looks as before: a second capture looks like the first', () => {
      const before = { status: 'approved', transactionType: 'capture', amount: '1042' } as const
      const second = { ...accepted, operation: 'capture', before } as const
      const look = found({ ...own, transactionType: 'capture', amount: '10.42' })
      expect(decideStatus(second, look, at())).toMatchObject({
        intent: { state: 'FINAL' },
        outcomes: [{ amount: '300', kept: '1042' }],
      })
    })

    test('has what was kept before it, if it was declined', () => {
      const { outcomes, isChangedSince } = decideStatus(accepted, found({ ...own, status: 'declined' }), at())
      expect([outcomes[0]?.kept, isChangedSince]).toEqual(['1042', true])
    })

    test.each([
      ['the amount of the request', { amount: '3.00' }, '300'],
      ['the amount of a request that was declined', { amount: '3.00', status: 'declined' }, '300'],
      ['always the amount of the payment', { amount: '10.42' }, '1042'],
    ] as const)('has what the status shows, if the gateway counts differently: %s', (_what, shown, kept) => {
      const { outcomes, isChangedSince } = decideStatus(accepted, found({ ...own, ...shown }), at())
      expect([outcomes[0]?.kept, isChangedSince]).toEqual([kept, false])
    })

    test('has what was kept before the capture of a part: a capture refunds nothing', () => {
      const captured = { ...accepted, operation: 'capture' } as const
      const { outcomes, isChangedSince } = decideStatus(captured, found({ ...own, transactionType: 'capture' }), at())
      expect([outcomes[0]?.kept, isChangedSince]).toEqual(['1042', true])
    })

    test('has what the status of a captured part shows, if the gateway counts what is captured', () => {
      const before = { status: 'approved', transactionType: 'capture', amount: '500' } as const
      const second = { ...accepted, operation: 'capture', before } as const
      const { outcomes, isChangedSince } = decideStatus(
        second,
        found({ ...own, transactionType: 'capture', amount: '8.00' }),
        at(),
      )
      expect([outcomes[0]?.kept, isChangedSince]).toEqual(['800', false])
    })

    test('has no amount kept if the status shows no amount', () => {
      const { outcomes, isChangedSince } = decideStatus(accepted, found({ ...own, amount: undefined }), at())
      expect([outcomes[0]?.kept, isChangedSince]).toEqual([undefined, false])
    })

    test.each([
      ['void', '10.42'],
      ['return', '10.42'],
      ['return', '12.00'],
    ] as const)('does not say how much a %s gave back, if the status shows %s as kept', (operation, amount) => {
      const { outcomes } = decideStatus({ ...accepted, operation, amounts: [] }, found({ ...own, amount }), at())
      expect(outcomes).toMatchObject([{ status: 'approved', amount: undefined }])
    })

    test('has what the status shows, if the request names no amount', () => {
      const { outcomes, isChangedSince } = decideStatus({ ...accepted, amounts: [] }, found(own), at())
      expect([outcomes[0]?.kept, isChangedSince]).toEqual(['242', false])
    })
  })
})

describe('An order that is unchanged after the quarantine', () => {
  const long = { absences: 2, firstAbsenceAt: 60_000 }

  test.each([
    ['a full return', refund({ ...long, amounts: [] }), 'PRESUMED_ABSENT'],
    ['a void', refund({ ...long, operation: 'void', amounts: [] }), 'PRESUMED_ABSENT'],
    ['a void that names its whole amount', refund({ ...long, operation: 'void' }), 'PRESUMED_ABSENT'],
    ['a part', refund(long), 'REVIEW'],
    ['a full capture', refund({ ...long, operation: 'capture', amounts: [] }), 'REVIEW'],
    ['the second step of a payout', refund({ ...long, operation: 'payoutPay', amounts: [] }), 'REVIEW'],
    ['an accepted one', refund({ ...long, state: 'ACCEPTED' }), 'ACCEPTED'],
    [
      'one with a serial number, for which an operator chose ask-again',
      refund({ ...long, amounts: [], serialNumber: 's-1' }),
      'UNKNOWN',
    ],
  ] as const)('after %s', (_what, intent, state) => {
    expect(stateAfter(intent, unchanged, at(970_001)).state).toBe(state)
  })

  test('sends a part to review as PART_UNCHANGED: an equal second part is legitimate, and looks the same', () => {
    expect(stateAfter(refund(long), unchanged, at(970_001)).reviewReason).toBe('PART_UNCHANGED')
  })

  test('makes a full return presumed absent, which is reported once and watched by the schedule', () => {
    const absent = decideStatus(refund({ ...long, amounts: [] }), unchanged, at(970_001))
    expect(absent).toMatchObject({
      intent: { absences: 3, lookedAt: 970_001, nextCheckAt: 970_001 + 300_000, observed: { amount: '1042' } },
      events: ['PRESUMED_ABSENT'],
    })
    expect(absent.intent.evidence.at(-1)?.seen).toBe('unchanged: sale approved')
    const again = decideStatus(absent.intent, unchanged, at(1_270_001))
    expect(again).toMatchObject({ intent: { state: 'PRESUMED_ABSENT', nextCheckAt: 1_570_001 }, events: [] })
  })
})

describe('An accepted modification whose order looks as an earlier one of its kind left it', () => {
  const DAY = 24 * 60 * 60_000
  const captured = { status: 'approved', transactionType: 'capture', amount: '1042', initialAmount: '1042' } as const
  const declined = { ...captured, status: 'declined', transactionType: 'reversal' } as const
  const reversed = (amount: string) => ({ ...captured, transactionType: 'reversal', amount }) as const
  /** Found unchanged twice in the day since it was sent. */
  const accepted = (changes: Partial<Intent>) =>
    refund({ state: 'ACCEPTED', serialNumber: 's-1', absences: 2, firstAbsenceAt: 2000, nextCheckAt: DAY, ...changes })
  const asBefore = ({ before }: Intent) =>
    found({ status: before?.status ?? 'approved', transactionType: before?.transactionType, amount: amountOf(before) })
  const amountOf = (before: Intent['before']) => before?.amount && `${Number(before.amount) / 100}`
  const afterDay = (changes: Partial<Intent>, now = DAY) => {
    const intent = accepted(changes)
    return decideStatus(intent, asBefore(intent), at(now)).intent
  }
  const second = { operation: 'capture', before: captured } as const

  test.each([
    ['a second capture', second],
    ['a second capture in full', { ...second, amounts: [] }],
    ['a second return that may have been declined', { before: declined }],
    ['a second full return that may have been declined', { amounts: [], before: declined }],
    ['a capture, if no type is shown', { ...second, before: { ...captured, transactionType: undefined } }],
    ['a return, if always the amount of the payment is shown', { before: reversed('1042') }],
    ['a return, if the amount of the request is shown', { before: reversed('300') }],
    ['a return, if no amount is shown', { before: { ...reversed('300'), amount: undefined } }],
    ['one without a number', { ...second, serialNumber: undefined }],
    ['one for which an operator chose ask-again', { ...second, state: 'UNKNOWN' }],
  ] as const)('goes to review after a day: %s', (_what, changes) => {
    expect(afterDay(changes)).toMatchObject({ state: 'REVIEW', reviewReason: 'PART_UNCHANGED', holdsOrder: true })
    expect(afterDay(changes).evidence.at(-1)?.seen).toContain('take-status if that is its own outcome as well')
  })

  test.each([
    ['is not a day old', second, DAY - 1],
    ['was found unchanged only once before', { ...second, absences: 1 }, DAY],
    ['was found unchanged for less than 15 minutes', { ...second, firstAbsenceAt: DAY - 14 * 60_000 }, DAY],
    ['would be a reversal, and the sale is shown', { before: { ...captured, transactionType: 'sale' } }, DAY],
    ['would leave less, since what is kept is shown', { before: reversed('742') }, DAY],
    ['may look like the sale, since no type is named', { before: { ...captured, transactionType: undefined } }, DAY],
    ['was only checked', { operation: 'payoutPay', before: { status: 'processing', transactionType: 'payout' } }, DAY],
    ['was decided by an operator', { ...second, state: 'PRESUMED_ABSENT' }, DAY],
  ] as const)('is still checked if it %s', (_what, changes, now) => {
    const { state, nextCheckAt = 0, absences } = afterDay(changes, now)
    expect(state).toBe('state' in changes ? changes.state : 'ACCEPTED')
    expect(nextCheckAt).toBeGreaterThan(now)
    expect(absences).toBeLessThanOrEqual(3)
  })

  test('goes to review a day after it was sent, not a day after it was written', () => {
    const later = { ...second, sentAt: DAY, firstAbsenceAt: DAY }
    expect(afterDay(later, 2 * DAY - 1).state).toBe('ACCEPTED')
    expect(afterDay(later, 2 * DAY).state).toBe('REVIEW')
  })

  test('is not counted as unchanged while the gateway shows it as processing', () => {
    const { state, absences } = stateAfter(accepted(second), found({ status: 'processing' }), at(DAY))
    expect([state, absences]).toEqual(['ACCEPTED', 0])
  })

  test('is decided by its own number all the same', () => {
    const own = found({ transactionType: 'capture', amount: '10.42', byRequestSn: 's-1' })
    expect(stateAfter(accepted(second), own, at(DAY))).toMatchObject({ state: 'FINAL', absences: 0 })
  })
})

describe('A refused return', () => {
  const refused = refund({ state: 'REJECTED', nextCheckAt: 0 })

  test('is confirmed by an order that is unchanged', () => {
    expect(stateAfter(refused, unchanged)).toMatchObject({
      state: 'REJECTED',
      nextCheckAt: undefined,
      holdsOrder: false,
      lookedAt: 1,
      observed: { amount: '1042' },
    })
  })

  test('stays refused once that was confirmed, whatever changes the order later', () => {
    const confirmed = stateAfter(refused, unchanged)
    const { state, nextCheckAt } = stateAfter({ ...confirmed, nextCheckAt: 1 }, found())
    expect([state, nextCheckAt]).toEqual(['REJECTED', undefined])
  })

  test('goes to review if the order changed all the same', () => {
    expect(stateAfter(refused, found())).toMatchObject({ state: 'REVIEW', reviewReason: 'CHANGED_OTHERWISE' })
  })
})

describe('A return that was presumed absent', () => {
  const absent = refund({ state: 'PRESUMED_ABSENT', amounts: [], createdAt: 1, holdsOrder: false })
  const arrived = found({ amount: '0.00' })

  test('and arrives late is final', () => {
    expect(decideStatus(absent, arrived, at())).toMatchObject({ intent: { state: 'FINAL' }, events: ['ARRIVED_LATE'] })
  })

  test('is no longer watched once another one follows: a change could belong to that one as well', () => {
    const successor = refund({ intentId: '2', createdAt: 2 })
    const { state, nextCheckAt } = stateAfter(absent, found(), at(1, { modifications: [absent, successor] }))
    expect([state, nextCheckAt]).toEqual(['PRESUMED_ABSENT', undefined])
  })

  test.each(['UNKNOWN', 'ACCEPTED'] as const)(
    'goes to review after ask-again if another one followed, unless its own status shows it: %s',
    (state) => {
      const again = { ...absent, state, serialNumber: 's-1' }
      const successor = refund({ intentId: '2', createdAt: 2, state: 'FINAL', status: 'approved', holdsOrder: false })
      const when = at(1, { modifications: [again, successor] })
      expect(decideStatus(again, arrived, when)).toMatchObject({
        intent: { state: 'REVIEW', reviewReason: 'CHANGED_OTHERWISE' },
        outcomes: [],
      })
      expect(stateAfter(again, found({ amount: '0.00', byRequestSn: 's-1' }), when).state).toBe('FINAL')
    },
  )

  test.each([
    ['PREPARED', true],
    ['NOT_SENT', true],
    ['REJECTED', false],
  ] as const)('is still watched when the one that followed changed nothing: %s', (state, holdsOrder) => {
    const successor = refund({ intentId: '2', createdAt: 2, state, holdsOrder })
    const decision = decideStatus(absent, arrived, at(1, { modifications: [absent, successor] }))
    expect(decision).toMatchObject({ intent: { state: 'FINAL', status: 'approved' }, events: ['ARRIVED_LATE'] })
  })

  test('is still watched beside one that had ended before it was made', () => {
    const earlier = refund({ intentId: '2', createdAt: 0, state: 'FINAL', status: 'approved', holdsOrder: false })
    const decision = decideStatus(absent, arrived, at(1, { modifications: [earlier, absent] }))
    expect(decision.intent.state).toBe('FINAL')
  })
})

describe('A capture of 8.00 out of 10.42 whose reply was lost', () => {
  const capture = (changes: Partial<Intent> = {}) => refund({ operation: 'capture', amounts: ['800'], ...changes })
  const shown = (amount: string | undefined) => found({ transactionType: 'capture', amount })

  test.each([
    ['what is held and kept', '10.42'],
    ['what was captured', '8.00'],
    ['what was captured in all', '9.00'],
    ['what is still held', '2.42'],
    ['no amount', undefined],
  ])('is final if the status shows %s', (_what, amount) => {
    expect(stateAfter(capture(), shown(amount))).toMatchObject({ state: 'FINAL', status: 'approved' })
  })

  test.each([
    ['less', '3.00'],
    ['more than was held', '80000.00'],
  ])('goes to review if the status shows %s: somebody else captured that', (_what, amount) => {
    expect(stateAfter(capture(), shown(amount))).toMatchObject({ state: 'REVIEW', reviewReason: 'CHANGED_OTHERWISE' })
  })

  test('is final with any amount if it was declined, the status names its request, or nothing else is known', () => {
    expect(
      stateAfter(capture(), found({ transactionType: 'capture', status: 'declined', amount: '3.00' })),
    ).toMatchObject({
      state: 'FINAL',
      status: 'declined',
    })
    const own = capture({ state: 'ACCEPTED', serialNumber: 's-1' })
    const look = found({ transactionType: 'capture', amount: '3.00', byRequestSn: 's-1' })
    expect(stateAfter(own, look)).toMatchObject({ state: 'FINAL' })
    expect(stateAfter(capture({ amounts: [] }), shown('3.00'))).toMatchObject({ state: 'FINAL' })
    const before = { status: 'approved', transactionType: 'preauth' }
    expect(stateAfter(capture({ before }), shown('3.00'))).toMatchObject({ state: 'FINAL' })
  })
})

describe('A second capture out of 10.42', () => {
  const captureAfter = (before: Partial<Observation>, asked: string) =>
    refund({
      operation: 'capture',
      state: 'ACCEPTED',
      amounts: [asked],
      before: { status: 'approved', transactionType: 'capture', initialAmount: '1042', ...before },
    })
  const shown = (amount: string) => found({ transactionType: 'capture', amount })

  test.each([
    ['what was captured in all', { amount: '400' }, '300', '7.00'],
    ['what was captured in all, after a reversal', { transactionType: 'reversal', amount: '0' }, '300', '3.00'],
    [
      'what was captured in all, and never what was asked for',
      { amount: '400', initialAmount: undefined },
      '300',
      '7.00',
    ],
    ['the amount of the request', { amount: '400' }, '500', '5.00'],
    ['what is held and kept, after a reversal', { transactionType: 'reversal', amount: '742' }, '300', '7.42'],
    ['what is still held', { amount: '642' }, '500', '1.42'],
    ['that nothing is held any more', { amount: '642' }, '642', '0.00'],
  ])('is final if the gateway shows %s', (_what, before, asked, amount) => {
    expect(stateAfter(captureAfter(before, asked), shown(amount))).toMatchObject({ state: 'FINAL', status: 'approved' })
  })

  test('goes to review if more is shown than was ever held', () => {
    const look = shown('10.43')
    expect(stateAfter(captureAfter({ amount: '400' }, '300'), look)).toMatchObject({
      reviewReason: 'CHANGED_OTHERWISE',
    })
  })
})
