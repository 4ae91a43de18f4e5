import type { OperationKind } from '@tallystick/core'

/** Whose money it is. The acquirer settles with each of them; `hold` is the payer's, reserved. */
export type Account = 'payer' | 'hold' | 'merchant' | 'receiver'

/** One side of a movement. The postings of an operation, and so those of an order, sum to zero. */
export interface Posting {
  readonly orderId: string
  readonly operationId: string
  readonly account: Account
  /** In minor units: what the account gains, or if below zero, gives. */
  readonly amount: bigint
  readonly currency: string
  readonly at: number
}

interface Movement {
  readonly from: Account
  readonly to: Account
}

/** Where the money of an approved operation goes, by its kind. Kinds that are not listed move none. */
const MOVEMENTS: Readonly<Partial<Record<OperationKind, Movement>>> = {
  sale: { from: 'payer', to: 'merchant' },
  preauth: { from: 'payer', to: 'hold' },
  capture: { from: 'hold', to: 'merchant' },
  cancel: { from: 'hold', to: 'payer' },
  reversal: { from: 'merchant', to: 'payer' },
  chargeback: { from: 'merchant', to: 'payer' },
  payout: { from: 'merchant', to: 'receiver' },
  'payout-pay': { from: 'merchant', to: 'receiver' },
  transfer: { from: 'payer', to: 'receiver' },
}

export interface ApprovedOperation {
  readonly orderId: string
  readonly operationId: string
  readonly kind: OperationKind
  readonly amount: bigint
  readonly currency: string
  readonly at: number
  /** Whether the merchant's deposit pays for the transfer, instead of a card. */
  readonly fromDeposit?: boolean
}

/** The two sides of an approved operation, or none if no money moves. */
export function postingsOf({ kind, fromDeposit = false, ...movement }: ApprovedOperation): readonly Posting[] {
  const route = MOVEMENTS[kind]
  if (route === undefined || movement.amount === 0n) return []
  return [
    { ...movement, account: fromDeposit ? 'merchant' : route.from, amount: -movement.amount },
    { ...movement, account: route.to, amount: movement.amount },
  ]
}
