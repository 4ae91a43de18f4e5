import type { OrphanTerms } from '@tallystick/client/internal'
import type { InboxEntry, JournalStore, OrphanChange, OrphanClaim, OrphanOrder } from '@tallystick/client/ports'
import type { DialectName } from '@tallystick/durable/schema'
import { sql } from 'kysely'
import { NO_LEASE_MS } from '../../background/lease.ts'
import { isOpening } from '../../intents/states.ts'
import { type OrphanOrdersTable, queries, requireFit } from '../schema/tables.ts'
import { dueColumn, wakeIntents } from './intents.ts'
import type { SharedStatements } from './shared.ts'
import { all, change, one, type Runner, skippingLocked, type Work } from './work.ts'

/** How a store receives callbacks, and keeps the orders that no intent has made. */
export function orphanMethods<Transaction>(
  dialect: DialectName,
  { read, write }: Runner<Transaction>,
  shared: SharedStatements | undefined,
) {
  return {
    receive: (entry, terms) => shared?.receive(entry, terms) ?? write(() => receiveCallback(dialect, entry, terms)),
    orphans: (limit) => read(() => openOrphans(dialect, limit)),
    claimOrphans: async (claim) =>
      (await read(() => isAnyOrphanDue(dialect, claim))) ? await write(() => claimOrphans(dialect, claim)) : [],
    renewOrphan: (orphan, leaseUntil) => write(() => renewOrphan(dialect, orphan, leaseUntil)),
    settleOrphan: (orphan, change, again, forgetBefore) =>
      write(() => settleOrphan(dialect, orphan, change, again, forgetBefore)),
  } satisfies Partial<JournalStore<Transaction>>
}

/** Receives a callback: it wakes the intents under its id. One of an order that no opening names is stored, up to a limit. */
function* receiveCallback(
  dialect: DialectName,
  entry: InboxEntry,
  terms: OrphanTerms,
): Work<'stored' | 'orphan' | 'full'> {
  const woken = yield* wakeIntents(dialect, entry.clientOrderId, entry.receivedAt)
  const opening = woken.find(isOpening)
  if (opening?.order_id === entry.orderId) return 'stored'
  const stored = opening === undefined ? 'orphan' : 'stored'
  if ((yield* change(wokenOrphan(dialect, entry, terms).compile())) > 0) return stored
  if (opening === undefined && (yield* countOpen(dialect)) >= terms.limit) return 'full'
  yield* insertOrWake(dialect, entry, terms)
  return stored
}

/** Another callback of the order may have been faster. */
function* insertOrWake(dialect: DialectName, entry: InboxEntry, terms: OrphanTerms): Work<void> {
  const row = newRow(entry, terms)
  const insert = queries[dialect].insertInto('journal_orphan_orders').values(row)
  if (dialect === 'mysql') {
    requireFit(row)
    yield* change(insert.onDuplicateKeyUpdate(wokenBy(entry, terms)).compile())
    return
  }
  const inserted = yield* change(insert.onConflict((conflict) => conflict.doNothing()).compile())
  if (inserted === 0) yield* change(wokenOrphan(dialect, entry, terms).compile())
}

function* countOpen(dialect: DialectName): Work<number> {
  const open = queries[dialect]
    .selectFrom('journal_orphan_orders')
    .select(sql<number>`count(*)`.as('n'))
    .where('told_at', 'is', null)
  return (yield* one(open.compile()))?.n ?? 0
}

/** The callback replaces the one before it, and the merchant has to be told again. */
function wokenOrphan(dialect: DialectName, entry: InboxEntry, terms: OrphanTerms) {
  return ofOrder(dialect, entry).set(wokenBy(entry, terms))
}

function wokenBy(entry: InboxEntry, { checkAt }: OrphanTerms) {
  const at = Math.round(checkAt)
  return {
    ...lastOf(entry),
    callbacks: sql<number>`callbacks + 1`,
    next_check_at: sql<number>`case when next_check_at < ${at} then next_check_at else ${at} end`,
    told_at: null,
  }
}

function lastOf({ status, type, amount, currency, receivedAt }: InboxEntry) {
  return {
    status,
    type: type ?? null,
    amount: amount ?? null,
    currency: currency ?? null,
    woken_at: Math.round(receivedAt),
  }
}

function newRow(entry: InboxEntry, { checkAt }: OrphanTerms): OrphanOrdersTable {
  return {
    client_order_id: entry.clientOrderId,
    order_id: entry.orderId,
    ...lastOf(entry),
    received_at: Math.round(entry.receivedAt),
    callbacks: 1,
    next_check_at: Math.round(checkAt),
    watch_at: null,
    lease_until: null,
    told: null,
    told_at: null,
  }
}

function* openOrphans(dialect: DialectName, limit: number): Work<readonly OrphanOrder[]> {
  const open = queries[dialect]
    .selectFrom('journal_orphan_orders')
    .selectAll()
    .where('told_at', 'is', null)
    .orderBy('received_at')
    .limit(limit)
  return (yield* all(open.compile())).map(orphanOf)
}

