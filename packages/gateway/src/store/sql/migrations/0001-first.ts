import { compilers, type DialectName, type Migration, wholeOf } from '@tallystick/durable/schema'
import { type ColumnDefinitionBuilder, type CompiledQuery, type CreateTableBuilder, sql } from 'kysely'
import { SEQ_BLOCK, type Tables } from '../tables.ts'

/**
 * All tables of the first release. Indexes are few, because each costs every sale: `due` for what waits, `sent` for what a restart,
 * or a process that is gone, has left, `created` and `given_up` for operators.
 *
 * The columns of a row that change stand together behind those that do not, and the pages of PostgreSQL leave room for them: then
 * only what is new goes to its log.
 */
export const first: Migration = {
  version: 1,
  name: 'first',
  worksWith: 1,
  statements: (dialect, schema) => {
    const to = targetOf(dialect, schema)
    return [
      ...orders(to),
      ...operations(to),
      ...postings(to),
      ...deliveries(to),
      ...cards(to),
      ...cardReferences(to),
      ...recurringPayments(to),
      ...tasks(to),
      ...nonces(to),
      ...forgottenNonces(to),
      ...(to.isSqlite ? [] : nodes(to)),
      ...keyChecks(to),
      ...singleRows(to),
      ...operatorRecords(to),
    ]
  },
}

const queries = compilers<Tables>()

/** Most rows are changed once, soon after they were added. */
const ROOM = 'with (fillfactor = 50)'

type Table = CreateTableBuilder<string, string>
type Target = ReturnType<typeof targetOf>

/** What the two databases call things. */
function targetOf(dialect: DialectName, schemaName: string | undefined) {
  const isSqlite = dialect === 'sqlite'
  const within = schemaName === undefined ? queries[dialect] : queries[dialect].withSchema(schemaName)
  const ending = (table: Table, inSqlite: string, elsewhere = '') =>
    table.modifyEnd(sql.raw(isSqlite ? inSqlite : elsewhere)).compile()
  return {
    isSqlite,
    queries: within,
    schema: within.schema,
    whole: wholeOf(dialect),
    /** Texts are compared and sorted byte by byte in both, whatever the language of the database. */
    text: isSqlite ? ('text' as const) : sql`text collate "C"`,
    bytes: isSqlite ? ('blob' as const) : ('bytea' as const),
    named: (name: string) => (schemaName === undefined ? sql.id(name) : sql.id(schemaName, name)),
    made: (table: Table) => ending(table, 'strict'),
    madeToChange: (table: Table) => ending(table, 'strict', ROOM),
    /** SQLite stores the rows in the order of the primary key: those of one order together, with no second tree to search. */
    madeByKey: (table: Table) => ending(table, 'strict, without rowid'),
    madeByKeyToChange: (table: Table) => ending(table, 'strict, without rowid', ROOM),
  }
}

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.primaryKey()
const textKey = (column: ColumnDefinitionBuilder) => column.primaryKey().notNull()
const ofOrder = (column: ColumnDefinitionBuilder) => column.notNull().references('orders.seq')
const ofCard = (column: ColumnDefinitionBuilder) => column.notNull().references('cards.card_id')

function orders({ isSqlite, queries: to, schema, whole, text, named, madeToChange }: Target): CompiledQuery[] {
  const table = schema
    .createTable('orders')
    .addColumn('seq', whole, key)
    .addColumn('order_id', text, (column) => column.notNull().unique())
    .addColumn('login', text, required)
    .addColumn('endpoint_id', text, required)
    .addColumn('client_order_id', text, required)
    .addColumn('repetition', whole, required)
    .addColumn('digest', text, required)
    .addColumn('signed_as', text)
    .addColumn('created_at', whole, required)
    .addColumn('currency', text, required)
    .addColumn('settle_after', whole, required)
    .addColumn('hold_for', whole, required)
    .addColumn('payout_check_for', whole, required)
    .addColumn('page_token', text)
    .addColumn('details', text, required)
    .addColumn('version', whole, required)
    .addColumn('changed_at', whole, required)
    .addUniqueConstraint('client_order_id_once', ['login', 'client_order_id', 'repetition'])
  const index = (name: string) => schema.createIndex(name).on('orders')
  // SQLite numbers rows itself, and its indexes end with the number of the row.
  const numbers = sql`create sequence ${named('order_seqs')} increment by ${sql.lit(SEQ_BLOCK)}`
  return [
    ...(isSqlite ? [] : [numbers.compile(to)]),
    madeToChange(withSums(table, whole)),
    index('orders_signed').unique().columns(['signed_as', 'login']).where('signed_as', 'is not', null).compile(),
    index('orders_created').columns(['created_at', 'order_id']).compile(),
    index('orders_page').unique().column('page_token').where('page_token', 'is not', null).compile(),
  ]
}

