import type { StoredOrder } from '../../orders/order.ts'
import { OPERATION_INSERT, OPERATION_UPDATE, ORDER_COLUMNS, ORDER_INSERT, ORDER_UPDATE } from '../sql/order-rows.ts'
import type { Readers } from '../sql/readers.ts'
import { SUM_COLUMNS } from '../sql/sum-columns.ts'
import type { Queries } from '../sql/tables.ts'
import type { OrderNames } from '../store.ts'
import type { Database } from './database.ts'
import { ONE } from './limits.ts'
import { hotStatement, slot, slots, slotsOf } from './prepared-statement.ts'

/** The statements that every order runs. */
export function orderStatements(database: Database, queries: Queries) {
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
    byId: hotStatement(
      database,
      BY_ID,
      queries.selectFrom('orders').select(ORDER_COLUMNS).where('order_id', '=', slot('order_id')),
    ),
    byName: hotStatement(database, BY_NAME, named.select(ORDER_COLUMNS)),
    lastNamed: hotStatement(database, BY_NAME, named.select('repetition')),
    signed: hotStatement(
      database,
      BY_CONTROL,
      queries
        .selectFrom('orders')
        .select('order_id')
        .where('signed_as', '=', slot('signed_as'))
        .where('login', '=', slot('login')),
    ),
    operationsOf: hotStatement(
      database,
      BY_SEQ,
      queries.selectFrom('operations').selectAll().where('order_seq', '=', slot('seq')).orderBy('position'),
    ),
  }
}

function orderWrites(database: Database, queries: Queries) {
  return {
    insert: hotStatement(
      database,
      ORDER_INSERT,
      queries
        .insertInto('orders')
        .values(slotsOf(ORDER_INSERT))
        .onConflict((conflict) => conflict.doNothing()),
    ),
    update: hotStatement(
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
    insertOperation: hotStatement(
      database,
      OPERATION_INSERT,
      queries.insertInto('operations').values(slotsOf(OPERATION_INSERT)),
    ),
    updateOperation: hotStatement(
      database,
      OPERATION_UPDATE,
      queries
        .updateTable('operations')
        .set(slots(['status', 'status_at', 'prepared', 'outcome']))
        .where('order_seq', '=', slot('order_seq'))
        .where('position', '=', slot('position')),
    ),
  }
}
