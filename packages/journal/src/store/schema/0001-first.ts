import { type DialectName, type Migration, strict, wholeOf } from '@tallystick/durable/schema'
import { sql } from 'kysely'
import { queries } from './tables.ts'

/** All tables of the first release. Whatever must not exist twice has a unique index, which holds across all processes. */
export const first: Migration = {
  version: 1,
  name: 'first',
  worksWith: 1,
  statements: (dialect) =>
    [...intents(dialect), ...outcomes(dialect), ...orphanOrders(dialect), gatewayAnswers(dialect)].map((statement) =>
      statement.compile(),
    ),
}

function intents(dialect: DialectName) {
  const { schema } = queries[dialect]
  const whole = wholeOf(dialect)
  const table = schema
    .createTable('journal_intents')
    .addColumn('intent_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('business_key', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('client_order_id', 'text', (column) => column.notNull())
    .addColumn('order_id', 'text')
    .addColumn('endpoint_id', 'text')
    .addColumn('endpoint_group_id', 'text')
    .addColumn('amounts', 'text', (column) => column.notNull())
    .addColumn('currency', 'text')
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', whole, (column) => column.notNull())
    .addColumn('sent_at', whole)
    .addColumn('deadline_ms', 'integer', (column) => column.notNull())
    .addColumn('sends', 'integer', (column) => column.notNull())
    .addColumn('lease_until', whole)
    .addColumn('lease_owner', 'text')
    .addColumn('next_check_at', whole)
    .addColumn('watch_at', whole)
    .addColumn('looked_at', whole)
    .addColumn('woken_at', whole)
    .addColumn('absences', 'integer', (column) => column.notNull())
    .addColumn('first_absence_at', whole)
    .addColumn('rejection', 'text')
    .addColumn('is_paid_before', 'integer')
    .addColumn('order_before', 'text')
    .addColumn('observed', 'text')
    .addColumn('serial_number', 'text')
    .addColumn('redirect_url', 'text')
    .addColumn('reference', 'text')
    .addColumn('status', 'text')
    .addColumn('review_reason', 'text')
    .addColumn('holds_key', 'integer', (column) => column.notNull())
    .addColumn('holds_order', 'integer', (column) => column.notNull())
    .addColumn('evidence', 'text', (column) => column.notNull())
    .addUniqueConstraint('journal_intents_attempt', ['business_key', 'attempt'])
  const index = (name: string) => schema.createIndex(name).on('journal_intents')
  return [
    strict(table, dialect),
    index('journal_intents_active').unique().column('business_key').where(sql<boolean>`holds_key = 1`),
    index('journal_intents_order').unique().column('order_id').where(sql<boolean>`holds_order = 1`),
    index('journal_intents_opening').unique().column('client_order_id').where(sql<boolean>`kind = 'opening'`),
    index('journal_intents_of_order').column('client_order_id'),
    index('journal_intents_due').column('next_check_at').where(sql<boolean>`next_check_at is not null`),
    index('journal_intents_watched').column('watch_at').where(sql<boolean>`watch_at is not null`),
    index('journal_intents_reference').column('reference').where(sql<boolean>`reference is not null`),
    index('journal_intents_known')
      .columns(['endpoint_id', 'endpoint_group_id', 'looked_at'])
      .where(sql<boolean>`order_id is not null and observed is not null`),
    index('journal_intents_again').column('business_key').where(sql<boolean>`attempt > 1`),
    index('journal_intents_state').columns(['state', 'created_at']),
  ]
}

function outcomes(dialect: DialectName) {
  const { schema } = queries[dialect]
  const whole = wholeOf(dialect)
  const table = schema
    .createTable('journal_outcomes')
    .addColumn('client_order_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('due_at', whole, (column) => column.notNull())
    .addColumn('handled_at', whole)
    .addPrimaryKeyConstraint('journal_outcomes_key', ['client_order_id', 'number'])
  const index = (name: string) => schema.createIndex(name).on('journal_outcomes')
  return [
    strict(table, dialect),
    index('journal_outcomes_open').columns(['client_order_id', 'number']).where(sql<boolean>`handled_at is null`),
    index('journal_outcomes_due').columns(['due_at', 'client_order_id']).where(sql<boolean>`handled_at is null`),
  ]
}

function orphanOrders(dialect: DialectName) {
  const { schema } = queries[dialect]
  const whole = wholeOf(dialect)
  const table = schema
    .createTable('journal_orphan_orders')
    .addColumn('client_order_id', 'text', (column) => column.notNull())
    .addColumn('order_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('type', 'text')
    .addColumn('amount', 'text')
    .addColumn('currency', 'text')
    .addColumn('received_at', whole, (column) => column.notNull())
    .addColumn('woken_at', whole, (column) => column.notNull())
    .addColumn('callbacks', 'integer', (column) => column.notNull())
    .addColumn('next_check_at', whole)
    .addColumn('watch_at', whole)
    .addColumn('lease_until', whole)
    .addColumn('told', 'text')
    .addColumn('told_at', whole)
    .addPrimaryKeyConstraint('journal_orphan_orders_key', ['client_order_id', 'order_id'])
  const index = (name: string) => schema.createIndex(name).on('journal_orphan_orders')
  return [
    strict(table, dialect),
    index('journal_orphan_orders_due').column('next_check_at').where(sql<boolean>`next_check_at is not null`),
    index('journal_orphan_orders_watched').column('watch_at').where(sql<boolean>`watch_at is not null`),
    index('journal_orphan_orders_open').column('received_at').where(sql<boolean>`told_at is null`),
    index('journal_orphan_orders_told').column('told_at').where(sql<boolean>`told_at is not null`),
  ]
}

function gatewayAnswers(dialect: DialectName) {
  const table = queries[dialect].schema
    .createTable('journal_gateway_answers')
    .addColumn('endpoint_id', 'text', (column) => column.notNull())
    .addColumn('endpoint_group_id', 'text', (column) => column.notNull())
    .addColumn('at', wholeOf(dialect), (column) => column.notNull())
    .addPrimaryKeyConstraint('journal_gateway_answers_key', ['endpoint_id', 'endpoint_group_id'])
  return strict(table, dialect)
}