function operations({ isSqlite, schema, whole, text, madeByKeyToChange }: Target): CompiledQuery[] {
  const table = schema
    .createTable('operations')
    .addColumn('order_seq', whole, ofOrder)
    .addColumn('operation_id', text, required)
    .addColumn('position', whole, required)
    .addColumn('kind', text, required)
    .addColumn('amount', whole, required)
    .addColumn('created_at', whole, required)
    .addColumn('serial_number', text, required)
    .addColumn('token', text)
    .addColumn('status', text, required)
    .addColumn('status_at', whole, required)
    .addColumn('outcome', text, required)
    .$call((built: Table) => (isSqlite ? built : built.addColumn('sent_by', whole)))
    .addPrimaryKeyConstraint('operations_key', ['order_seq', 'position'])
  const sent = schema.createIndex('operations_sent').on('operations').column('status_at')
  return [madeByKeyToChange(constrained(table, OF_OPERATIONS)), sent.where(sql<boolean>`status = 'sent'`).compile()]
}

function postings({ schema, whole, text, madeByKey }: Target): CompiledQuery[] {
  return [
    madeByKey(
      schema
        .createTable('postings')
        .addColumn('order_seq', whole, required)
        .addColumn('position', whole, required)
        .addColumn('account', text, required)
        .addColumn('amount', whole, required)
        .addColumn('currency', text, required)
        .addColumn('at', whole, required)
        .addPrimaryKeyConstraint('postings_key', ['order_seq', 'position', 'account'])
        .addForeignKeyConstraint('postings_of', ['order_seq', 'position'], 'operations', ['order_seq', 'position']),
    ),
  ]
}

function deliveries(to: Target): CompiledQuery[] {
  const { schema, whole, text, madeByKeyToChange } = to
  const table = schema
    .createTable('deliveries')
    .addColumn('order_seq', whole, ofOrder)
    .addColumn('delivery_id', text, required)
    .addColumn('url', text, required)
    .addColumn('created_at', whole, required)
    .addColumn('due_at', whole)
    .addColumn('made', whole, required)
    .addColumn('first_at', whole)
    .addColumn('state', text, required)
    .addColumn('last_answer', text)
    .addColumn(claimColumn(to), whole)
    .addColumn('given_up_at', whole)
    .addPrimaryKeyConstraint('deliveries_key', ['order_seq', 'delivery_id'])
  const index = (name: string) => schema.createIndex(name).on('deliveries')
  return [
    madeByKeyToChange(table),
    index('deliveries_due').columns(['due_at', 'delivery_id']).where('due_at', 'is not', null).compile(),
    index('deliveries_given_up').columns(['given_up_at', 'delivery_id']).where('given_up_at', 'is not', null).compile(),
    ...claimIndex('deliveries', to),
  ]
}

/** In SQLite all claims are of the process that has the file. */
function claimColumn({ isSqlite }: Target) {
  return isSqlite ? 'claimed_at' : 'claimed_by'
}

/** Few rows are claimed at a time. They are searched for those that nodes which are gone had claimed. */
function claimIndex(table: 'deliveries' | 'tasks', { isSqlite, schema }: Target): CompiledQuery[] {
  if (isSqlite) return []
  const claimed = schema.createIndex(`${table}_claimed`).on(table).column('claimed_by')
  return [claimed.where(sql.ref('claimed_by'), 'is not', null).compile()]
}

