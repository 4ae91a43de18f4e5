import type { InboxEntry, StrayCallback } from '@tallystick/client'
import { sql } from 'kysely'
import { queries } from '../schema/queries.ts'
import type { Connection } from './connection.ts'
import { wakeIntents } from './intent-rows.ts'

/** Callbacks: one of a known order wakes its intents, the others are kept, so many. */

const db = queries.sqlite

export function receiveCallback(connection: Connection, entry: InboxEntry, strayLimit: number): 'stored' | 'full' {
  if (wakeIntents(connection, entry.clientOrderId, entry.receivedAt) > 0) return 'stored'
  const again = db.updateTable('journal_stray_callbacks').set(({ eb }) => ({ copies: eb('copies', '+', 1) }))
  if (connection.run(again.where('digest', '=', entry.digest).compile()) > 0) return 'stored'
  const all = db.selectFrom('journal_stray_callbacks').select(sql<number>`count(*)`.as('n'))
  if ((connection.get(all.compile())?.n ?? 0) >= strayLimit) return 'full'
  connection.run(db.insertInto('journal_stray_callbacks').values(rowOf(entry)).compile())
  return 'stored'
}

function rowOf({ digest, clientOrderId, orderId, status, type, amount, currency, receivedAt }: InboxEntry) {
  return {
    digest,
    client_order_id: clientOrderId,
    order_id: orderId,
    status,
    type: type ?? null,
    amount: amount ?? null,
    currency: currency ?? null,
    received_at: Math.round(receivedAt),
    copies: 1,
  }
}

export function strayCallbacks(connection: Connection, limit: number): readonly StrayCallback[] {
  const strays = db.selectFrom('journal_stray_callbacks').selectAll().orderBy('received_at').limit(limit)
  return connection.all(strays.compile()).map((row) => ({
    digest: row.digest,
    clientOrderId: row.client_order_id,
    orderId: row.order_id,
    status: row.status,
    type: row.type ?? undefined,
    amount: row.amount ?? undefined,
    currency: row.currency ?? undefined,
    receivedAt: row.received_at,
    copies: row.copies,
  }))
}
