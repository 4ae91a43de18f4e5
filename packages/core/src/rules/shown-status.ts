import type { KnownStatus } from '../statuses.ts'
import { isOver } from './derive-order.ts'
import { factsOf, type TransactionType } from './operation-kinds.ts'
import type { Instant, Order, OrderOperation } from './order.ts'

/** What status and callbacks show about an order. Amounts are in minor units. */
export interface ShownStatus {
  readonly transactionType: TransactionType
  readonly status: KnownStatus
  /** If our decision names a stage; others are the gateway's own words. */
  readonly orderStage: string | undefined
  /** What is held, kept or paid out now: nothing before an approval. */
  readonly amount: bigint
  /** The amount that was requested. */
  readonly initialAmount: bigint
}

/**
 * The order's last operation with its status, and the amounts of the whole order. `at` is now: a
 * payout-check that nobody paid in time has ended. Left out: as of the order's last change.
 */
export function shownStatus(order: Order, at?: Instant): ShownStatus {
  const { last, opening, held, kept, paidOut } = order
  return {
    transactionType: factsOf(last.kind).transactionType,
    ...(isExpiredCheck(order, at) ? EXPIRED_CHECK : statusShown(last)),
    amount: held + kept + paidOut,
    initialAmount: opening.amount,
  }
}

const EXPIRED_CHECK = { status: 'declined', orderStage: 'payout_check_expired' } as const

function isExpiredCheck({ last, checkExpiresAt }: Order, at: Instant | undefined): boolean {
  return last.kind === 'payout-check' && at !== undefined && isOver(checkExpiresAt, at)
}

/** An operation without an outcome is processing, sent or not; so is a successful payout-check. */
function statusShown({ kind, status }: OrderOperation): Pick<ShownStatus, 'status' | 'orderStage'> {
  const { approvedAs } = factsOf(kind)
  if (status === 'approved' && approvedAs !== undefined) return approvedAs
  return { status: status === 'created' || status === 'sent' ? 'processing' : status, orderStage: undefined }
}
