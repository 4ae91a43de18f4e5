import { type DialectName, type Migration, strict, wholeOf } from '@tallystick/durable/schema'
import { type CompiledQuery, type CreateTableBuilder, sql } from 'kysely'
import { MYSQL_CHARACTERS, queries } from './tables.ts'

/** All tables of the first release. Whatever must not exist twice has a unique index, which holds across all processes. */
export const first: Migration = {
  version: 1,
  name: 'first',
  worksWith: 1,
  statements: (dialect) => [
    ...intents(dialect),
    ...outcomes(dialect),
    ...orphanOrders(dialect),
    ...gatewayAnswers(dialect),
  ],
}

/** The types of texts: of a business key, of what else an index has, and of all others. MySQL has no index of long texts. */
function textsOf(dialect: DialectName) {
  if (dialect !== 'mysql') return { key: 'text', name: 'text', long: 'text' } as const
  const { key, name } = MYSQL_CHARACTERS
  return { key: `varchar(${key})`, name: `varchar(${name})`, long: sql`longtext` } as const
}

function intents(dialect: DialectName): readonly CompiledQuery[] {
  const whole = wholeOf(dialect)
  const { key, name, long } = textsOf(dialect)
  const table = queries[dialect].schema
    .createTable('journal_intents')
    .addColumn('intent_id', name, (column) => column.primaryKey().notNull())
    .addColumn('business_key', key, (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('operation', long, (column) => column.notNull())
    .addColumn('kind', long, (column) => column.notNull())
    .addColumn('client_order_id', name, (column) => column.notNull())
    .addColumn('order_id', name)
    .addColumn('endpoint_id', name)
    .addColumn('endpoint_group_id', name)
    .addColumn('amounts', long, (column) => column.notNull())
    .addColumn('currency', long)
    .addColumn('digest', long, (column) => column.notNull())
    .addColumn('input', long)
    .addColumn('state', name, (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', whole, (column) => column.notNull())
    .addColumn('sent_at', whole)
    .addColumn('deadline_ms', 'integer', (column) => column.notNull())
    .addColumn('sends', 'integer', (column) => column.notNull())
    .addColumn('lease_until', whole)
    .addColumn('lease_owner', long)
    .addColumn('next_check_at', whole)
    .addColumn('watch_at', whole)
    .addColumn('looked_at', whole)
    .addColumn('woken_at', whole)
    .addColumn('absences', 'integer', (column) => column.notNull())
    .addColumn('first_absence_at', whole)
    .addColumn('rejection', long)
    .addColumn('is_paid_before', 'integer')
    .addColumn('order_before', long)
    .addColumn('observed', long)
    .addColumn('serial_number', long)
    .addColumn('redirect_url', long)
    .addColumn('reference', name)
    .addColumn('status', long)
    .addColumn('review_reason', long)
    .addColumn('holds_key', 'integer', (column) => column.notNull())
    .addColumn('holds_order', 'integer', (column) => column.notNull())
    .addColumn('evidence', long, (column) => column.notNull())
    .addUniqueConstraint('journal_intents_attempt', ['business_key', 'attempt'])
  return withIndexes(dialect, 'journal_intents', dialect === 'mysql' ? onlyInMysql(table) : table, [
    { name: 'active', columns: ['business_key'], where: 'holds_key = 1', mysql: { unique: 'active_key' } },
    { name: 'order', columns: ['order_id'], where: 'holds_order = 1', mysql: { unique: 'held_order_id' } },
    { name: 'opening', columns: ['client_order_id'], where: "kind = 'opening'", mysql: { unique: 'opening_order_id' } },
    { name: 'of_order', columns: ['client_order_id'] },
    // MySQL locks all rows that it sorts: these come sorted.
    {
      name: 'due',
      columns: ['next_check_at'],
      where: 'next_check_at is not null',
      mysql: ['next_check_at', 'created_at'],
    },
    { name: 'watched', columns: ['watch_at'], where: 'watch_at is not null', mysql: ['watch_at', 'created_at'] },
    { name: 'reference', columns: ['reference'], where: 'reference is not null', mysql: ['reference'] },
    {
      name: 'known',
      columns: ['endpoint_id', 'endpoint_group_id', 'looked_at'],
      where: 'order_id is not null and observed is not null',
      mysql: ['endpoint_id', 'endpoint_group_id', 'looked_at'],
    },
    { name: 'again', columns: ['business_key'], where: 'attempt > 1', mysql: ['attempt', 'business_key'] },
    { name: 'state', columns: ['state', 'created_at'] },
  ])
}

/**
 * MySQL has no index of some rows only: a column that is null for all others stands for it. And it tells a refused insert from a
 * successful one only if the row in the way is changed by it, whatever the flags of the connection: so the row counts them.
 */
function onlyInMysql(table: CreateTableBuilder<string, string>) {
  const { key, name } = textsOf('mysql')
  return table
    .addColumn('active_key', key, (column) =>
      column.generatedAlwaysAs(sql`case when holds_key = 1 then business_key end`).stored(),
    )
    .addColumn('held_order_id', name, (column) =>
      column.generatedAlwaysAs(sql`case when holds_order = 1 then order_id end`).stored(),
    )
    .addColumn('opening_order_id', name, (column) =>
      column.generatedAlwaysAs(sql`case when kind = 'opening' then client_order_id end`).stored(),
    )
    .addColumn('refused', 'integer', (column) => column.notNull().defaultTo(0))
}

function outcomes(dialect: DialectName): readonly CompiledQuery[] {
  const whole = wholeOf(dialect)
  const { name, long } = textsOf(dialect)
  const table = queries[dialect].schema
    .createTable('journal_outcomes')
    .addColumn('client_order_id', name, (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('outcome', long, (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('due_at', whole, (column) => column.notNull())
    .addColumn('handled_at', whole)
    .addPrimaryKeyConstraint('journal_outcomes_key', ['client_order_id', 'number'])
  return withIndexes(dialect, 'journal_outcomes', table, [
    {
      name: 'open',
      columns: ['client_order_id', 'number'],
      where: 'handled_at is null',
      mysql: ['client_order_id', 'handled_at', 'number'],
    },
    {
      name: 'due',
      columns: ['due_at', 'client_order_id'],
      where: 'handled_at is null',
      mysql: ['handled_at', 'due_at', 'client_order_id'],
    },
  ])
}

function orphanOrders(dialect: DialectName): readonly CompiledQuery[] {
  const whole = wholeOf(dialect)
  const { name, long } = textsOf(dialect)
  const table = queries[dialect].schema
    .createTable('journal_orphan_orders')
    .addColumn('client_order_id', name, (column) => column.notNull())
    .addColumn('order_id', name, (column) => column.notNull())
    .addColumn('status', long, (column) => column.notNull())
    .addColumn('type', long)
    .addColumn('amount', long)
    .addColumn('currency', long)
    .addColumn('received_at', whole, (column) => column.notNull())
    .addColumn('woken_at', whole, (column) => column.notNull())
    .addColumn('callbacks', 'integer', (column) => column.notNull())
    .addColumn('next_check_at', whole)
    .addColumn('watch_at', whole)
    .addColumn('lease_until', whole)
    .addColumn('told', long)
    .addColumn('told_at', whole)
    .addPrimaryKeyConstraint('journal_orphan_orders_key', ['client_order_id', 'order_id'])
  return withIndexes(dialect, 'journal_orphan_orders', table, [
    { name: 'due', columns: ['next_check_at'], where: 'next_check_at is not null', mysql: ['next_check_at'] },
    { name: 'watched', columns: ['watch_at'], where: 'watch_at is not null', mysql: ['watch_at'] },
    { name: 'open', columns: ['received_at'], where: 'told_at is null', mysql: ['told_at', 'received_at'] },
    { name: 'told', columns: ['told_at'], where: 'told_at is not null', mysql: [] },
  ])
}

function gatewayAnswers(dialect: DialectName): readonly CompiledQuery[] {
  const { name } = textsOf(dialect)
  const table = queries[dialect].schema
    .createTable('journal_gateway_answers')
    .addColumn('endpoint_id', name, (column) => column.notNull())
    .addColumn('endpoint_group_id', name, (column) => column.notNull())
    .addColumn('at', wholeOf(dialect), (column) => column.notNull())
    .addPrimaryKeyConstraint('journal_gateway_answers_key', ['endpoint_id', 'endpoint_group_id'])
  return withIndexes(dialect, 'journal_gateway_answers', table, [])
}

interface Index {
  readonly name: string
  readonly columns: readonly string[]
  /** Of these rows only: with `mysql: { unique }` no two of them are equal. */
  readonly where?: string
  /** The columns in MySQL, or the one that is null for all other rows. Default: as in the others. */
  readonly mysql?: readonly string[] | { readonly unique: string }
}

/** MySQL makes a table with its indexes at once: it has no transaction around two such statements. */
function withIndexes(
  dialect: DialectName,
  name: string,
  table: CreateTableBuilder<string, string>,
  indexes: readonly Index[],
): readonly CompiledQuery[] {
  if (dialect !== 'mysql') {
    return [strict(table, dialect).compile(), ...indexes.map((index) => createIndex(dialect, name, index))]
  }
  const whole = indexes.reduce((built, { name: ending, columns, mysql = columns }) => {
    const index = `${name}_${ending}`
    if ('unique' in mysql) return built.addUniqueConstraint(index, [mysql.unique])
    return mysql.length === 0 ? built : built.addIndex(index, [...mysql])
  }, table.ifNotExists())
  return [strict(whole, dialect).compile()]
}

function createIndex(dialect: DialectName, table: string, { name, columns, where, mysql }: Index): CompiledQuery {
  const made = queries[dialect].schema
    .createIndex(`${table}_${name}`)
    .on(table)
    .columns([...columns])
  const index = mysql !== undefined && 'unique' in mysql ? made.unique() : made
  return (where === undefined ? index : index.where(sql<boolean>`${sql.raw(where)}`)).compile()
}