function tasks(to: Target): CompiledQuery[] {
  const { schema, whole, text, madeByKey } = to
  const table = schema
    .createTable('tasks')
    .addColumn('task_id', text, textKey)
    .addColumn('due_at', whole, required)
    .addColumn('kind', text, required)
    .addColumn('order_seq', whole, (column) => column.references('orders.seq'))
    .addColumn('recurring_payment_id', text, (column) => column.references('recurring_payments.recurring_payment_id'))
    .addColumn('charge_number', whole)
    .addColumn('charge_date', text)
    .addColumn('tried', whole, required)
    .addColumn(claimColumn(to), whole)
    .addCheckConstraint(
      'tasks_about',
      sql`case kind when 'charge'
          then order_seq is null and recurring_payment_id is not null
            and charge_number is not null and charge_date is not null
          else order_seq is not null and recurring_payment_id is null end`,
    )
  return [
    madeByKey(table),
    schema.createIndex('tasks_due').on('tasks').columns(['due_at', 'task_id']).compile(),
    ...claimIndex('tasks', to),
    schema.createIndex('tasks_of').on('tasks').column('order_seq').where('order_seq', 'is not', null).compile(),
  ]
}

/** The id of a card is a digest, as good as random, so SQLite stores the rows in the order of arrival instead. */
function cards({ isSqlite, schema, whole, text, bytes, made }: Target): CompiledQuery[] {
  const empty: Table = schema.createTable('cards')
  const begun = isSqlite
    ? empty.addColumn('seq', whole, key).addColumn('card_id', text, (column) => column.notNull().unique())
    : empty.addColumn('card_id', text, textKey)
  const table = begun
    .addColumn('login', text, required)
    .addColumn('fingerprint', text, required)
    .addColumn('key_id', text, required)
    .addColumn('wrapped_key', bytes, required)
    .addColumn('sealed_pan', bytes, required)
    .addColumn('bin', text, required)
    .addColumn('last_four_digits', text, required)
    .addColumn('card_type', text, required)
    .addColumn('cardholder_name', text)
    .addColumn('expire_month', text)
    .addColumn('expire_year', text)
  // Each start of a node asks whether a card is under a key that it does not have.
  const underKey = schema.createIndex('cards_key').on('cards').column('key_id').compile()
  return isSqlite ? [made(table)] : [made(table), underKey]
}

function cardReferences({ schema, whole, text, madeByKey }: Target): CompiledQuery[] {
  const table = schema
    .createTable('card_references')
    .addColumn('reference_id', text, textKey)
    .addColumn('login', text, required)
    .addColumn('card_id', text, ofCard)
    .addColumn('kind', text, required)
    .addColumn('created_at', whole, required)
    .addColumn('order_id', text)
  return [madeByKey(table)]
}

function recurringPayments({ schema, whole, text, madeByKey }: Target): CompiledQuery[] {
  const table = schema
    .createTable('recurring_payments')
    .addColumn('recurring_payment_id', text, (column) => column.notNull().unique())
    .addColumn('login', text, required)
    .addColumn('client_order_id', text, required)
    .addColumn('card_id', text, ofCard)
    .addColumn('version', whole, required)
    .addColumn('payment', text, required)
    .addPrimaryKeyConstraint('recurring_payments_key', ['login', 'client_order_id'])
  return [madeByKey(table)]
}

/** A nonce is whatever the merchant chose, and a text of PostgreSQL cannot hold a zero: there it is bytes. */
function nonces({ isSqlite, schema, whole, text, bytes, madeByKey }: Target): CompiledQuery[] {
  const table = schema
    .createTable('nonces')
    .addColumn('timestamp', whole, required)
    .addColumn('consumer_key', text, required)
    .addColumn('nonce', isSqlite ? text : bytes, required)
    .addPrimaryKeyConstraint('nonces_key', ['timestamp', 'consumer_key', 'nonce'])
  return [madeByKey(table)]
}

/** Seconds of which nonces were forgotten. In PostgreSQL spans may overlap: several nodes write them. */
function forgottenNonces({ isSqlite, schema, whole, made }: Target): CompiledQuery[] {
  const table = schema
    .createTable('forgotten_nonces')
    .addColumn('forgotten_from', whole, isSqlite ? key : required)
    .addColumn('forgotten_before', whole, required)
  return [made(table)]
}

/**
 * The processes that write to PostgreSQL: until when each is known to be alive, and which of its transactions was committed last.
 * These are rows of two tables: each transaction writes the second, and a renewal of the first must not wait for it.
 */
