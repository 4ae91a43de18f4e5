import type { OpenOutcome } from '@tallystick/client/internal'
import type { JournalOutcome, JournalStore, NewOutcome } from '@tallystick/client/ports'
import type { DialectName } from '@tallystick/durable/schema'
import { type CompiledQuery, type SelectQueryBuilder, sql } from 'kysely'
import { queries } from '../schema/tables.ts'
import { all, change, one, type Runner, type Work } from './work.ts'

/** How a store keeps outcomes, and which of them the merchant's handler was called with. */
export function outcomeMethods<Transaction>(dialect: DialectName, { read, write, around }: Runner<Transaction>) {
  return {
    openOutcomes: (now, limit) => read(() => openOutcomes(dialect, now, limit)),
    deliver: async (outcome, now, handler, limitMs) =>
      (await around(() => takeOutcome(dialect, outcome, now), handler, limitMs)) ? 'done' : 'not-mine',
    putOff: (outcome, nextTryAt) => write(() => putOffOutcome(dialect, outcome, nextTryAt)),
    countOpenOutcomes: () => read(() => countOpenOutcomes(dialect)),
  } satisfies Partial<JournalStore<Transaction>>
}

/** Inserts an outcome with the next number of its order. If two processes take the same number, the table's key admits one. */
export function* insertOutcome(dialect: DialectName, outcome: NewOutcome): Work<void> {
  const db = queries[dialect]
  const { clientOrderId } = outcome
  const before = db
    .selectFrom('journal_outcomes')
    .select(({ fn }) => fn.max('number').as('last'))
    .where('client_order_id', '=', clientOrderId)
  const number = ((yield* one(before.compile()))?.last ?? 0) + 1
  const whole = { ...outcome, key: `${clientOrderId}:${number}`, number }
  const made = { client_order_id: clientOrderId, number, outcome: JSON.stringify(whole) }
  const insert = db.insertInto('journal_outcomes').values({ ...made, failures: 0, due_at: 0, handled_at: null })
  yield* change(insert.compile())
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

export function* nextOutcomeDueAt(dialect: DialectName): Work<number | undefined> {
  return (yield* one(nextOutcomeDue(dialect)))?.at
}

export function nextOutcomeDue(dialect: DialectName): CompiledQuery<{ at: number }> {
  return firstOpen(dialect).select('one.due_at as at').orderBy('one.due_at').limit(1).compile()
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
function* takeOutcome(dialect: DialectName, outcome: JournalOutcome, now: number): Work<boolean> {
  if ((yield* one(openOutcome(dialect, outcome).compile())) === undefined) return false
  const { clientOrderId, number } = outcome
  const handled = queries[dialect].updateTable('journal_outcomes').set({ handled_at: Math.round(now) })
  yield* change(handled.where('client_order_id', '=', clientOrderId).where('number', '=', number).compile())
  return true
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

/**
 * Locks the rows it selects, without waiting for rows that another process has locked. In SQLite one process writes at a time.
 */
export function skippingLocked<Tables, Table extends keyof Tables, Row>(
  dialect: DialectName,
  query: SelectQueryBuilder<Tables, Table, Row>,
): SelectQueryBuilder<Tables, Table, Row> {
  return dialect === 'postgresql' ? query.forUpdate().skipLocked() : query
}
