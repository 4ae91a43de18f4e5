import type { OperationKind } from '@tallystick/core'
import type { StoredOperation } from './order.ts'

/** How an `order-stage` begins, and how it ends after a failure, by kind (gaps part 5, those that were seen). */
const STAGES: Readonly<Record<OperationKind, readonly [name: string, failed: string]>> = {
  sale: ['sale', 'failed'],
  preauth: ['auth', 'declined'],
  'account-verification': ['account_verification', 'declined'],
  capture: ['capture', 'declined'],
  cancel: ['cancel', 'declined'],
  reversal: ['reversal', 'declined'],
  chargeback: ['chargeback', 'declined'],
  'payout-check': ['payout_check', 'declined'],
  'payout-pay': ['payout', 'declined'],
  payout: ['payout', 'declined'],
  transfer: ['transfer', 'declined'],
}

/** How far an operation has come. `undefined`: there is no word for it. */
export function orderStage({ kind, status, outcome }: StoredOperation): string | undefined {
  const [name, failed] = STAGES[kind]
  if (status === 'approved') return `${name}_approved`
  if (status === 'declined' || status === 'filtered' || status === 'error') return `${name}_${failed}`
  return outcome.awaits === undefined ? undefined : `${name}_3d_validating`
}
