import { type Processed, processed } from '../replies/processed.ts'
import type { FinalStatus } from '../statuses.ts'

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
