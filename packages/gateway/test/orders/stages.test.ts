import { expect, test } from 'vitest'
import { orderStage } from '../../src/orders/shown-order.ts'
import { operation } from '../store/changes.ts'
import { STEPS } from '../support/issuer.ts'

test.for([
  ['sale', 'sale_approved', 'sale_failed', 'sale_3d_validating'],
  ['preauth', 'auth_approved', 'auth_declined', 'auth_3d_validating'],
  [
    'account-verification',
    'account_verification_approved',
    'account_verification_declined',
    'account_verification_3d_validating',
  ],
  ['capture', 'capture_approved', 'capture_declined', undefined],
  ['cancel', 'cancel_approved', 'cancel_declined', undefined],
  ['reversal', 'reversal_approved', 'reversal_declined', undefined],
  ['chargeback', 'chargeback_approved', undefined, undefined],
  ['payout-check', 'payout_check_approved', 'payout_check_declined', undefined],
  ['payout-pay', 'payout_approved', 'payout_declined', undefined],
  ['payout', 'payout_approved', 'payout_declined', undefined],
  ['transfer', 'transfer_approved', 'transfer_declined', 'transfer_3d_validating'],
] as const)(
  '[G5-05] how far a %s has come is told in a word, where there is one',
  ([kind, approved, failed, validating]) => {
    expect(orderStage(operation({ kind, status: 'approved' }))).toBe(approved)
    if (failed !== undefined) {
      const stages = (['declined', 'filtered', 'error'] as const).map((status) =>
        orderStage(operation({ kind, status })),
      )
      expect(stages).toEqual([failed, failed, failed])
    }
    const awaiting = operation({ kind, status: 'processing', outcome: { awaits: STEPS.challenge } })
    if (validating !== undefined) expect(orderStage(awaiting)).toBe(validating)
    for (const status of ['created', 'sent', 'processing', 'unknown'] as const) {
      expect(orderStage(operation({ kind, status }))).toBeUndefined()
    }
  },
)
