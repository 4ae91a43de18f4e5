import type { Inserted, Intent, IntentChange, IntentClaim, IntentConflict, NewOutcome } from '@tallystick/client'
import { sql } from 'kysely'
import { intentOf, rowOf } from '../schema/intent-columns.ts'
import { queries } from '../schema/queries.ts'
import type { Connection } from './connection.ts'

/** What is written and read of intents. Each function is a part of a transaction, or a read by itself. */

const db = queries.sqlite

export function insertIntent(connection: Connection, intent: Intent): Inserted {
  const conflict = conflictOf(connection, intent)
  if (conflict !== undefined) return { ok: false, conflict }
  connection.run(db.insertInto('journal_intents').values(rowOf(intent)).compile())
  connection.run(db.deleteFrom('journal_stray_callbacks').where('client_order_id', '=', intent.clientOrderId).compile())
  return { ok: true }
}

function conflictOf(connection: Connection, intent: Intent): IntentConflict | undefined {
  const { businessKey, attempt, clientOrderId, kind, orderId = '', holdsOrder } = intent
  const any = db.selectFrom('journal_intents').select('intent_id').limit(1)
  const ofKey = any
    .where('business_key', '=', businessKey)
    .where(({ or, eb }) => or([eb('attempt', '=', attempt), eb('holds_key', '=', 1)]))
  if (connection.get(ofKey.compile()) !== undefined) return 'business-key'
  const ofId = any.where('client_order_id', '=', clientOrderId).where('kind', '=', 'opening')
  if (kind === 'opening' && connection.get(ofId.compile()) !== undefined) return 'client-order-id'
  const ofOrder = any.where('order_id', '=', orderId).where('holds_order', '=', 1)
  return holdsOrder && connection.get(ofOrder.compile()) !== undefined ? 'order' : undefined
}

/** Writes all of it, or nothing. */
export function updateIntents(connection: Connection, changes: readonly IntentChange[]): boolean {
  if (!changes.every(({ intent }) => isOneBehind(connection, intent))) return false
  for (const { intent, outcomes } of changes) {
    connection.run(
      db.updateTable('journal_intents').set(rowOf(intent)).where('intent_id', '=', intent.intentId).compile(),
    )
    for (const outcome of outcomes) insertOutcome(connection, outcome)
  }
  return true
}

function isOneBehind(connection: Connection, { intentId, version }: Intent): boolean {
  const stored = db.selectFrom('journal_intents').select('version').where('intent_id', '=', intentId)
  return connection.get(stored.compile())?.version === version - 1
}

function insertOutcome(connection: Connection, outcome: NewOutcome): void {
  const { clientOrderId } = outcome
  const before = db.selectFrom('journal_outcomes').select(({ fn }) => fn.max('number').as('last'))
  const number = (connection.get(before.where('client_order_id', '=', clientOrderId).compile())?.last ?? 0) + 1
  const whole = { ...outcome, key: `${clientOrderId}:${number}`, number }
  const row = { client_order_id: clientOrderId, number, outcome: JSON.stringify(whole), failures: 0, due_at: 0 }
  connection.run(
    db
      .insertInto('journal_outcomes')
      .values({ ...row, handled_at: null })
      .compile(),
  )
}

export function intentBy(connection: Connection, column: 'intent_id', value: string): Intent | undefined {
  const row = connection.get(db.selectFrom('journal_intents').selectAll().where(column, '=', value).compile())
  return row === undefined ? undefined : intentOf({ ...row })
}

export function intentsBy(
  connection: Connection,
  column: 'business_key' | 'client_order_id',
  value: string,
): readonly Intent[] {
  const rows = db
    .selectFrom('journal_intents')
    .selectAll()
    .where(column, '=', value)
    .orderBy('created_at')
    .orderBy('attempt')
  return connection.all(rows.compile()).map((row) => intentOf({ ...row }))
}

/** Leases what is due; the lease is a version of its own, so that whoever had read it before has to read again. */
export function claimIntents(
  connection: Connection,
  { now, leaseUntil, owner, limit }: IntentClaim,
): readonly Intent[] {
  const due = db
    .selectFrom('journal_intents')
    .selectAll()
    .where('next_check_at', '<=', Math.floor(now))
    .where(({ or, eb }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', Math.floor(now))]))
    .orderBy('next_check_at')
    .orderBy('created_at')
    .limit(limit)
  const intents = connection.all(due.compile()).map((row) => intentOf({ ...row }))
  const leased = intents.map((intent) => ({ ...intent, leaseUntil, leaseOwner: owner, version: intent.version + 1 }))
  for (const intent of leased) {
    const { lease_until, lease_owner, version } = rowOf(intent)
    const lease = db.updateTable('journal_intents').set({ lease_until, lease_owner, version })
    connection.run(lease.where('intent_id', '=', intent.intentId).compile())
  }
  return leased
}

/** Has the intents of an order looked at; what was not sent yet has nothing to be looked at. */
export function wakeIntents(connection: Connection, clientOrderId: string, at: number): number {
  const now = Math.round(at)
  const woken = db
    .updateTable('journal_intents')
    .set(({ eb }) => ({
      woken_at: now,
      version: eb('version', '+', 1),
      next_check_at: sql<number | null>`case when state in ('PREPARED', 'NOT_SENT') then next_check_at
        when next_check_at is null or next_check_at > ${now} then ${now} else next_check_at end`,
    }))
    .where('client_order_id', '=', clientOrderId)
  return connection.run(woken.compile())
}
