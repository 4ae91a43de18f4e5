import { sqlColumnNames } from '@tallystick/core/internal'
import type { Selectable } from 'kysely'
import type { OperationOutcome, OrderDetails, StoredOperation, StoredOrder } from '../../orders/order.ts'
import type { Readers } from './dialect.ts'
import type { OperationsTable, OrdersTable } from './tables.ts'

/** Names of the columns that hold the sums of an order. Core defines them, with the constraints over them. */
export const SUM_COLUMNS: readonly string[] = sqlColumnNames()

interface OrderWrite {
  readonly order: StoredOrder
  /** For the constraints alone: a reader derives everything from the operations. */
  readonly sums: Readonly<Record<string, bigint>>
  readonly now: number
}

export interface OrderInsert extends OrderWrite {
  readonly repetition: number
}

export interface OrderUpdate extends OrderWrite {
  readonly seq: number
  /** The version in the database. */
  readonly before: number
  readonly hasSameDetails: boolean
}

export interface OperationWrite {
  readonly seq: number
  readonly position: number
  readonly operation: StoredOperation
}

const ORDER_WRITE = {
  ...Object.fromEntries(SUM_COLUMNS.map((name) => [name, ({ sums }: OrderWrite) => sums[name] ?? null])),
  version: ({ order }) => order.version,
  changed_at: ({ now }) => now,
  page_token: ({ order }) => order.details.pages?.token ?? null,
} satisfies Readers<OrderWrite>

export const ORDER_INSERT = {
  ...ORDER_WRITE,
  order_id: ({ order }) => order.orderId,
  login: ({ order }) => order.login,
  endpoint_id: ({ order }) => order.endpointId,
  client_order_id: ({ order }) => order.clientOrderId,
  repetition: ({ repetition }) => repetition,
  digest: ({ order }) => order.digest,
  signed_as: ({ order }) => order.signedAs ?? null,
  created_at: ({ order }) => order.createdAt,
  currency: ({ order }) => order.terms.currency,
  settle_after: ({ order }) => order.terms.settleAfter,
  hold_for: ({ order }) => order.terms.holdFor,
  payout_check_for: ({ order }) => order.terms.payoutCheckFor,
  details: ({ order }) => JSON.stringify(order.details),
} satisfies Readers<OrderInsert>

export const ORDER_UPDATE: Readers<OrderUpdate> = {
  ...ORDER_WRITE,
  seq: ({ seq }) => seq,
  before: ({ before }) => before,
  details: ({ order, hasSameDetails }) => (hasSameDetails ? null : JSON.stringify(order.details)),
}

export const OPERATION_UPDATE = {
  order_seq: ({ seq }) => seq,
  position: ({ position }) => position,
  status: ({ operation }) => operation.status,
  status_at: ({ operation }) => operation.statusAt,
  token: ({ operation }) => operation.token ?? null,
  outcome: ({ operation }) => JSON.stringify(operation.outcome),
} satisfies Readers<OperationWrite>

export const OPERATION_INSERT = {
  ...OPERATION_UPDATE,
  operation_id: ({ operation }) => operation.id,
  kind: ({ operation }) => operation.kind,
  amount: ({ operation }) => operation.amount,
  created_at: ({ operation }) => operation.createdAt,
  serial_number: ({ operation }) => operation.serialNumber,
} satisfies Readers<OperationWrite>

/** The columns that are read of an order: all but those that are derived from its operations. */
export const ORDER_COLUMNS = [
  'seq',
  'order_id',
  'version',
  'login',
  'endpoint_id',
  'client_order_id',
  'digest',
  'signed_as',
  'created_at',
  'currency',
  'settle_after',
  'hold_for',
  'payout_check_for',
  'details',
] as const

export type OrderRow = Pick<Selectable<OrdersTable>, (typeof ORDER_COLUMNS)[number]>
export type OperationRow = Selectable<OperationsTable>

export function orderOf(row: OrderRow, operations: readonly OperationRow[]): StoredOrder {
  return {
    orderId: row.order_id,
    version: Number(row.version),
    login: row.login,
    endpointId: row.endpoint_id,
    clientOrderId: row.client_order_id,
    digest: row.digest,
    ...(row.signed_as === null ? {} : { signedAs: row.signed_as }),
    createdAt: Number(row.created_at),
    terms: {
      currency: row.currency,
      settleAfter: Number(row.settle_after),
      holdFor: Number(row.hold_for),
      payoutCheckFor: Number(row.payout_check_for),
    },
    operations: operations.map(operationOf),
    details: JSON.parse(row.details) as OrderDetails,
  }
}

function operationOf(row: OperationRow): StoredOperation {
  return {
    id: row.operation_id,
    kind: row.kind,
    amount: row.amount,
    status: row.status,
    createdAt: Number(row.created_at),
    statusAt: Number(row.status_at),
    serialNumber: row.serial_number,
    token: row.token ?? undefined,
    outcome: JSON.parse(row.outcome) as OperationOutcome,
  }
}
