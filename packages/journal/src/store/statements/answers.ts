import type { IntentEndpoint } from '@tallystick/client/internal'
import type { Intent, JournalStore } from '@tallystick/client/ports'
import type { DialectName } from '@tallystick/durable/schema'
import { type CompiledQuery, type Selectable, sql } from 'kysely'
import type { ClockSetBack } from '../../runtime/system.ts'
import { LONGEST_WATCH_WAIT_MS } from '../../status/watch.ts'
import { type IntentsTable, intentIn, queries } from '../schema/tables.ts'
import { putBackOutcomes } from './outcomes.ts'
import { all, change, one, type Runner, skippingLocked, type Work } from './work.ts'

/** How a store knows when each endpoint last answered for an order that exists, and what it does when the clock was set back. */
export function answerMethods<Transaction>(dialect: DialectName, { read, write }: Runner<Transaction>) {
  return {
    knownOrder: (endpoint) => read(() => knownOrder(dialect, endpoint)),
    noteAnswer: (endpoint, at) => write(() => noteAnswer(dialect, endpoint, at)),
    lastAnswerAt: (endpoint) => read(() => lastAnswerAt(dialect, endpoint)),
    pullBack: (setBack) => write(() => pullBack(dialect, setBack)),
  } satisfies Partial<JournalStore<Transaction>>
}

function* knownOrder(dialect: DialectName, endpoint: IntentEndpoint): Work<Intent | undefined> {
  return intentIn(yield* one(lastKnown(dialect, endpoint)))
}

export function lastKnown(
  dialect: DialectName,
  { endpointId, endpointGroupId }: IntentEndpoint,
): CompiledQuery<Selectable<IntentsTable>> {
  return (
    queries[dialect]
      .selectFrom('journal_intents')
      .selectAll()
      .where('endpoint_id', endpointId === undefined ? 'is' : '=', endpointId ?? null)
      .where('endpoint_group_id', endpointGroupId === undefined ? 'is' : '=', endpointGroupId ?? null)
      .where('order_id', 'is not', null)
      .where('observed', 'is not', null)
      .where('looked_at', 'is not', null)
      // All rows of an endpoint are equal in these two. For null PostgreSQL does not see that, and would sort all rows.
      .$if(dialect === 'postgresql', (known) =>
        known.orderBy('endpoint_id', 'desc').orderBy('endpoint_group_id', 'desc'),
      )
      .orderBy('looked_at', 'desc')
      .limit(1)
      .compile()
  )
}

/**
 * All processes write the same row.
 *
 * @throws what the database throws if another process keeps that row locked
 */
function* noteAnswer(dialect: DialectName, endpoint: IntentEndpoint, at: number): Work<void> {
  yield* waitingShortly(dialect)
  const noted = { at: Math.round(at) }
  const insert = queries[dialect].insertInto('journal_gateway_answers').values({ ...columnsOf(endpoint), ...noted })
  if (dialect !== 'mysql') {
    const upsert = insert.onConflict((conflict) =>
      conflict.columns(['endpoint_id', 'endpoint_group_id']).doUpdateSet(noted),
    )
    yield* change(upsert.compile())
    return
  }
  // It would wait for up to 50 s. Whoever has the row locked notes an answer as well.
  const free = yield* one(skippingLocked(dialect, lastAnswer(dialect, endpoint)).compile())
  if (free === undefined && (yield* lastAnswerAt(dialect, endpoint)) !== undefined) return
  yield* change(insert.onDuplicateKeyUpdate(noted).compile())
}

function* lastAnswerAt(dialect: DialectName, endpoint: IntentEndpoint): Work<number | undefined> {
  return (yield* one(lastAnswer(dialect, endpoint).compile()))?.at
}

function lastAnswer(dialect: DialectName, endpoint: IntentEndpoint) {
  const { endpoint_id, endpoint_group_id } = columnsOf(endpoint)
  return queries[dialect]
    .selectFrom('journal_gateway_answers')
    .select('at')
    .where('endpoint_id', '=', endpoint_id)
    .where('endpoint_group_id', '=', endpoint_group_id)
}

