import type { KnownStatus } from '../statuses.ts'
import { factsOf, type TransactionType } from './operation-kinds.ts'
import type { Order, OrderOperation } from './order.ts'

/** What status and callbacks show of an order. Amounts are in minor units. */
export interface ShownStatus {
  readonly transactionType: TransactionType
  readonly status: KnownStatus
  /** Where our decision names a stage; others are the gateway's own words (gaps part 5). */
  readonly orderStage: string | undefined
  /** What is held, kept or paid out now: nothing before an approval. */
  readonly amount: bigint
  /** What was asked for. */
  readonly initialAmount: bigint
}

/** The order's last operation with its status, and the amounts of the whole order (gaps part 13). */
export function shownStatus(order: Order): ShownStatus {
  const { last, opening, held, kept, paidOut } = order
  return {
    transactionType: factsOf(last.kind).transactionType,
    ...statusShown(last),
    amount: held + kept + paidOut,
    initialAmount: opening.amount,
  }
}

/** What has no outcome yet is processing, sent or not; a successful payout-check is, too. */
function statusShown({ kind, status }: OrderOperation): Pick<ShownStatus, 'status' | 'orderStage'> {
  const { approvedAs } = factsOf(kind)
  if (status === 'approved' && approvedAs !== undefined) return approvedAs
  return { status: status === 'created' || status === 'sent' ? 'processing' : status, orderStage: undefined }
}