function nodes({ schema }: Target): CompiledQuery[] {
  return [
    schema
      .createTable('nodes')
      .addColumn('node_id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
      .addColumn('alive_until', 'timestamptz', required)
      .compile(),
    schema
      .createTable('node_marks')
      .addColumn('node_id', 'bigint', (column) => column.primaryKey().references('nodes.node_id').onDelete('cascade'))
      .addColumn('last_mark', 'bigint', required)
      .compile(),
  ]
}

/** The notes of `KeyNotes`: a gateway with other vault keys or exponents is refused. */
function keyChecks({ schema, text, madeByKey }: Target): CompiledQuery[] {
  const table = schema
    .createTable('key_checks')
    .addColumn('key_name', text, key)
    .addColumn('check_value', text, required)
  return [madeByKey(table)]
}

function singleRows({ queries: to, schema, whole, made }: Target): CompiledQuery[] {
  const table = schema
    .createTable('probe')
    .addColumn('only', whole, (column) => column.primaryKey().check(sql`"only" = 1`))
    .addColumn('written', whole, required)
  return [made(table), to.insertInto('probe').values({ only: 1, written: 0 }).compile()]
}

/** Adding is all that can be done to the records, in this table's own words and not only in the program's. */
function operatorRecords({ isSqlite, queries: to, schema, whole, text, named, made }: Target): CompiledQuery[] {
  const table = schema
    .createTable('operator_records')
    .addColumn('seq', whole, (column) => (isSqlite ? key(column) : key(column).generatedAlwaysAsIdentity()))
    .addColumn('at', whole, required)
    .addColumn('who', text, required)
    .addColumn('origin', text, required)
    .addColumn('act', text, required)
    .addColumn('subject', text, required)
    .addColumn('order_id', text)
    .addColumn('state_before', text, required)
    .addColumn('state_after', text, required)
    .addColumn('reason', text, required)
  const only = named('operator_records_only_grow')
  const stays = isSqlite
    ? ['update', 'delete'].map(
        (
          change,
        ) => sql`create trigger ${sql.id(`operator_records_no_${change}`)} before ${sql.raw(change)} on operator_records
      begin select raise(abort, 'operator records are only added'); end`,
      )
    : [
        sql`create function ${only}() returns trigger language plpgsql as
      'begin raise exception ''operator records are only added''; end'`,
        sql`create trigger only_grow before update or delete or truncate on ${named('operator_records')}
      for each statement execute function ${only}()`,
      ]
  const ofOrders = schema.createIndex('operator_records_of').on('operator_records').columns(['order_id', 'seq'])
  return [made(table), ofOrders.compile(), ...stays.map((each) => each.compile(to))]
}

/**
 * The rules as they were when the first tables were made. This copy never changes: a database that was made then has these
 * constraints, whatever the rules say now, and a migration of its own brings it up to date.
 */
const SUMS = [
  'authorized',
  'captured',
  'cancelled',
  'returned',
  'charged_back',
  'registered',
  'paid_out',
  'hold_in_flight',
  'taken_in_flight',
  'payout_in_flight',
] as const

const WITHIN_FUNDS = {
  hold_within_authorized: 'captured + cancelled + hold_in_flight <= authorized',
  taken_within_captured: 'returned + charged_back + taken_in_flight <= captured',
  payout_within_registered: 'paid_out + payout_in_flight <= registered',
}

const OF_OPERATIONS = {
  amount_not_negative: 'amount >= 0',
  kind_known:
    "kind IN ('sale', 'preauth', 'account-verification', 'capture', 'cancel', 'reversal', 'chargeback', 'payout-check', 'payout-pay', 'payout', 'transfer')",
  status_known: "status IN ('created', 'sent', 'processing', 'unknown', 'approved', 'declined', 'filtered', 'error')",
}

/** The table of orders with their sums, and the constraints that keep these within the funds. */
function withSums(table: Table, whole: 'bigint' | 'integer'): Table {
  const summed = SUMS.reduce((built, sum) => built.addColumn(sum, whole, required), table)
  const notNegative = SUMS.map((sum) => [`${sum}_not_negative`, `${sum} >= 0`] as const)
  return constrained(summed, Object.fromEntries([...notNegative, ...Object.entries(WITHIN_FUNDS)]))
}

function constrained(table: Table, checks: Readonly<Record<string, string>>): Table {
  return Object.entries(checks).reduce(
    (built, [name, expression]) => built.addCheckConstraint(name, sql.raw(expression)),
    table,
  )
}
