import type { FinalStatus } from '../statuses.ts'

/** Transaction types that only an order has that was approved (S3-06, gaps part 5), and other words for them. */
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
 * The transaction type in small letters, where a status shows what was done to an order later: it tells of the order's last
 * operation alone (gaps part 13). The payment itself was approved then, whatever became of the change.
 *
 * `undefined` where the status is that of the payment, and where it names no type, or one that is not known.
 */
export function changeShown({ transactionType }: Shown): string | undefined {
  const type = transactionType?.toLowerCase()
  return type !== undefined && CHANGES.has(type) ? type : undefined
}

/** What a final status tells: how the payment ended, and of a later change of the order how that did. */
export interface OutcomeShown {
  /** Of the payment itself. With a `change` it is `approved`: only what was approved is changed. */
  readonly status: FinalStatus
  readonly change?: {
    /** As the status shows it, in small letters: a return is a `reversal`, or the `cancel` of what is only held. */
    readonly transactionType: string
    /** Of the change. */
    readonly status: FinalStatus
  }
}

/** Tells the payment and the change of it apart. `status` is the final one that was shown. */
export function outcomeShown(shown: Shown, status: FinalStatus): OutcomeShown {
  const transactionType = changeShown(shown)
  return transactionType === undefined ? { status } : { status: 'approved', change: { transactionType, status } }
}
