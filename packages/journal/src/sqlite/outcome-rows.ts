import type { JournalOutcome, OpenOutcome } from '@tallystick/client'
import { sql } from 'kysely'
import { queries } from '../schema/queries.ts'
import type { Connection } from './connection.ts'

/** Outcomes, and which of them the merchant's handler was told. */

const db = queries.sqlite

/** The first open one of each order. */
function firstOpen() {
  return db
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

export function openOutcomes(connection: Connection, now: number, limit: number): readonly OpenOutcome[] {
  const open = firstOpen()
    .select(['one.outcome', 'one.failures'])
    .where('one.due_at', '<=', Math.floor(now))
    .orderBy('one.client_order_id')
    .limit(limit)
  return connection.all(open.compile()).map(({ outcome, failures }) => ({ outcome: JSON.parse(outcome), failures }))
}

export function nextOutcomeDueAt(connection: Connection): number | undefined {
  const next = firstOpen().select(({ fn }) => fn.min('one.due_at').as('at'))
  return connection.get(next.compile())?.at ?? undefined
}

export function countOpenOutcomes(connection: Connection): number {
  const open = db.selectFrom('journal_outcomes').select(sql<number>`count(*)`.as('n')).where('handled_at', 'is', null)
  return connection.get(open.compile())?.n ?? 0
}

/** Whether nobody was told it yet. */
export function isOpen(connection: Connection, { clientOrderId, number }: JournalOutcome): boolean {
  const row = db.selectFrom('journal_outcomes').select('number').where('client_order_id', '=', clientOrderId)
  return connection.get(row.where('number', '=', number).where('handled_at', 'is', null).compile()) !== undefined
}

export function markHandled(connection: Connection, { clientOrderId, number }: JournalOutcome, now: number): void {
  const handled = db.updateTable('journal_outcomes').set({ handled_at: Math.round(now) })
  connection.run(handled.where('client_order_id', '=', clientOrderId).where('number', '=', number).compile())
}

export function putOffOutcome(connection: Connection, { clientOrderId, number }: JournalOutcome, dueAt: number): void {
  const late = db
    .updateTable('journal_outcomes')
    .set(({ eb }) => ({ due_at: Math.round(dueAt), failures: eb('failures', '+', 1) }))
  connection.run(late.where('client_order_id', '=', clientOrderId).where('number', '=', number).compile())
}
