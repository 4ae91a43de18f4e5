import { OPERATION_KINDS, OPERATION_STATUSES, type OperationKind, type OperationStatus } from '@tallystick/core'
import type { LedgerRow, OperationRow, OrderRow } from './order.ts'

/** A row as the database returns it. */
export type Columns = Readonly<Record<string, unknown>>

export function orderRowOf(row: Columns): OrderRow {
  return {
    id: text(row['id']),
    name: text(row['name']),
    amount: cents(row['amount']),
    currency: text(row['currency']),
    createdAt: Number(row['created_at']),
    clientOrderId: maybe(row['client_order_id'], text),
    orderId: maybe(row['order_id'], text),
    payUrl: maybe(row['pay_url'], text),
    cardRefId: maybe(row['card_ref_id'], text),
  }
}

export function operationRowOf(row: Columns): OperationRow {
  return {
    name: text(row['name']),
    shopOrder: text(row['shop_order']),
    kind: kind(row['kind']),
    amount: cents(row['amount']),
    status: status(row['status']),
    createdAt: Number(row['created_at']),
    statusAt: Number(row['status_at']),
    note: maybe(row['note'], text),
  }
}

export function ledgerRowOf(row: Columns): LedgerRow {
  return {
    key: text(row['key']),
    businessKey: text(row['business_key']),
    operation: text(row['operation']),
    status: text(row['status']),
    amount: maybe(row['amount'], cents),
    currency: maybe(row['currency'], text),
    at: Number(row['at']),
  }
}

/** Whether the rules know this kind. The gateway may report others, such as a dispute, which move no money. */
export function isOperationKind(kind: string): kind is OperationKind {
  return Object.hasOwn(OPERATION_KINDS, kind)
}

export function isOperationStatus(status: string): status is OperationStatus {
  return OPERATION_STATUSES.some((each) => each === status)
}

function maybe<Value>(column: unknown, read: (column: unknown) => Value): Value | undefined {
  return column === null ? undefined : read(column)
}

function text(column: unknown): string {
  return String(column)
}

function cents(column: unknown): bigint {
  return BigInt(Number(column))
}

function kind(column: unknown): OperationKind {
  const name = text(column)
  if (isOperationKind(name)) return name
  throw new Error(`The shop has an operation of the kind ${name}`)
}

function status(column: unknown): OperationStatus {
  const name = text(column)
  if (isOperationStatus(name)) return name
  throw new Error(`The shop has an operation with the status ${name}`)
}
