import type { OrphanTerms } from '@tallystick/client/internal'
import type { InboxEntry, Intent, IntentChange } from '@tallystick/client/ports'
import { SQLSTATE, serverErrorOf } from '@tallystick/durable/sqlstate'
import { storableValue } from '@tallystick/durable/stored-text'
import { CompiledQuery, sql } from 'kysely'
import { type Shared, together } from '../../runtime/concurrency.ts'
import {
  AT_REST,
  INTENT_COLUMN_NAMES,
  type IntentsTable,
  intentsIn,
  isWholeNumber,
  queries,
  rowOf,
} from '../schema/tables.ts'
import { aroundNumber } from './outcomes.ts'
import { all, type Runner, type Work } from './work.ts'

/**
 * Statements of PostgreSQL that do what many callers ask for, each durable by itself: payments side by side share one statement and
 * one commit. The rows come as one JSON, so that the text is the same however many there are.
 */
export interface SharedStatements {
  /** Writes a new intent, or a new version of one, with its outcomes. `false`: something is in the way, or the version is another. */
  write(change: IntentChange): Promise<boolean>
  /** As the method of the store. */
  receive(entry: InboxEntry, terms: OrphanTerms): Promise<'stored' | 'orphan' | 'full'>
  /** Finds the intents that have a value in a column, in no order. */
  read(column: Sought, value: string): Promise<readonly Intent[]>
}

/** The columns by which payments find their intents. */
export type Sought = 'intent_id' | 'business_key' | 'client_order_id'

export function sharedStatements({ requireFree, each }: NonNullable<Runner<unknown>['alone']>): SharedStatements {
  const write = together<IntentChange, boolean>({
    nameOf: ({ intent }) => intent.clientOrderId,
    write: (changes, how) => each((isAgain) => writeIntents(changes, { ...how, isAgain: how.isAgain || isAgain })),
    isLocked,
  })
  const receive = together<Received, 'stored' | 'orphan' | 'full'>({
    nameOf: ({ clientOrderId }) => clientOrderId,
    write: (received, how) => each(() => receiveAll(received, how)),
    isLocked,
  })
  const read = together<readonly [Sought, string], readonly Intent[]>({
    write: (sought) => each(() => intentsWith(sought)),
  })
  return {
    read: async (column, value) => {
      requireFree()
      return await read([column, value])
    },
    write: async (change) => {
      requireFree()
      return await write(change)
    },
    receive: async (entry, terms) => {
      requireFree()
      return await receive({ ...entry, ...terms })
    },
  }
}

function isLocked(error: unknown): boolean {
  return serverErrorOf(error)?.code === SQLSTATE.LOCK_NOT_AVAILABLE
}

/** How long a shared statement waits for a row that another transaction has locked. After that, each of its callers waits alone. */
const LOCK_WITHIN_MS = '500'

/**
 * Settings of a statement that is a transaction by itself: a commit is durable when it is answered, whatever the server is set to, and
 * no caller waits long for what others have locked. What follows has to read them, since a part that nobody reads is not run.
 */
const SETTINGS = `settings as materialized (
  select set_config('lock_timeout', coalesce(cast($1 as text), current_setting('lock_timeout')), true) as waits,
    case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', true) end as writes)`
const ARE_SET = '(select coalesce(writes, waits) from settings) is not null'

/** The same without a limit, for a statement of its own. */
export const DURABLE = sql<boolean>`(select coalesce(case when current_setting('synchronous_commit') = 'off'
  then set_config('synchronous_commit', 'on', true) end, '')) is not null`

const waitOf = ({ isLimited }: Shared) => (isLimited ? LOCK_WITHIN_MS : null)

/**
 * Rows that come as the JSON of a parameter. PostgreSQL would take them for a hundred, and keep a plan that reads the whole table as long
 * as that is small or not analyzed. A condition that is always true makes it expect one, and search the table by its indexes.
 */
function given(parameter: string, columns: readonly string[]): string {
  const typed = columns.map((column) => `${column} ${isWholeNumber(column) ? 'bigint' : 'text'}`)
  return `(select * from json_to_recordset(cast(${parameter} as text)::json) as one(${typed.join(', ')}) where number + 0 = number) as given`
}

