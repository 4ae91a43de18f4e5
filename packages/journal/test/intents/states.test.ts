import { INTENT_STATES } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { memoryJournalStore } from '../../src/index.ts'
import {
  INTENT_TRANSITIONS,
  isPaid,
  kept,
  moved,
  sameObservation,
  updateIntent,
  withEvidence,
} from '../../src/intents/states.ts'
import { intentWith, written } from '../intents.ts'

describe('The states of an intent', () => {
  test('only one that is proven not to have left is sent again, or a card if a repeat gets the first answer', () => {
    const sendable = INTENT_STATES.filter((state) => INTENT_TRANSITIONS[state].includes('SENDING'))
    expect(sendable).toEqual(['PREPARED', 'NOT_SENT', 'UNKNOWN'])
  })

  test('a final one is left only for review', () => {
    expect(INTENT_TRANSITIONS.FINAL).toEqual(['REVIEW'])
    expect(() => moved(intentWith({ state: 'FINAL' }), 'UNKNOWN')).toThrow('does not go from FINAL to UNKNOWN')
  })

  test.each([
    ['FINAL', { status: 'approved' }, true],
    ['FINAL', { status: 'declined' }, false],
    ['REJECTED', {}, false],
    ['REJECTED', { nextCheckAt: 1 }, true],
    ['UNKNOWN', {}, true],
    ['REVIEW', {}, true],
  ] as const)('%s with %j keeps its business key: %s', (state, changes, holdsKey) => {
    expect(moved(intentWith({ state: 'SENDING' }), state, changes).holdsKey).toBe(holdsKey)
  })

  test.each([
    ['as it was checked', { status: 'processing', transactionType: 'payout', orderStage: 'payout_checked' }, true],
    ['expired', { status: 'declined', transactionType: 'payout', orderStage: 'payout_check_expired' }, false],
    ['declined', { status: 'declined', transactionType: 'payout' }, false],
    ['paid', { status: 'approved', transactionType: 'payout' }, true],
    ['paid, and not taken back', { status: 'declined', transactionType: 'reversal' }, true],
  ] as const)('a payout that was checked, and is %s, keeps its business key: %#', (_what, observed, holdsKey) => {
    const checked = intentWith({ operation: 'payoutCheck', state: 'FINAL', status: 'checked' })
    expect(kept(checked, { observed }).holdsKey).toBe(holdsKey)
  })

  test.each([
    ['approved', {}, true],
    ['of which a part was given back', { observed: { status: 'approved', amount: '10' } }, true],
    ['given back whole', { observed: { status: 'approved', amount: '0' } }, false],
    ['declined', { status: 'declined' }, false],
    ['not final yet', { state: 'REVIEW' }, false],
    ['a return', { kind: 'modification' }, false],
    ['a stored card', { kind: 'card' }, false],
    ['a verified card', { operation: 'accountVerification', amounts: [], currency: undefined }, false],
  ] as const)('one that is %s has moved money or not: %#', (_what, changes, expected) => {
    expect(isPaid(intentWith({ state: 'FINAL', status: 'approved', ...changes }))).toBe(expected)
  })

  test.each([
    ['UNKNOWN', {}, true],
    ['REVIEW', {}, true],
    ['REJECTED', { nextCheckAt: 1 }, true],
    ['REJECTED', {}, false],
    ['FINAL', {}, false],
  ] as const)('%s with %j keeps its order for itself: %s', (state, changes, holdsOrder) => {
    const refund = intentWith({ kind: 'modification', state: 'SENDING', holdsOrder: true })
    expect(moved(refund, state, changes).holdsOrder).toBe(holdsOrder)
  })

  test('a return that is presumed absent frees its order for the next one', () => {
    const refund = intentWith({ kind: 'modification', state: 'UNKNOWN', holdsOrder: true })
    expect(moved(refund, 'PRESUMED_ABSENT').holdsOrder).toBe(false)
  })

  test.each([
    ['status', 'declined'],
    ['transactionType', 'reversal'],
    ['amount', '742'],
    ['orderStage', 'payout_check_expired'],
  ])('an order looks different by its %s', (field, value) => {
    const one = { status: 'approved', transactionType: 'payout', amount: '1042', orderStage: 'payout_checked' }
    expect(sameObservation(one, { ...one, initialAmount: '5', currency: 'EUR' })).toBe(true)
    expect(sameObservation(one, { ...one, [field]: value })).toBe(false)
  })

  test.each([
    ['looks the same', 'sale', true],
    ['looks different if the status names no transaction type', undefined, false],
  ])('an order whose stage moves by itself %s', (_what, transactionType, isSame) => {
    const one = { status: 'approved', transactionType, amount: '1042', orderStage: 'sale_approved' }
    expect(sameObservation(one, { ...one, orderStage: 'sale_settled' })).toBe(isSame)
  })

  test('a freed key is not taken again when the payment arrives late', () => {
    const absent = moved(intentWith({ state: 'UNKNOWN' }), 'PRESUMED_ABSENT')
    expect(absent.holdsKey).toBe(false)
    expect(moved(absent, 'FINAL', { status: 'approved' }).holdsKey).toBe(false)
  })
})

describe('Evidence', () => {
  test('keeps how it began and how it ended', () => {
    let evidence = withEvidence({ evidence: [] }, 0, 'seen 0')
    for (let n = 1; n < 100; n++) evidence = withEvidence({ evidence }, n, `seen ${n}`)
    expect(evidence.map(({ at }) => at)).toEqual([
      0, 1, 2, 3, 4, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99,
    ])
  })

  test('notes what is seen again and again once, with the time of the last', () => {
    const first = withEvidence({ evidence: [] }, 1, 'sent')
    const twice = withEvidence({ evidence: withEvidence({ evidence: first }, 2, 'absent') }, 3, 'absent')
    expect(twice).toEqual([
      { at: 1, seen: 'sent' },
      { at: 3, seen: 'absent' },
    ])
  })

  test('holds no CVV and no control that a gateway quotes', () => {
    const [noted] = withEvidence({ evidence: [] }, 1, 'Bad request: amount=1&cvv2=7391&control=f493a1')
    expect(noted?.seen).toBe('Bad request: amount=1&cvv2=***&control=***')
  })

  test('holds no card number, and no text of unlimited length', () => {
    const [noted] = withEvidence({ evidence: [] }, 1, `refused 4444555566661111 ${'x'.repeat(1000)}`)
    expect(noted?.seen).not.toContain('4444555566661111')
    expect(noted?.seen).toHaveLength(500)
  })
})

test('The change is based on what a faster process has written', async () => {
  const store = memoryJournalStore()
  await store.insert(intentWith())
  const seen: number[] = []
  await updateIntent(store, 'intent-1', async (intent) => {
    seen.push(intent.version)
    if (seen.length === 1) await store.update({ intent: written(intent, { sends: 1 }), outcomes: [] })
    return [{ intent: written(intent, { state: 'SENDING' }), outcomes: [] }] as const
  })
  expect(seen).toEqual([1, 2])
  expect(await store.find('intent-1')).toMatchObject({ version: 3, sends: 1, state: 'SENDING' })
})

test('If others write before each try, it gives up after a hundred and says so', async () => {
  const store = memoryJournalStore()
  await store.insert(intentWith())
  let tries = 0
  const given = updateIntent({ ...store, update: async () => false }, 'intent-1', (intent) => {
    tries++
    return [{ intent, outcomes: [] }] as const
  })
  await expect(given).rejects.toThrow('Other processes keep changing the intent')
  expect(tries).toBe(100)
})
