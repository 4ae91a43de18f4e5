import type { Fund, Sums } from './funds.ts'
import type { OperationKind } from './operation-kinds.ts'
import type { OperationStatus } from './transitions.ts'

/** Milliseconds since 1970. The rules read no clock: every instant is passed in. */
export type Instant = number

/** One operation of an order. Its status moves as `TRANSITIONS` allows; nothing else of it ever changes. */
export interface OrderOperation {
  /** Unique in its order. */
  readonly id: string
  readonly kind: OperationKind
  /** In minor units. */
  readonly amount: bigint
  readonly status: OperationStatus
  readonly createdAt: Instant
  /** When it reached its status. */
  readonly statusAt: Instant
}

/** What holds for all operations of an order. */
export interface OrderTerms {
  /** Three letters (ISO 4217). */
  readonly currency: string
  /** How long after its final status a sold or captured amount settles, in milliseconds. */
  readonly settleAfter: number
  /** How long after its approval an authorization holds funds, in milliseconds. */
  readonly holdFor: number
  /** How long after its approval a payout-check can be paid, in milliseconds. */
  readonly payoutCheckFor: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/**
 * The times that apply unless an endpoint has its own: a day until settlement and seven days of hold, and
 * a quarter of an hour from a payout-check to its pay, which is our choice.
 */
export const DEFAULT_TIMES: Omit<OrderTerms, 'currency'> = {
  settleAfter: 24 * HOUR,
  holdFor: 7 * 24 * HOUR,
  payoutCheckFor: 15 * MINUTE,
}

/** An amount that was taken, and the instant from which it counts as settled. */
export interface Settlement {
  readonly operationId: string
  readonly amount: bigint
  readonly settlesAt: Instant
}

/** An order, derived from its operations. Sums count only approved operations, in minor units. */
export interface Order extends Sums, OrderTerms {
  readonly operations: readonly OrderOperation[]
  /** What the order began with: the original transaction. */
  readonly opening: OrderOperation
  /** What status shows. */
  readonly last: OrderOperation
  /** What is on hold: authorized, neither captured nor released. */
  readonly held: bigint
  /** What the merchant keeps: captured, neither returned nor charged back. */
  readonly kept: bigint
  /** What operations without an outcome draw on each fund: it counts as used. */
  readonly inFlight: Readonly<Record<Fund, bigint>>
  /** From this instant on nothing is held any more. `undefined` if there is no hold (yet). */
  readonly holdExpiresAt: Instant | undefined
  /** From this instant on a checked payout cannot be paid. `undefined` without a successful check. */
  readonly checkExpiresAt: Instant | undefined
  /** One for each approved sale or capture, in their order. */
  readonly settlements: readonly Settlement[]
}
