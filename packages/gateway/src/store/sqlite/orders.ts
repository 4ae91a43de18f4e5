import { sqlColumns } from '@tallystick/core/internal'
import type { StoredOrder } from '../../orders/order.ts'
import { requireAppended } from '../check-change.ts'
import type { Readers } from '../sql/dialect.ts'
import type { KnownOrder, OrderCache } from '../sql/order-cache.ts'
import {
  OPERATION_INSERT,
  OPERATION_UPDATE,
  ORDER_COLUMNS,
  ORDER_INSERT,
  ORDER_UPDATE,
  type OrderRow,
  orderOf,
  SUM_COLUMNS,
} from '../sql/order-rows.ts'
import type { Queries } from '../sql/tables.ts'
import type { Conflict, OrderChange, OrderNames } from '../store.ts'
import { type Database, ONE, preparedStatement, slot, slots, slotsOf } from './database.ts'

/** Orders and their operations. Methods that write run within the transaction of the commit queue. */
export interface OrderTable {
  get(orderId: string): StoredOrder | undefined
  /** The youngest of the merchant's orders with this client order id. */
  youngest(names: Pick<OrderNames, 'login' | 'clientOrderId'>): StoredOrder | undefined
  /** The number of an order's row, which other tables refer to. */
  seqOf(orderId: string): number
  positionOf(orderId: string, operationId: string): number
  /** Why the change cannot be written. */
  conflict(change: OrderChange): Conflict | undefined
  /** Writes the change, or nothing if there is a conflict. */
  write(change: OrderChange, now: number): Conflict | undefined
}

export function orderTable(database: Database, queries: Queries, cache: OrderCache): OrderTable {
  const statements = orderStatements(database, queries)

  /** The order that a change is based on. */
  function known(orderId: string): KnownOrder | undefined {
    return cache.get(orderId) ?? read(statements.byId.get(orderId))
  }

  /** The operations are not read again if the cached order has this version: it may have thousands, and is read with each. */
  function read(row: OrderRow | undefined): KnownOrder | undefined {
    if (row === undefined) return undefined
    const cached = cache.get(row.order_id)
    if (cached?.order.version === Number(row.version)) return cached
    const seq = Number(row.seq)
    const found = { seq, order: orderOf(row, statements.operationsOf.all(seq)) }
    cache.set(found)
    return found
  }

  function conflict({ order, basedOn, repeatsAllowed = false }: OrderChange): Conflict | undefined {
    const existing = known(order.orderId)
    if (basedOn !== 'nothing') return existing?.order.version === basedOn ? undefined : 'order'
    if (existing !== undefined) return 'order'
    if (!repeatsAllowed && statements.lastNamed.get(order) !== undefined) return 'client-order-id'
    return statements.signed.get(order) === undefined ? undefined : 'control'
  }

  /** Most client order ids are new, so this inserts first, and looks for a conflict only if that fails. */
  function insert(change: OrderChange, now: number): Conflict | undefined {
    const { order, repeatsAllowed = false } = change
    const repetition = repeatsAllowed ? nextRepetition(order) : 0
    const { changes, seq } = statements.insert.run({ order, sums: sqlColumns(order.operations), now, repetition })
    if (changes === 0) return conflict(change) ?? refusePageToken()
    for (const [position, operation] of order.operations.entries()) {
      statements.insertOperation.run({ seq, operation, position })
    }
    cache.set({ seq, order })
    return undefined
  }

  function nextRepetition(order: StoredOrder): number {
    const last = statements.lastNamed.get(order)
    return last === undefined ? 0 : Number(last.repetition) + 1
  }

  function update({ order, basedOn }: OrderChange, now: number): Conflict | undefined {
    const before = known(order.orderId)
    if (before === undefined || before.order.version !== basedOn) return 'order'
    requireAppended(before.order.operations, order.operations)
    const { seq } = before
    const hasSameDetails = order.details === before.order.details
    const { changes } = statements.update.run({
      order,
      sums: sqlColumns(order.operations),
      now,
      seq,
      before: before.order.version,
      hasSameDetails,
    })
    if (changes === 0) throw new Error(`The row of order ${order.orderId} is not as it was written`)
    for (const [position, operation] of order.operations.entries()) {
      const there = before.order.operations[position]
      if (there === undefined) statements.insertOperation.run({ seq, operation, position })
      else if (there !== operation) statements.updateOperation.run({ seq, operation, position })
    }
    cache.set({ seq, order })
    return undefined
  }

  return {
    get: (orderId) => read(statements.byId.get(orderId))?.order,
    youngest: (names) => read(statements.byName.get(names))?.order,
    seqOf: (orderId) => {
      const found = known(orderId)
      if (found === undefined) throw new TypeError(`There is no order ${orderId}`)
      return found.seq
    },
    positionOf: (orderId, operationId) => {
      const position = known(orderId)?.order.operations.findIndex(({ id }) => id === operationId) ?? -1
      if (position < 0) throw new TypeError(`There is no operation ${operationId} of order ${orderId}`)
      return position
    },
    conflict,
    write: (change, now) => (change.basedOn === 'nothing' ? insert(change, now) : update(change, now)),
  }
}