/** Deletes answers later than that: they are from before the clock was set back. */
function* forgetAnswersAfter(dialect: DialectName, latest: number): Work<void> {
  yield* change(queries[dialect].deleteFrom('journal_gateway_answers').where('at', '>', Math.floor(latest)).compile())
}

function columnsOf({ endpointId = '', endpointGroupId = '' }: IntentEndpoint) {
  return { endpoint_id: endpointId, endpoint_group_id: endpointGroupId }
}

/** Pulls back times that were written before the clock was set back: until they have come, nothing would be done. */
function* pullBack(dialect: DialectName, setBack: ClockSetBack): Work<void> {
  const times = timesOf(setBack)
  yield* waitingShortly(dialect)
  yield* change(intentsFromBefore(dialect, times).compile())
  yield* change(orphansFromBefore(dialect, times).compile())
  yield* change(watchedFromBefore(dialect, times).compile())
  yield* change(watchedOrphansFromBefore(dialect, times).compile())
  yield* putBackOutcomes(dialect, times.now, times.latest + setBack.putOffMs)
  yield* forgetAnswersAfter(dialect, times.latest)
}

/** The times in whole milliseconds, as in the tables. */
function timesOf({ now, latest, leaseMs }: ClockSetBack) {
  const [at, last] = [Math.floor(now), Math.floor(latest)]
  return { now: at, latest: last, latestLease: last + leaseMs, leaseUntil: at + leaseMs }
}

type Times = ReturnType<typeof timesOf>

/**
 * The new version makes a process that is about to write one of them read it again, as after a callback. Leases do not end at
 * once: a process that lives renews its lease before it lapses.
 */
function intentsFromBefore(dialect: DialectName, { now, latest, latestLease, leaseUntil }: Times) {
  return queries[dialect]
    .updateTable('journal_intents')
    .set(({ eb }) => ({
      next_check_at: sql<number>`case when next_check_at < ${now} then next_check_at else ${now} end`,
      woken_at: sql<number | null>`case when woken_at > ${latest} then ${now} else woken_at end`,
      lease_until: shortened(latestLease, leaseUntil),
      version: eb('version', '+', 1),
    }))
    .where('next_check_at', 'is not', null)
    .where(({ or, eb }) =>
      or([
        eb('sent_at', '>', latest),
        eb('looked_at', '>', latest),
        eb('woken_at', '>', latest),
        eb('created_at', '>', latest),
        eb('lease_until', '>', latestLease),
      ]),
    )
}

/** Orphan orders are checked from now on, by the schedule from its beginning. */
function orphansFromBefore(dialect: DialectName, { now, latest, latestLease, leaseUntil }: Times) {
  return queries[dialect]
    .updateTable('journal_orphan_orders')
    .set({ next_check_at: now, woken_at: now, lease_until: shortened(latestLease, leaseUntil) })
    .where('next_check_at', 'is not', null)
    .where(({ or, eb }) => or([eb('woken_at', '>', latest), eb('lease_until', '>', latestLease)]))
}

/** Those that are watched may be very many: only times that nobody plans are searched for, by their index. */
function watchedFromBefore(dialect: DialectName, { now }: Times) {
  return queries[dialect]
    .updateTable('journal_intents')
    .set(({ eb }) => ({ watch_at: now, version: eb('version', '+', 1) }))
    .where('watch_at', '>', now + LONGEST_WATCH_WAIT_MS)
}

function watchedOrphansFromBefore(dialect: DialectName, { now }: Times) {
  return queries[dialect]
    .updateTable('journal_orphan_orders')
    .set({ watch_at: now })
    .where('watch_at', '>', now + LONGEST_WATCH_WAIT_MS)
}

function shortened(latestLease: number, leaseUntil: number) {
  return sql<number | null>`case when lease_until > ${latestLease} then ${leaseUntil} else lease_until end`
}

/** A process that was stopped before its commit must not hold up the others. In SQLite no wait is endless. */
const LOCK_WITHIN_MS = 2000

/** From here on the transaction fails if another process keeps a row that it writes locked. */
function* waitingShortly(dialect: DialectName): Work<void> {
  if (dialect !== 'postgresql') return
  yield* all(sql`select set_config('lock_timeout', ${String(LOCK_WITHIN_MS)}, true)`.compile(queries[dialect]))
}
