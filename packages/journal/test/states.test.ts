import { INTENT_STATES } from '@tallystick/client'
import { describe, expect, test } from 'vitest'
import { INTENT_TRANSITIONS, kept, moved } from '../src/states.ts'
import { intentWith } from './intents.ts'

describe('The states of an intent', () => {
  test('only one that is proven not to have left is sent again; a card where a repeat gets the first answer', () => {
    const sendable = INTENT_STATES.filter((state) => INTENT_TRANSITIONS[state].includes('SENDING'))
    expect(sendable).toEqual(['PREPARED', 'NOT_SENT', 'UNKNOWN'])
  })

  test('a final one is never left', () => {
    expect(INTENT_TRANSITIONS.FINAL).toEqual([])
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

  test('a key that was given back is not taken again when the payment arrives late', () => {
    const absent = moved(intentWith({ state: 'UNKNOWN' }), 'PRESUMED_ABSENT')
    expect(absent.holdsKey).toBe(false)
    expect(moved(absent, 'FINAL', { status: 'approved' }).holdsKey).toBe(false)
  })
})
