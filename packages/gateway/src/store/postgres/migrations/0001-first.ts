import { type CompiledQuery, sql } from 'kysely'
import { type Queries, withKnownOperations, withSums } from '../../sql/tables.ts'
import { SEQ_BLOCK } from '../locks.ts'
import type { Migration } from './migration.ts'

/**
 * All tables of the first release: those of SQLite, and `nodes`. Indexes are few, because each costs every sale: `due` for
 * what waits, `sent` for what a process that is gone has left, `changed` for a merchant's latest orders, `created` and `given_up`
 * for operators.
 */
export const first: Migration = {
  version: 1,
  name: 'first',
  worksWith: 1,
  statements: (queries, schema) => {
    const to = queries.withSchema(schema)
    return [
      ...orders(to, queries, schema),
      ...operations(to),
      postings(to),
      ...deliveries(to),
      ...cards(to),
      cardReferences(to),
      recurringPayments(to),
      ...tasks(to),
      nonces(to),
      forgottenNonces(to),
      ...nodes(to),
      keyChecks(to),
      ...singleRows(to),
      ...operatorRecords(to, queries, schema),
    ]
  },
}

/** Texts are compared and sorted byte by byte, as in SQLite, whatever the language of the database. */
const TEXT = sql`text collate "C"`

function orders({ schema }: Queries, queries: Queries, name: string): CompiledQuery[] {
  const table = schema
    .createTable('orders')
    .addColumn('seq', 'bigint', (column) => column.primaryKey())
    .addColumn('order_id', TEXT, (column) => column.notNull().unique())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('login', TEXT, (column) => column.notNull())
    .addColumn('endpoint_id', TEXT, (column) => column.notNull())
    .addColumn('client_order_id', TEXT, (column) => column.notNull())
    .addColumn('repetition', 'bigint', (column) => column.notNull())
    .addColumn('digest', TEXT, (column) => column.notNull())
    .addColumn('signed_as', TEXT)
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('currency', TEXT, (column) => column.notNull())
    .addColumn('settle_after', 'bigint', (column) => column.notNull())
    .addColumn('hold_for', 'bigint', (column) => column.notNull())
    .addColumn('payout_check_for', 'bigint', (column) => column.notNull())
    .addColumn('page_token', TEXT)
    .addColumn('details', TEXT, (column) => column.notNull())
    .addUniqueConstraint('client_order_id_once', ['login', 'client_order_id', 'repetition'])
  return [
    sql`create sequence ${sql.id(name, 'order_seqs')} increment by ${sql.lit(SEQ_BLOCK)}`.compile(queries),
    withSums(table, 'bigint').compile(),
    schema
      .createIndex('orders_signed')
      .unique()
      .on('orders')
      .columns(['signed_as', 'login'])
      .where('signed_as', 'is not', null)
      .compile(),
    schema.createIndex('orders_changed').on('orders').columns(['login', 'changed_at', 'seq']).compile(),
    schema.createIndex('orders_created').on('orders').columns(['created_at', 'order_id']).compile(),
    schema
      .createIndex('orders_page')
      .unique()
      .on('orders')
      .column('page_token')
      .where('page_token', 'is not', null)
      .compile(),
  ]
}

