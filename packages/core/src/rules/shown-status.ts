import { type Processed, processed } from '../replies/reply-fields.ts'
import type { FinalStatus, KnownStatus } from '../statuses.ts'
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

/** Transaction types that only an approved order has (S3-06, gaps part 5), and other words for them. */
const CHANGES: ReadonlySet<string> = new Set([
  'capture',
  'cancel',
  'void',
  'reversal',
  'return',
  'refund',
  'chargeback',
  'fraud',
  'dispute',
  'retrieval',
  'dispute/retrieval',
])

interface Shown {
  readonly transactionType?: string | undefined
}

/**
 * The transaction type in lower case, if a status shows a later change of an order: it shows only the order's last
 * operation (gaps part 13). Then the payment itself was approved, whatever became of the change.
 *
 * `undefined` if the status is that of the payment, or names no type or an unknown one.
 */
export function changeShown({ transactionType }: Shown): string | undefined {
  const type = transactionType?.toLowerCase()
  return type !== undefined && CHANGES.has(type) ? type : undefined
}

/**
 * What a final status says: how the payment ended, and how a later change of the order did; when, and how the bank names it:
 * of the change, if there is one.
 */
export interface OutcomeShown extends Processed {
  /** Of the payment itself. With a `change` it is `approved`: only what was approved is changed. */
  readonly status: FinalStatus
  readonly change?: {
    /** As the status shows it, in lower case: a return is a `reversal`, or the `cancel` of a hold. */
    readonly transactionType: string
    /** Of the change. */
    readonly status: FinalStatus
  }
}

/** Separates the payment from its change. `status` is the final one that was shown. */
export function outcomeShown(shown: Shown & Parameters<typeof processed>[0], status: FinalStatus): OutcomeShown {
  const transactionType = changeShown(shown)
  const ended: OutcomeShown =
    transactionType === undefined ? { status } : { status: 'approved', change: { transactionType, status } }
  return { ...ended, ...processed(shown) }
}
