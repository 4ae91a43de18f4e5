import { sql } from 'kysely'
import type { Posting } from '../../ledger/ledger.ts'
import type { StoredOrder } from '../../orders/order.ts'
import type { SealedCard } from '../../vault/sealed-card.ts'
import { matchesNames } from '../check-change.ts'
import type { Delivery } from '../delivery.ts'
import type { OperatorRecord, RecordFilter } from '../operator-record.ts'
import { decodeRecurringPayment, type RecurringPayment } from '../recurring-payment.ts'
import type { KeyCheck, OrderNames, OrderTask } from '../store.ts'
import type { Readers } from './dialect.ts'
import { cardOf, deliveryOf, taskOf } from './rows.ts'
import type { Queries } from './tables.ts'

/** Queries that seldom run. They return orders by their ids. */

export async function orderIdByPageToken(queries: Queries, token: string): Promise<string | undefined> {
  const row = await queries.selectFrom('orders').select('order_id').where('page_token', '=', token).executeTakeFirst()
  return row?.order_id
}

/** The merchant's youngest order with the client order id and an operation with the serial number. */
export async function orderIdBySerialNumber(
  queries: Queries,
  { login, clientOrderId, serialNumber = '' }: OrderNames,
): Promise<string | undefined> {
  const row = await queries
    .selectFrom('orders')
    .innerJoin('operations', 'operations.order_seq', 'orders.seq')
    .select('order_id')
    .where('login', '=', login)
    .where('client_order_id', '=', clientOrderId)
    .where('serial_number', '=', serialNumber)
    .orderBy('repetition', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.order_id
}

export async function sentOrderIds(queries: Queries, before: number, limit: number): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom('operations')
    .innerJoin('orders', 'orders.seq', 'operations.order_seq')
    .select('order_id')
    .where('status', '=', sql.lit('sent'))
    .where('status_at', '<', BigInt(before))
    .groupBy('orders.seq')
    .orderBy(({ fn }) => fn.min('status_at'))
    .orderBy('orders.seq')
    .limit(limit)
    .execute()
  return rows.map(({ order_id }) => order_id)
}

export async function recentOrderIds(queries: Queries, login: string, limit: number): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom('orders')
    .select('order_id')
    .where('login', '=', login)
    .orderBy('changed_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ order_id }) => order_id)
}

export async function postingsOfOrder(queries: Queries, orderId: string): Promise<readonly Posting[]> {
  const rows = await queries
    .selectFrom('orders')
    .innerJoin('operations', 'operations.order_seq', 'orders.seq')
    .innerJoin('postings', (join) =>
      join
        .onRef('postings.order_seq', '=', 'operations.order_seq')
        .onRef('postings.position', '=', 'operations.position'),
    )
    .select(['operation_id', 'account', 'postings.amount', 'postings.currency', 'at'])
    .where('order_id', '=', orderId)
    .orderBy('at')
    .orderBy('operation_id')
    .orderBy('account')
    .execute()
  return rows.map(({ operation_id, account, amount, currency, at }) => {
    return { orderId, operationId: operation_id, account, amount, currency, at: Number(at) }
  })
}

export async function deliveriesOfOrder(queries: Queries, orderId: string): Promise<readonly Delivery[]> {
  const rows = await queries
    .selectFrom('deliveries')
    .innerJoin('orders', 'orders.seq', 'deliveries.order_seq')
    .selectAll('deliveries')
    .select('order_id')
    .where('order_id', '=', orderId)
    .orderBy('deliveries.created_at')
    .orderBy('delivery_id')
    .execute()
  return rows.map(deliveryOf)
}

export async function tasksOfOrder(queries: Queries, orderId: string): Promise<readonly OrderTask[]> {
  const rows = await queries
    .selectFrom('tasks')
    .innerJoin('orders', 'orders.seq', 'tasks.order_seq')
    .selectAll('tasks')
    .select('order_id')
    .where('order_id', '=', orderId)
    .orderBy('tasks.due_at')
    .orderBy('task_id')
    .execute()
  return rows.map(taskOf).filter((task) => task.kind !== 'charge')
}

export async function cardsUnderOtherKeys(
  queries: Queries,
  keyId: string,
  after: string,
  limit: number,
): Promise<readonly SealedCard[]> {
  const rows = await queries
    .selectFrom('cards')
    .selectAll()
    .where('card_id', '>', after)
    .where('key_id', '<>', keyId)
    .orderBy('card_id')
    .limit(limit)
    .execute()
  return rows.map(cardOf)
}

export async function recurringPaymentOf(
  queries: Queries,
  login: string,
  clientOrderId: string,
): Promise<RecurringPayment | undefined> {
  const row = await queries
    .selectFrom('recurring_payments')
    .select('payment')
    .where('login', '=', login)
    .where('client_order_id', '=', clientOrderId)
    .executeTakeFirst()
  return row && decodeRecurringPayment(row.payment)
}

export async function operatorRecordsOf(
  queries: Queries,
  { orderId, limit }: RecordFilter,
): Promise<readonly OperatorRecord[]> {
  const all = queries.selectFrom('operator_records').selectAll()
  const meant = orderId === undefined ? all : all.where('order_id', '=', orderId)
  return (await meant.orderBy('seq', 'desc').limit(limit).execute()).map((row) => ({
    at: Number(row.at),
    who: row.who,
    from: row.origin,
    act: row.act,
    subject: row.subject,
    orderId: row.order_id ?? undefined,
    before: row.state_before,
    after: row.state_after,
    why: row.reason,
  }))
}

/** The columns of a record, by what they hold. */
export const RECORD_INSERT = {
  at: ({ at }) => at,
  who: ({ who }) => who,
  origin: ({ from }) => from,
  act: ({ act }) => act,
  subject: ({ subject }) => subject,
  order_id: ({ orderId }) => orderId ?? null,
  state_before: ({ before }) => before,
  state_after: ({ after }) => after,
  reason: ({ why }) => why,
} satisfies Readers<OperatorRecord>

type Found = StoredOrder | undefined | Promise<StoredOrder | undefined>

interface OrderLookUps {
  readonly byId: (orderId: string) => Found
  /** The youngest of the merchant's orders with one client order id. */
  readonly youngest: (names: OrderNames) => Found
  readonly idBySerialNumber: (names: OrderNames) => Promise<string | undefined>
}

/** The merchant's order with these names. */
export async function findOrder(
  names: OrderNames,
  { byId, youngest, idBySerialNumber }: OrderLookUps,
): Promise<StoredOrder | undefined> {
  if (names.orderId === undefined && names.serialNumber === undefined) return youngest(names)
  const orderId = names.orderId ?? (await idBySerialNumber(names))
  const order = orderId === undefined ? undefined : await byId(orderId)
  return order !== undefined && matchesNames(order, names) ? order : undefined
}

export async function notedKeys(queries: Queries): Promise<readonly KeyCheck[]> {
  const rows = await queries.selectFrom('key_checks').selectAll().orderBy('key_name').execute()
  return rows.map(({ key_name, check_value }) => ({ name: key_name, value: check_value }))
}

export async function isKeyInUse(queries: Queries, keyId: string): Promise<boolean> {
  const row = await queries
    .selectFrom('cards')
    .select('card_id')
    .where('key_id', '=', keyId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
