import type { DatabaseSync } from 'node:sqlite'
import type { JournalOutcome } from '@tallystick/journal'
import type { LedgerRow, OperationRow } from '../rows/order.ts'
import { isOperationKind, isOperationStatus } from '../rows/read-columns.ts'
import { ShopRows } from '../rows/shop-rows.ts'

/**
 * The journal's handler: writes an outcome into the shop's rows, within the transaction that marks it as reported. So the outcome
 * takes effect exactly once, whatever crashes. The journal has compared the ids and the amount: an outcome that differs never
 * gets here. Gives the row of the ledger, for the log.
 */
export function settle(outcome: JournalOutcome, transaction: DatabaseSync, now: number): LedgerRow {
  const rows = new ShopRows(transaction)
  if (outcome.reference === undefined) endAsked(outcome, rows, now)
  else keepCard(outcome, outcome.reference, rows)
  return inLedger(outcome, outcome.operation, rows, now)
}

/**
 * The journal's `onNotice`: what happened to an order without a request of the shop, such as a chargeback, or a hold that
 * expired. A notice names the operation as well, although something else has happened to it.
 */
export function noteLater(notice: JournalOutcome, transaction: DatabaseSync, now: number): LedgerRow {
  const rows = new ShopRows(transaction)
  const { key: name, clientOrderId, status, transactionType, operation } = notice
  const order = rows.orderOfClient(clientOrderId)
  const kind = transactionType?.toLowerCase() ?? ''
  if (order !== undefined && isOperationKind(kind) && isOperationStatus(status)) {
    const amount = movedBy(notice) ?? 0n
    rows.addOperation({ name, shopOrder: order.id, kind, amount, status, createdAt: now })
  }
  return inLedger(notice, transactionType ?? operation, rows, now)
}

function inLedger(outcome: JournalOutcome, operation: string, rows: ShopRows, now: number): LedgerRow {
  const { key, businessKey, status, currency } = outcome
  const row = { key, businessKey, operation, status, amount: movedBy(outcome), currency, at: now }
  rows.addToLedger(row)
  return row
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

function keepCard({ clientOrderId }: JournalOutcome, reference: string, rows: ShopRows): void {
  const order = rows.orderOfClient(clientOrderId)
  if (order !== undefined) rows.storeCard(order.id, reference)
}

/** In cents. An operation that was not approved has moved nothing, and only its request has the amount. */
function movedBy({ status, amount }: JournalOutcome): bigint | undefined {
  return status === 'approved' && amount !== undefined ? BigInt(amount) : undefined
}
