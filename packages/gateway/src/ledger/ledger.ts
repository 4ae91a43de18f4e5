import type { OperationKind } from '@tallystick/core'
import { ruledOrder } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'

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

interface ApprovedOperation {
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

/**
 * What is wrong with the books of an order, in words. They are right if the postings of each operation, and so those of the
 * order, sum to zero, and if each account has what the rules derive from the operations.
 */
export function auditOrder(order: StoredOrder, postings: readonly Posting[]): readonly string[] {
  const { held, kept, paidOut } = ruledOrder(order)
  const balance = (account: Account) => total(postings.filter((posting) => posting.account === account))
  const fromDeposit = order.details.card === undefined || order.operations[0]?.kind !== 'transfer'
  const expected: ReadonlyArray<readonly [Account, bigint]> = [
    ['hold', held],
    ['receiver', paidOut],
    ['merchant', fromDeposit ? kept - paidOut : kept],
    ['payer', fromDeposit ? -held - kept : -paidOut],
  ]
  return [
    ...expected.flatMap(([account, amount]) =>
      balance(account) === amount ? [] : `${account} has ${balance(account)}, and the operations make it ${amount}`,
    ),
    ...order.operations.flatMap(({ id }) => {
      const sum = total(postings.filter(({ operationId }) => operationId === id))
      return sum === 0n ? [] : `the postings of ${id} sum to ${sum}`
    }),
    ...(total(postings) === 0n ? [] : [`the order sums to ${total(postings)}`]),
  ]
}

function total(postings: readonly Posting[]): bigint {
  return postings.reduce((sum, { amount }) => sum + amount, 0n)
}