/** U+0000 stands in no JSON of PostgreSQL, nor half a character. */
function jsonOf(rows: readonly object[]): string {
  const kept = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column,
        typeof value === 'string' ? storableValue(value.toWellFormed()) : value,
      ]),
    ),
  )
  // What marks U+0000 would be taken for a character of the text itself.
  return JSON.stringify(kept).replaceAll('\uE000', '\\ue000')
}

const COLUMNS = INTENT_COLUMN_NAMES.filter((column) => column !== 'intent_id')
const ALL_COLUMNS = INTENT_COLUMN_NAMES.join(', ')
const OUTCOME_COLUMNS = ['intent_id', 'client_order_id', 'number', 'head', 'middle', 'tail']

/**
 * The order that an opening newly names may have a callback from before, which is no orphan then. A callback of an intent at rest makes
 * no new version of it: such an opening is not named here, but in a transaction that reads the orphans after it has the intent locked.
 */
const WRITE = `with ${SETTINGS},
  input as materialized (select * from ${given('$2', ['number', ...INTENT_COLUMN_NAMES])}),
  inserted as (
    insert into "journal_intents" (${ALL_COLUMNS})
    select ${ALL_COLUMNS} from input where version = 1 and ${ARE_SET}
    on conflict do nothing
    returning intent_id),
  updated as (
    update "journal_intents" as stored
    set ${COLUMNS.map((column) => `${column} = input.${column}`).join(', ')}
    from input
    where stored.intent_id = input.intent_id and stored.version = input.version - 1 and ${ARE_SET}
      and not (input.kind = 'opening' and input.order_id is not null and stored.order_id is distinct from input.order_id
        and stored.state in ('PREPARED', 'NOT_SENT', 'REVIEW'))
    returning stored.intent_id, stored.kind, stored.client_order_id, stored.order_id),
  named as (
    delete from "journal_orphan_orders" as orphan using updated
    where updated.kind = 'opening' and orphan.client_order_id = updated.client_order_id and orphan.order_id = updated.order_id),
  reported as (
    insert into "journal_outcomes" (client_order_id, number, outcome, failures, due_at)
    select given.client_order_id, last.number + given.number,
      given.head || (last.number + given.number) || given.middle || (last.number + given.number) || given.tail, 0, 0
    from ${given('$3', OUTCOME_COLUMNS)}
    join updated using (intent_id)
    cross join lateral (select coalesce(max(outcome.number), 0) as number from "journal_outcomes" as outcome
      where outcome.client_order_id = given.client_order_id) as last)
  select intent_id from inserted union all select intent_id from updated`

interface Again extends Shared {
  /** Whether it was tried before, and may have taken effect then. */
  readonly isAgain: boolean
}

export function* writeIntents(changes: readonly IntentChange[], how: Again): Work<readonly boolean[]> {
  const rows = changes.map(({ intent }) => rowOf(intent))
  const outcomes = changes.flatMap(({ intent, outcomes: added }) =>
    added.map((outcome, index) => {
      const [head, middle, tail] = aroundNumber(outcome)
      const { clientOrderId: client_order_id } = outcome
      return { intent_id: intent.intentId, client_order_id, number: index + 1, head, middle, tail }
    }),
  )
  const numbered = rows.map((row, number) => ({ number, ...row }))
  const parameters = [waitOf(how), jsonOf(numbered), jsonOf(outcomes)]
  const written = yield* idsOf(CompiledQuery.raw(WRITE, parameters) as CompiledQuery<Pick<IntentsTable, 'intent_id'>>)
  const left = rows.filter(({ intent_id }) => !written.has(intent_id))
  if (how.isAgain && left.length > 0) for (const id of yield* asWritten(left)) written.add(id)
  return rows.map(({ intent_id }) => written.has(intent_id))
}

function* idsOf(query: CompiledQuery<Pick<IntentsTable, 'intent_id'>>): Work<Set<string>> {
  return new Set((yield* all(query)).map(({ intent_id }) => intent_id))
}

/** Which of these rows are in the table already, as only this process has made them. Their leases may have been renewed since. */
function* asWritten(rows: readonly IntentsTable[]): Work<readonly string[]> {
  const ids = rows.map(({ intent_id }) => intent_id)
  const query = queries.postgresql.selectFrom('journal_intents').selectAll().where('intent_id', 'in', ids)
  const stored = new Map((yield* all(query.compile())).map((row) => [row.intent_id, row]))
  const isEqual = (row: IntentsTable) => {
    const found = stored.get(row.intent_id)
    return COLUMNS.every((column) => column === 'lease_until' || found?.[column] === row[column])
  }
  return rows.filter(isEqual).map(({ intent_id }) => intent_id)
}