function operations({ schema }: Queries): CompiledQuery[] {
  const table = schema
    .createTable('operations')
    .addColumn('order_seq', 'bigint', (column) => column.notNull().references('orders.seq'))
    .addColumn('operation_id', TEXT, (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('kind', TEXT, (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('status', TEXT, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('status_at', 'bigint', (column) => column.notNull())
    .addColumn('serial_number', TEXT, (column) => column.notNull())
    .addColumn('prepared', TEXT)
    .addColumn('outcome', TEXT, (column) => column.notNull())
    .addColumn('sent_by', 'bigint')
    .addPrimaryKeyConstraint('operations_key', ['order_seq', 'position'])
  return [
    withKnownOperations(table).compile(),
    schema
      .createIndex('operations_sent')
      .on('operations')
      .column('status_at')
      .where(sql<boolean>`status = 'sent'`)
      .compile(),
  ]
}

function postings({ schema }: Queries): CompiledQuery {
  return schema
    .createTable('postings')
    .addColumn('order_seq', 'bigint', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('account', TEXT, (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('currency', TEXT, (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('postings_key', ['order_seq', 'position', 'account'])
    .addForeignKeyConstraint('postings_of', ['order_seq', 'position'], 'operations', ['order_seq', 'position'])
    .compile()
}

function deliveries({ schema }: Queries): CompiledQuery[] {
  return [
    schema
      .createTable('deliveries')
      .addColumn('order_seq', 'bigint', (column) => column.notNull().references('orders.seq'))
      .addColumn('delivery_id', TEXT, (column) => column.notNull())
      .addColumn('url', TEXT, (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('made', 'bigint', (column) => column.notNull())
      .addColumn('first_at', 'bigint')
      .addColumn('state', TEXT, (column) => column.notNull())
      .addColumn('last_answer', TEXT)
      .addColumn('claimed_by', 'bigint')
      .addColumn('given_up_at', 'bigint')
      .addPrimaryKeyConstraint('deliveries_key', ['order_seq', 'delivery_id'])
      .compile(),
    schema
      .createIndex('deliveries_due')
      .on('deliveries')
      .columns(['due_at', 'delivery_id'])
      .where('due_at', 'is not', null)
      .compile(),
    schema
      .createIndex('deliveries_given_up')
      .on('deliveries')
      .columns(['given_up_at', 'delivery_id'])
      .where('given_up_at', 'is not', null)
      .compile(),
    claimed(schema, 'deliveries'),
  ]
}

/** Few rows are claimed at a time. They are searched for those that nodes which are gone had claimed. */
function claimed(schema: Queries['schema'], table: 'deliveries' | 'tasks'): CompiledQuery {
  return schema
    .createIndex(`${table}_claimed`)
    .on(table)
    .column('claimed_by')
    .where(sql.ref('claimed_by'), 'is not', null)
    .compile()
}

function tasks({ schema }: Queries): CompiledQuery[] {
  return [
    schema
      .createTable('tasks')
      .addColumn('task_id', TEXT, (column) => column.primaryKey())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('kind', TEXT, (column) => column.notNull())
      .addColumn('order_seq', 'bigint', (column) => column.references('orders.seq'))
      .addColumn('recurring_payment_id', TEXT, (column) => column.references('recurring_payments.recurring_payment_id'))
      .addColumn('charge_number', 'bigint')
      .addColumn('charge_date', TEXT)
      .addColumn('tried', 'bigint', (column) => column.notNull())
      .addColumn('claimed_by', 'bigint')
      .addCheckConstraint(
        'tasks_about',
        sql`case kind when 'charge'
          then order_seq is null and recurring_payment_id is not null
            and charge_number is not null and charge_date is not null
          else order_seq is not null and recurring_payment_id is null end`,
      )
      .compile(),
    schema.createIndex('tasks_due').on('tasks').columns(['due_at', 'task_id']).compile(),
    claimed(schema, 'tasks'),
    schema.createIndex('tasks_of').on('tasks').column('order_seq').where('order_seq', 'is not', null).compile(),
  ]
}

function cards({ schema }: Queries): CompiledQuery[] {
  const table = schema
    .createTable('cards')
    .addColumn('card_id', TEXT, (column) => column.primaryKey())
    .addColumn('login', TEXT, (column) => column.notNull())
    .addColumn('fingerprint', TEXT, (column) => column.notNull())
    .addColumn('key_id', TEXT, (column) => column.notNull())
    .addColumn('wrapped_key', 'bytea', (column) => column.notNull())
    .addColumn('sealed_pan', 'bytea', (column) => column.notNull())
    .addColumn('bin', TEXT, (column) => column.notNull())
    .addColumn('last_four_digits', TEXT, (column) => column.notNull())
    .addColumn('card_type', TEXT, (column) => column.notNull())
    .addColumn('cardholder_name', TEXT)
    .addColumn('expire_month', TEXT)
    .addColumn('expire_year', TEXT)
  // Each start asks whether a card is under a key that the process does not have.
  return [table.compile(), schema.createIndex('cards_key').on('cards').column('key_id').compile()]
}

function cardReferences({ schema }: Queries): CompiledQuery {
  return schema
    .createTable('card_references')
    .addColumn('reference_id', TEXT, (column) => column.primaryKey())
    .addColumn('login', TEXT, (column) => column.notNull())
    .addColumn('card_id', TEXT, (column) => column.notNull().references('cards.card_id'))
    .addColumn('kind', TEXT, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('order_id', TEXT)
    .compile()
}

function recurringPayments({ schema }: Queries): CompiledQuery {
  return schema
    .createTable('recurring_payments')
    .addColumn('recurring_payment_id', TEXT, (column) => column.notNull().unique())
    .addColumn('login', TEXT, (column) => column.notNull())
    .addColumn('client_order_id', TEXT, (column) => column.notNull())
    .addColumn('card_id', TEXT, (column) => column.notNull().references('cards.card_id'))
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('payment', TEXT, (column) => column.notNull())
    .addPrimaryKeyConstraint('recurring_payments_key', ['login', 'client_order_id'])
    .compile()
}

/** Bytes: a nonce is whatever the merchant chose, and a text of PostgreSQL cannot hold a zero. */
function nonces({ schema }: Queries): CompiledQuery {
  return schema
    .createTable('nonces')
    .addColumn('timestamp', 'bigint', (column) => column.notNull())
    .addColumn('consumer_key', TEXT, (column) => column.notNull())
    .addColumn('nonce', 'bytea', (column) => column.notNull())
    .addPrimaryKeyConstraint('nonces_key', ['timestamp', 'consumer_key', 'nonce'])
    .compile()
}

/**
 * The processes that write here: until when each is known to be alive, and which of its transactions was committed last. These
 * are rows of two tables: each transaction writes the second, and a renewal of the first must not wait for it.
 */
function nodes({ schema }: Queries): CompiledQuery[] {
  return [
    schema
      .createTable('nodes')
      .addColumn('node_id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
      .addColumn('alive_until', 'timestamptz', (column) => column.notNull())
      .compile(),
    schema
      .createTable('node_marks')
      .addColumn('node_id', 'bigint', (column) => column.primaryKey().references('nodes.node_id').onDelete('cascade'))
      .addColumn('last_mark', 'bigint', (column) => column.notNull())
      .compile(),
  ]
}

/** Seconds of which nonces were forgotten. Spans may overlap: several nodes write them. */
function forgottenNonces({ schema }: Queries): CompiledQuery {
  return schema
    .createTable('forgotten_nonces')
    .addColumn('forgotten_from', 'bigint', (column) => column.notNull())
    .addColumn('forgotten_before', 'bigint', (column) => column.notNull())
    .compile()
}

/** The notes of `KeyNotes`: a gateway with other vault keys or exponents is refused. */
function keyChecks({ schema }: Queries): CompiledQuery {
  return schema
    .createTable('key_checks')
    .addColumn('key_name', TEXT, (column) => column.primaryKey())
    .addColumn('check_value', TEXT, (column) => column.notNull())
    .compile()
}

function singleRows(queries: Queries): CompiledQuery[] {
  const single = (name: string, value: string) =>
    queries.schema
      .createTable(name)
      .addColumn('only', 'bigint', (column) => column.primaryKey().check(sql`"only" = 1`))
      .addColumn(value, 'bigint', (column) => column.notNull())
      .compile()
  return [single('probe', 'written'), queries.insertInto('probe').values({ only: 1, written: 0 }).compile()]
}

/** Adding is all that can be done to the records, in this table's own words and not only in the program's. */
function operatorRecords({ schema }: Queries, queries: Queries, name: string): CompiledQuery[] {
  const only = sql.id(name, 'operator_records_only_grow')
  return [
    schema
      .createTable('operator_records')
      .addColumn('seq', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('who', TEXT, (column) => column.notNull())
      .addColumn('origin', TEXT, (column) => column.notNull())
      .addColumn('act', TEXT, (column) => column.notNull())
      .addColumn('subject', TEXT, (column) => column.notNull())
      .addColumn('order_id', TEXT)
      .addColumn('state_before', TEXT, (column) => column.notNull())
      .addColumn('state_after', TEXT, (column) => column.notNull())
      .addColumn('reason', TEXT, (column) => column.notNull())
      .compile(),
    schema.createIndex('operator_records_of').on('operator_records').columns(['order_id', 'seq']).compile(),
    sql`create function ${only}() returns trigger language plpgsql as
      'begin raise exception ''operator records are only added''; end'`.compile(queries),
    sql`create trigger only_grow before update or delete or truncate on ${sql.id(name, 'operator_records')}
      for each statement execute function ${only}()`.compile(queries),
  ]
}