function refusePageToken(): never {
  throw new TypeError('Another order has this page token')
}

/** The statements that every order runs. */
function orderStatements(database: Database, queries: Queries) {
  return {
    ...lookUps(database, queries),
    ...orderWrites(database, queries),
    ...operationWrites(database, queries),
  }
}

const BY_ID: Readers<string> = { order_id: (orderId) => orderId }
const BY_SEQ: Readers<number> = { seq: (seq) => seq }
const BY_NAME: Readers<Pick<OrderNames, 'login' | 'clientOrderId'>> = {
  login: ({ login }) => login,
  client_order_id: ({ clientOrderId }) => clientOrderId,
}

const BY_CONTROL: Readers<Pick<StoredOrder, 'login' | 'signedAs'>> = {
  login: ({ login }) => login,
  signed_as: ({ signedAs }) => signedAs ?? null,
}

function lookUps(database: Database, queries: Queries) {
  const named = queries
    .selectFrom('orders')
    .where('login', '=', slot('login'))
    .where('client_order_id', '=', slot('client_order_id'))
    .orderBy('repetition', 'desc')
    .limit(ONE)
  return {
    byId: preparedStatement(
      database,
      BY_ID,
      queries.selectFrom('orders').select(ORDER_COLUMNS).where('order_id', '=', slot('order_id')),
    ),
    byName: preparedStatement(database, BY_NAME, named.select(ORDER_COLUMNS)),
    lastNamed: preparedStatement(database, BY_NAME, named.select('repetition')),
    signed: preparedStatement(
      database,
      BY_CONTROL,
      queries
        .selectFrom('orders')
        .select('order_id')
        .where('signed_as', '=', slot('signed_as'))
        .where('login', '=', slot('login')),
    ),
    operationsOf: preparedStatement(
      database,
      BY_SEQ,
      queries.selectFrom('operations').selectAll().where('order_seq', '=', slot('seq')).orderBy('position'),
    ),
  }
}

function orderWrites(database: Database, queries: Queries) {
  return {
    insert: preparedStatement(
      database,
      ORDER_INSERT,
      queries
        .insertInto('orders')
        .values(slotsOf(ORDER_INSERT))
        .onConflict((conflict) => conflict.doNothing()),
    ),
    update: preparedStatement(
      database,
      ORDER_UPDATE,
      queries
        .updateTable('orders')
        .set((eb) => ({
          ...slots(['version', 'changed_at', 'page_token']),
          details: eb.fn.coalesce(eb.val(slot('details')), eb.ref('details')),
          ...slots(SUM_COLUMNS),
        }))
        .where('seq', '=', slot('seq'))
        .where('version', '=', slot('before')),
    ),
  }
}

function operationWrites(database: Database, queries: Queries) {
  return {
    insertOperation: preparedStatement(
      database,
      OPERATION_INSERT,
      queries.insertInto('operations').values(slotsOf(OPERATION_INSERT)),
    ),
    updateOperation: preparedStatement(
      database,
      OPERATION_UPDATE,
      queries
        .updateTable('operations')
        .set(slots(['status', 'status_at', 'token', 'outcome']))
        .where('order_seq', '=', slot('order_seq'))
        .where('position', '=', slot('position')),
    ),
  }
}
