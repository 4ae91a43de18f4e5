import { type CompiledQuery, sql } from 'kysely'
import { type Queries, withKnownOperations, withSums } from '../../sql/tables.ts'
import type { Migration } from './migration.ts'

/**
 * All tables of the first release. Indexes are few, because each costs every sale: `due` for what waits, `sent` for what a
 * restart has to look up, `changed` for a merchant's latest orders, `created` and `given_up` for operators.
 */
export const first: Migration = {
  version: 1,
  name: 'first',
  statements: (queries) =>
    [
      ...orders(queries),
      ...operations(queries),
      postings(queries),
      ...deliveries(queries),
      ...tasks(queries),
      cards(queries),
      cardReferences(queries),
      recurringPayments(queries),
      nonces(queries),
      forgottenNonces(queries),
      keyChecks(queries),
      ...singleRows(queries),
    ]
      .map((statement) => statement.compile())
      .concat(operatorRecords(queries)),
}

const STRICT = sql`strict`
/** Rows are stored in the order of the primary key: those of one order together, with no second tree to search. */
const STRICT_BY_KEY = sql`strict, without rowid`

function orders({ schema }: Queries) {
  const table = schema
    .createTable('orders')
    .addColumn('seq', 'integer', (column) => column.primaryKey())
    .addColumn('order_id', 'text', (column) => column.notNull().unique())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('login', 'text', (column) => column.notNull())
    .addColumn('endpoint_id', 'text', (column) => column.notNull())
    .addColumn('client_order_id', 'text', (column) => column.notNull())
    .addColumn('repetition', 'integer', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('signed_as', 'text')
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('changed_at', 'integer', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('settle_after', 'integer', (column) => column.notNull())
    .addColumn('hold_for', 'integer', (column) => column.notNull())
    .addColumn('payout_check_for', 'integer', (column) => column.notNull())
    .addColumn('page_token', 'text')
    .addColumn('details', 'text', (column) => column.notNull())
    .addUniqueConstraint('client_order_id_once', ['login', 'client_order_id', 'repetition'])
  return [
    withSums(table, 'integer').modifyEnd(STRICT),
    schema
      .createIndex('orders_signed')
      .unique()
      .on('orders')
      .columns(['signed_as', 'login'])
      .where('signed_as', 'is not', null),
    schema.createIndex('orders_changed').on('orders').columns(['login', 'changed_at']),
    schema.createIndex('orders_created').on('orders').columns(['created_at', 'order_id']),
    schema.createIndex('orders_page').unique().on('orders').column('page_token').where('page_token', 'is not', null),
  ]
}

function operations({ schema }: Queries) {
  const table = schema
    .createTable('operations')
    .addColumn('order_seq', 'integer', (column) => column.notNull().references('orders.seq'))
    .addColumn('operation_id', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('amount', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('status_at', 'integer', (column) => column.notNull())
    .addColumn('serial_number', 'text', (column) => column.notNull())
    .addColumn('prepared', 'text')
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('operations_key', ['order_seq', 'position'])
  return [
    withKnownOperations(table).modifyEnd(STRICT_BY_KEY),
    schema.createIndex('operations_sent').on('operations').column('status_at').where(sql<boolean>`status = 'sent'`),
  ]
}

function postings({ schema }: Queries) {
  return schema
    .createTable('postings')
    .addColumn('order_seq', 'integer', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('amount', 'integer', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('at', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('postings_key', ['order_seq', 'position', 'account'])
    .addForeignKeyConstraint('postings_of', ['order_seq', 'position'], 'operations', ['order_seq', 'position'])
    .modifyEnd(STRICT_BY_KEY)
}

function deliveries({ schema }: Queries) {
  return [
    schema
      .createTable('deliveries')
      .addColumn('order_seq', 'integer', (column) => column.notNull().references('orders.seq'))
      .addColumn('delivery_id', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('due_at', 'integer')
      .addColumn('made', 'integer', (column) => column.notNull())
      .addColumn('first_at', 'integer')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('last_answer', 'text')
      .addColumn('claimed_at', 'integer')
      .addColumn('given_up_at', 'integer')
      .addPrimaryKeyConstraint('deliveries_key', ['order_seq', 'delivery_id'])
      .modifyEnd(STRICT_BY_KEY),
    schema
      .createIndex('deliveries_due')
      .on('deliveries')
      .columns(['due_at', 'delivery_id'])
      .where('due_at', 'is not', null),
    schema
      .createIndex('deliveries_given_up')
      .on('deliveries')
      .columns(['given_up_at', 'delivery_id'])
      .where('given_up_at', 'is not', null),
  ]
}

function tasks({ schema }: Queries) {
  return [
    schema
      .createTable('tasks')
      .addColumn('task_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('due_at', 'integer', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('order_seq', 'integer', (column) => column.references('orders.seq'))
      .addColumn('recurring_payment_id', 'text', (column) =>
        column.references('recurring_payments.recurring_payment_id'),
      )
      .addColumn('charge_number', 'integer')
      .addColumn('charge_date', 'text')
      .addColumn('tried', 'integer', (column) => column.notNull())
      .addColumn('claimed_at', 'integer')
      .addCheckConstraint(
        'tasks_about',
        sql`case kind when 'charge'
          then order_seq is null and recurring_payment_id is not null
            and charge_number is not null and charge_date is not null
          else order_seq is not null and recurring_payment_id is null end`,
      )
      .modifyEnd(STRICT_BY_KEY),
    schema.createIndex('tasks_due').on('tasks').columns(['due_at', 'task_id']),
    schema.createIndex('tasks_of').on('tasks').column('order_seq').where('order_seq', 'is not', null),
  ]
}

/** The id of a card is a digest, as good as random, so the rows are stored in the order of arrival instead. */
function cards({ schema }: Queries) {
  return schema
    .createTable('cards')
    .addColumn('seq', 'integer', (column) => column.primaryKey())
    .addColumn('card_id', 'text', (column) => column.notNull().unique())
    .addColumn('login', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('wrapped_key', 'blob', (column) => column.notNull())
    .addColumn('sealed_pan', 'blob', (column) => column.notNull())
    .addColumn('bin', 'text', (column) => column.notNull())
    .addColumn('last_four_digits', 'text', (column) => column.notNull())
    .addColumn('card_type', 'text', (column) => column.notNull())
    .addColumn('cardholder_name', 'text')
    .addColumn('expire_month', 'text')
    .addColumn('expire_year', 'text')
    .modifyEnd(STRICT)
}

function cardReferences({ schema }: Queries) {
  return schema
    .createTable('card_references')
    .addColumn('reference_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('login', 'text', (column) => column.notNull())
    .addColumn('card_id', 'text', (column) => column.notNull().references('cards.card_id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('order_id', 'text')
    .modifyEnd(STRICT_BY_KEY)
}

function recurringPayments({ schema }: Queries) {
  return schema
    .createTable('recurring_payments')
    .addColumn('recurring_payment_id', 'text', (column) => column.notNull().unique())
    .addColumn('login', 'text', (column) => column.notNull())
    .addColumn('client_order_id', 'text', (column) => column.notNull())
    .addColumn('card_id', 'text', (column) => column.notNull().references('cards.card_id'))
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('payment', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('recurring_payments_key', ['login', 'client_order_id'])
    .modifyEnd(STRICT_BY_KEY)
}

function nonces({ schema }: Queries) {
  return schema
    .createTable('nonces')
    .addColumn('timestamp', 'integer', (column) => column.notNull())
    .addColumn('consumer_key', 'text', (column) => column.notNull())
    .addColumn('nonce', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('nonces_key', ['timestamp', 'consumer_key', 'nonce'])
    .modifyEnd(STRICT_BY_KEY)
}

/** Seconds of which nonces were forgotten. */
function forgottenNonces({ schema }: Queries) {
  return schema
    .createTable('forgotten_nonces')
    .addColumn('forgotten_from', 'integer', (column) => column.primaryKey())
    .addColumn('forgotten_before', 'integer', (column) => column.notNull())
    .modifyEnd(STRICT)
}

/** The notes of `KeyNotes`: a gateway with other vault keys or exponents is refused. */
function keyChecks({ schema }: Queries) {
  return schema
    .createTable('key_checks')
    .addColumn('key_name', 'text', (column) => column.primaryKey())
    .addColumn('check_value', 'text', (column) => column.notNull())
    .modifyEnd(STRICT_BY_KEY)
}

/** Adding is all that can be done to the records, in this table's own words and not only in the program's. */
function operatorRecords(queries: Queries): CompiledQuery[] {
  const table = queries.schema
    .createTable('operator_records')
    .addColumn('seq', 'integer', (column) => column.primaryKey())
    .addColumn('at', 'integer', (column) => column.notNull())
    .addColumn('who', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('act', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('order_id', 'text')
    .addColumn('state_before', 'text', (column) => column.notNull())
    .addColumn('state_after', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .modifyEnd(STRICT)
  const stays = ['update', 'delete'].map((change) =>
    sql`create trigger ${sql.id(`operator_records_no_${change}`)} before ${sql.raw(change)} on operator_records
      begin select raise(abort, 'operator records are only added'); end`.compile(queries),
  )
  const ofOrder = queries.schema.createIndex('operator_records_of').on('operator_records').columns(['order_id', 'seq'])
  return [table.compile(), ofOrder.compile(), ...stays]
}

function singleRows(queries: Queries) {
  const single = (name: string, value: string) =>
    queries.schema
      .createTable(name)
      .addColumn('only', 'integer', (column) => column.primaryKey().check(sql`only = 1`))
      .addColumn(value, 'integer', (column) => column.notNull())
      .modifyEnd(STRICT)
  return [single('probe', 'written'), queries.insertInto('probe').values({ only: 1, written: 0 })]
}