type Received = InboxEntry & OrphanTerms

const RECEIVED_COLUMNS = 'client_order_id order_id status type amount currency at next_check_at number n'.split(' ')

/** Of an order that no opening names: stored, up to a limit if there is no opening at all. */
const RECEIVE = `with ${SETTINGS},
  input as materialized (select * from ${given('$2', RECEIVED_COLUMNS)}),
  woken as (
    update "journal_intents" as stored
    set woken_at = case when ${AT_REST} then woken_at when woken_at >= input.at then woken_at + 1 else input.at end,
      version = case when ${AT_REST} then version else version + 1 end,
      next_check_at = case when ${AT_REST} or stored.next_check_at <= input.at then stored.next_check_at else input.at end
    from input
    where stored.client_order_id = input.client_order_id and ${ARE_SET}
    returning stored.client_order_id, stored.kind, stored.order_id),
  found as (
    select input.*, opening.client_order_id is not null as has_opening, opening.order_id as own_order_id,
      known.order_id is not null as is_known
    from input
    left join woken as opening on opening.kind = 'opening' and opening.client_order_id = input.client_order_id
    left join "journal_orphan_orders" as known on known.client_order_id = input.client_order_id and known.order_id = input.order_id),
  kept as (
    insert into "journal_orphan_orders" as orphan (client_order_id, order_id, status, type, amount, currency, woken_at, received_at,
      callbacks, next_check_at)
    select client_order_id, order_id, status, type, amount, currency, at, at, 1, next_check_at
    from found
    where ${ARE_SET} and own_order_id is distinct from order_id and (has_opening or is_known
      or (select count(*) from "journal_orphan_orders" where told_at is null) + number < n)
    on conflict (client_order_id, order_id) do update
    set status = excluded.status, type = excluded.type, amount = excluded.amount, currency = excluded.currency,
      woken_at = excluded.woken_at, callbacks = orphan.callbacks + 1,
      next_check_at = case when orphan.next_check_at < excluded.next_check_at then orphan.next_check_at else excluded.next_check_at end,
      told_at = null
    returning client_order_id)
  select found.client_order_id,
    case when has_opening then 'stored' when kept.client_order_id is null then 'full' else 'orphan' end as status
  from found left join kept using (client_order_id)`

interface ReceivedRow {
  readonly client_order_id: string
  readonly status: 'stored' | 'orphan' | 'full'
}

export function* receiveAll(received: readonly Received[], how: Shared): Work<readonly ReceivedRow['status'][]> {
  const rows = received.map((one, index) => ({
    client_order_id: one.clientOrderId,
    order_id: one.orderId,
    status: one.status,
    type: one.type ?? null,
    amount: one.amount ?? null,
    currency: one.currency ?? null,
    at: Math.round(one.receivedAt),
    next_check_at: Math.round(one.checkAt),
    number: index,
    n: Number.isFinite(one.limit) ? one.limit : Number.MAX_SAFE_INTEGER,
  }))
  const query = CompiledQuery.raw(RECEIVE, [waitOf(how), jsonOf(rows)]) as CompiledQuery<ReceivedRow>
  const results = new Map((yield* all(query)).map((row) => [row.client_order_id, row.status]))
  return received.map(({ clientOrderId }) => results.get(clientOrderId) ?? 'full')
}

const SOUGHT: readonly Sought[] = ['intent_id', 'business_key', 'client_order_id']
const READ = `with input as materialized (select * from ${given('$1', ['number', ...SOUGHT])})
  ${SOUGHT.map(
    (column) => `select input.number, ${INTENT_COLUMN_NAMES.map((name) => `stored.${name}`).join(', ')}
      from input join "journal_intents" as stored on stored.${column} = input.${column}`,
  ).join(' union all ')}`

export function* intentsWith(sought: readonly (readonly [Sought, string])[]): Work<readonly (readonly Intent[])[]> {
  const rows = sought.map(([column, value], number) => ({ number, [column]: value }))
  const found = yield* all(CompiledQuery.raw(READ, [jsonOf(rows)]) as CompiledQuery<IntentsTable & { number: number }>)
  const byNumber = Map.groupBy(found, ({ number }) => number)
  return sought.map((_, number) => intentsIn(byNumber.get(number) ?? []))
}