/** The orders that are due and not leased. */
function dueOrphans(dialect: DialectName, { now, watched = false, ofOpenings = false }: OrphanClaim) {
  const at = Math.floor(now)
  const due = queries[dialect]
    .selectFrom('journal_orphan_orders as orphan')
    .where(`orphan.${dueColumn({ watched })}`, '<=', at)
    .where(({ or, eb }) =>
      or([
        eb('orphan.lease_until', 'is', null),
        eb('orphan.lease_until', '<=', at),
        ...(watched ? [eb('orphan.lease_until', '>', at + NO_LEASE_MS)] : []),
      ]),
    )
  // What a callback says is not told yet: its own check decides that, and plans the next watch.
  const unplanned = watched ? due.where('orphan.next_check_at', 'is', null) : due
  if (!ofOpenings) return unplanned
  return unplanned.where(({ exists, selectFrom }) =>
    exists(
      selectFrom('journal_intents as intent')
        .select('intent.intent_id')
        .whereRef('intent.client_order_id', '=', 'orphan.client_order_id')
        .where('intent.kind', '=', 'opening'),
    ),
  )
}

/** Whether a claim would find any. */
function* isAnyOrphanDue(dialect: DialectName, claim: OrphanClaim): Work<boolean> {
  const due = dueOrphans(dialect, claim).select('orphan.order_id').limit(1)
  return (yield* one(due.compile())) !== undefined
}

/** Leases the orders that are due and not leased. */
function* claimOrphans(dialect: DialectName, claim: OrphanClaim): Work<readonly OrphanOrder[]> {
  const { leaseUntil, limit } = claim
  const due = dueOrphans(dialect, claim)
    .selectAll()
    .orderBy(`orphan.${dueColumn(claim)}`)
    .limit(limit)
  const rows = yield* all(skippingLocked(dialect, due).compile())
  const until = Math.round(leaseUntil)
  const orphans = rows.map((row) => orphanOf({ ...row, lease_until: until }))
  for (const orphan of orphans) {
    const lease = ofOrder(dialect, orphan).set({ lease_until: until })
    yield* change(lease.compile())
  }
  return orphans
}

/** Renews a lease. Gives whether the process that claimed the order still had it. */
function* renewOrphan(dialect: DialectName, orphan: OrphanOrder, leaseUntil: number): Work<boolean> {
  const until = Math.round(leaseUntil)
  const renewed = claimed(dialect, orphan).set({ lease_until: until })
  if ((yield* change(renewed.compile())) > 0) return true
  // MySQL may count only rows that have another value afterwards.
  return until === orphan.leaseUntil && dialect === 'mysql'
}

/**
 * Writes the result of a status check, and forgets orders that were reported long ago. If a callback came during the check, the
 * order stays open and is due at `again`.
 */
function* settleOrphan(
  dialect: DialectName,
  orphan: OrphanOrder,
  { nextCheckAt, watchAt, reported, at }: OrphanChange,
  again: number,
  forgetBefore: number,
): Work<void> {
  const written = {
    ...(reported === undefined ? {} : { told: JSON.stringify(reported) }),
    lease_until: null,
    watch_at: watchAt === undefined ? null : Math.round(watchAt),
  }
  const quiet = claimed(dialect, orphan)
    .set({
      ...written,
      next_check_at: nextCheckAt === undefined ? null : Math.round(nextCheckAt),
      told_at: reported === undefined ? null : Math.round(at),
    })
    .where('callbacks', '=', orphan.callbacks)
  if ((yield* change(quiet.compile())) === 0) {
    const woken = claimed(dialect, orphan).set({ ...written, next_check_at: Math.round(again) })
    yield* change(woken.compile())
  }
  const old = queries[dialect].deleteFrom('journal_orphan_orders').where('told_at', '<', Math.floor(forgetBefore))
  yield* change(old.compile())
}

/** Updates the order only if no other process has claimed it since. */
function claimed(dialect: DialectName, orphan: OrphanOrder) {
  const { leaseUntil } = orphan
  return ofOrder(dialect, orphan).where('lease_until', leaseUntil === undefined ? 'is' : '=', leaseUntil ?? null)
}

function ofOrder(dialect: DialectName, { clientOrderId, orderId }: InboxEntry) {
  return queries[dialect]
    .updateTable('journal_orphan_orders')
    .where('client_order_id', '=', clientOrderId)
    .where('order_id', '=', orderId)
}

export function orphanOf(row: OrphanOrdersTable): OrphanOrder {
  return {
    clientOrderId: row.client_order_id,
    orderId: row.order_id,
    status: row.status,
    type: row.type ?? undefined,
    amount: row.amount ?? undefined,
    currency: row.currency ?? undefined,
    receivedAt: row.received_at,
    wokenAt: row.woken_at,
    callbacks: row.callbacks,
    reported: row.told === null ? undefined : JSON.parse(row.told),
    leaseUntil: row.lease_until ?? undefined,
  }
}
