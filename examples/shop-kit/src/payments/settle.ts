import type { DatabaseSync } from 'node:sqlite'
import type { JournalOutcome } from '@tallystick/client'
import type { HandlerInput } from '@tallystick/journal'
import type { LedgerRow, OperationRow } from '../rows/order.ts'
import { isOperationKind, isOperationStatus } from '../rows/read-columns.ts'
import { ShopRows } from '../rows/shop-rows.ts'

/**
 * The journal's handler: writes an outcome into the shop's rows, within the transaction that marks it as reported. So the outcome
 * takes effect exactly once, whatever crashes. The journal has compared the ids and the amount: an outcome that differs never
 * gets here. Gives the row of the ledger, for the log.
 */
export function settle({ outcome, transaction }: HandlerInput<DatabaseSync>, now: number): LedgerRow {
  const rows = new ShopRows(transaction)
  const { key, businessKey, status, currency } = outcome
  const row = { key, businessKey, operation: happened(outcome), status, amount: movedBy(outcome), currency, at: now }
  rows.addToLedger(row)
  if (outcome.kind === 'notice') noteLater(outcome, rows, now)
  else if (outcome.reference === undefined) endAsked(outcome, rows, now)
  else keepCard(outcome, outcome.reference, rows)
  return row
}

/** What the shop asked for. A notice names that as well, although something else has happened to it: a chargeback, say. */
function happened({ kind, operation, transactionType }: JournalOutcome): string {
  return kind === 'notice' ? (transactionType ?? operation) : operation
}

/** Records the outcome of an operation that the shop asked for. Payments without an order of the shop are only in the ledger. */
function endAsked(outcome: JournalOutcome, rows: ShopRows, now: number): void {
  const asked = rows.operation(outcome.businessKey)
  if (asked === undefined) return
  const { clientOrderId, orderId } = outcome
  rows.nameOrder(asked.shopOrder, { clientOrderId, orderId })
  rows.endOperation({ ...asked, ...endOf(outcome, asked), statusAt: now, note: undefined })
}

/** How an operation ended. A return turns out to be a cancel or a reversal. */
function endOf(outcome: JournalOutcome, asked: OperationRow) {
  const { status, transactionType } = outcome
  const type = transactionType?.toLowerCase() ?? ''
  return {
    status: isOperationStatus(status) ? status : ('error' as const),
    kind: isOperationKind(type) ? type : asked.kind,
    amount: movedBy(outcome) ?? asked.amount,
  }
}

/** Records what happened to an order without a request of the shop: a chargeback, a hold that expired. */
function noteLater(outcome: JournalOutcome, rows: ShopRows, now: number): void {
  const { key: name, clientOrderId, status, transactionType } = outcome
  const order = rows.orderOfClient(clientOrderId)
  const kind = transactionType?.toLowerCase() ?? ''
  if (order === undefined || !isOperationKind(kind) || !isOperationStatus(status)) return
  const amount = movedBy(outcome) ?? 0n
  rows.addOperation({ name, shopOrder: order.id, kind, amount, status, createdAt: now })
}

function keepCard({ clientOrderId }: JournalOutcome, reference: string, rows: ShopRows): void {
  const order = rows.orderOfClient(clientOrderId)
  if (order !== undefined) rows.storeCard(order.id, reference)
}

/** In cents. An operation that was not approved has moved nothing, and only its request has the amount. */
function movedBy({ status, amount }: JournalOutcome): bigint | undefined {
  return status === 'approved' && amount !== undefined ? BigInt(amount) : undefined
}
