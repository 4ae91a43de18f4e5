import type { OpenOutcome } from '@tallystick/client/internal'
import type { JournalOutcome, JournalStore, NewOutcome } from '@tallystick/client/ports'
import type { DialectName } from '@tallystick/durable/schema'
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { queries } from '../schema/tables.ts'
import { all, change, one, type Runner, skippingLocked, type Work } from './work.ts'

/** How a store keeps outcomes, and which of them the merchant's handler was called with. */
export function outcomeMethods<Transaction>(dialect: DialectName, { read, write, around }: Runner<Transaction>) {
  return {
    openOutcomes: (now, limit) => read(() => openOutcomes(dialect, now, limit)),
    deliver: async (outcome, now, handler, limitMs) =>
      (await around((idleMs) => takeOutcome(dialect, outcome, now, idleMs), handler, limitMs)) ? 'done' : 'not-mine',
    putOff: (outcome, nextTryAt) => write(() => putOffOutcome(dialect, outcome, nextTryAt)),
    countOpenOutcomes: () => read(() => countOpenOutcomes(dialect)),
  } satisfies Partial<JournalStore<Transaction>>
}

/** Inserts an outcome with the next number of its order. If two processes take the same number, the table's key admits one. */
export function* insertOutcome(dialect: DialectName, outcome: NewOutcome): Work<void> {
  const { clientOrderId } = outcome
  const [before, between, after] = aroundNumber(outcome)
  const whole =
    dialect === 'mysql'
      ? sql`concat(${before}, next.number, ${between}, next.number, ${after})`
      : sql`cast(${before} as text) || next.number || cast(${between} as text) || next.number || cast(${after} as text)`
  const insert = sql`insert into ${sql.table('journal_outcomes')} (client_order_id, number, outcome, failures, due_at)
    select ${clientOrderId}, next.number, ${whole}, 0, 0
    from (select coalesce(max(number), 0) + 1 as number from ${sql.table('journal_outcomes')}
      where client_order_id = ${clientOrderId}) as next`
  yield* change(insert.compile(queries[dialect]))
}

/** The JSON of an outcome with its key and its number, but for the number itself, which it has twice. */
export function aroundNumber(outcome: NewOutcome): readonly [string, string, string] {
  const whole = { ...outcome, key: `${outcome.clientOrderId}:`, number: 0 }
  const text = JSON.stringify(whole)
  const ending = '","number":0}'
  return [text.slice(0, -ending.length), '","number":', '}']
}

/** The first open outcome of each order. */
function firstOpen(dialect: DialectName) {
  return queries[dialect]
    .selectFrom('journal_outcomes as one')
    .where('one.handled_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('journal_outcomes as earlier')
            .select('earlier.number')
            .whereRef('earlier.client_order_id', '=', 'one.client_order_id')
            .whereRef('earlier.number', '<', 'one.number')
            .where('earlier.handled_at', 'is', null),
        ),
      ),
    )
}

function* openOutcomes(dialect: DialectName, now: number, limit: number): Work<readonly OpenOutcome[]> {
  const open = yield* all(dueOutcomes(dialect, now, limit))
  return open.map(({ outcome, failures }) => ({ outcome: JSON.parse(outcome), failures }))
}

export function dueOutcomes(
  dialect: DialectName,
  now: number,
  limit: number,
): CompiledQuery<{ outcome: string; failures: number }> {
  return firstOpen(dialect)
    .select(['one.outcome', 'one.failures'])
    .where('one.due_at', '<=', Math.floor(now))
    .orderBy('one.due_at')
    .orderBy('one.client_order_id')
    .limit(limit)
    .compile()
}

export function nextOutcomeDue(dialect: DialectName) {
  return firstOpen(dialect).select('one.due_at as at').orderBy('one.due_at').limit(1)
}

function* countOpenOutcomes(dialect: DialectName): Work<number> {
  const open = queries[dialect]
    .selectFrom('journal_outcomes')
    .select(sql<number>`count(*)`.as('n'))
    .where('handled_at', 'is', null)
  return (yield* one(open.compile()))?.n ?? 0
}

/**
 * Takes an outcome to deliver it, if it was not delivered yet and no other process is delivering it. The mark that it was
 * is written before the handler runs, so that a handler that ends the transaction itself cannot lose the mark.
 */
export function* takeOutcome(
  dialect: DialectName,
  outcome: JournalOutcome,
  now: number,
  idleMs?: number,
): Work<boolean> {
  const { clientOrderId, number } = outcome
  const handled = queries[dialect]
    .updateTable('journal_outcomes')
    .set({ handled_at: Math.round(now) })
    .where('client_order_id', '=', clientOrderId)
  if (dialect === 'postgresql') {
    const open = openOutcome(dialect, outcome)
    const taken = handled.where('number', 'in', open)
    return (yield* change((idleMs === undefined ? taken : taken.where(settingsFor(idleMs))).compile())) > 0
  }
  if ((yield* one(openOutcome(dialect, outcome).compile())) === undefined) return false
  yield* change(handled.where('number', '=', number).compile())
  return true
}

/**
 * For servers that are set to answer before a commit is durable, which ours must be, and for those that wait for an idle transaction
 * for ever. Both are settings of the transaction, since poolers refuse those of a connection.
 */
function settingsFor(idleMs: number): RawBuilder<boolean> {
  return sql<boolean>`(select coalesce(
    case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', true) end,
    case when current_setting('idle_in_transaction_session_timeout') = '0'
      then set_config('idle_in_transaction_session_timeout', ${String(idleMs)}, true) end, '')) is not null`
}

/**
 * Puts an outcome off. One that is still locked is left as it is: a handler's statement may go on at the server after its
 * connection was given up, and a process that waited for that would deliver nothing else.
 */
function* putOffOutcome(dialect: DialectName, outcome: JournalOutcome, dueAt: number): Work<void> {
  const { clientOrderId, number } = outcome
  if ((yield* one(openOutcome(dialect, outcome).compile())) === undefined) return
  const late = queries[dialect]
    .updateTable('journal_outcomes')
    .set(({ eb }) => ({ due_at: Math.round(dueAt), failures: eb('failures', '+', 1) }))
    .where('client_order_id', '=', clientOrderId)
    .where('number', '=', number)
  yield* change(late.compile())
}

/** Makes outcomes put off beyond `latest` due now. Those being delivered are left: they end done or put off again. */
export function* putBackOutcomes(dialect: DialectName, now: number, latest: number): Work<void> {
  const ahead = queries[dialect]
    .selectFrom('journal_outcomes')
    .select(['client_order_id', 'number'])
    .where('due_at', '>', latest)
    .where('handled_at', 'is', null)
  for (const { client_order_id, number } of yield* all(skippingLocked(dialect, ahead).compile())) {
    const due = queries[dialect].updateTable('journal_outcomes').set({ due_at: now })
    yield* change(due.where('client_order_id', '=', client_order_id).where('number', '=', number).compile())
  }
}

/** Selects and locks the outcome, unless it was delivered or another process has it locked. */
function openOutcome(dialect: DialectName, { clientOrderId, number }: JournalOutcome) {
  const open = queries[dialect]
    .selectFrom('journal_outcomes')
    .select('number')
    .where('client_order_id', '=', clientOrderId)
    .where('number', '=', number)
    .where('handled_at', 'is', null)
  return skippingLocked(dialect, open)
}
