import { requireDecided } from '../check-change.ts'
import type { OperatorRecord } from '../operator-record.ts'
import type { OrderCache } from '../sql/order-cache.ts'
import { RECORD_INSERT } from '../sql/queries.ts'
import type { Queries } from '../sql/tables.ts'
import type { Change, CommitResult, Conflict } from '../store.ts'
import { cardTable, postingTable } from './cards.ts'
import { type Database, preparedStatement, slotsOf } from './database.ts'
import { nonceTable } from './nonce-table.ts'
import { orderTable } from './orders.ts'
import { agendaTable } from './tasks.ts'

export interface StoreTables {
  readonly orders: ReturnType<typeof orderTable>
  readonly postings: ReturnType<typeof postingTable>
  readonly agenda: ReturnType<typeof agendaTable>
  readonly cards: ReturnType<typeof cardTable>
  readonly nonces: ReturnType<typeof nonceTable>
  readonly records: ReturnType<typeof preparedStatement<OperatorRecord, unknown>>
}

interface TablesOptions {
  readonly cache: OrderCache
  readonly spareNonces: number
}

export function storeTables(database: Database, queries: Queries, { cache, spareNonces }: TablesOptions): StoreTables {
  return {
    orders: orderTable(database, queries, cache),
    postings: postingTable(database, queries),
    agenda: agendaTable(database, queries),
    cards: cardTable(database, queries),
    nonces: nonceTable(database, queries, spareNonces),
    records: preparedStatement(
      database,
      RECORD_INSERT,
      queries.insertInto('operator_records').values(slotsOf(RECORD_INSERT)),
    ),
  }
}

/**
 * Writes a change, within a transaction that others share. A conflict leaves nothing of it, without a savepoint, which would
 * cost more than the change.
 */
export function writeChange(change: Change, now: number, tables: StoreTables): CommitResult {
  requireDecided(change)
  const conflict = writeConditional(change, now, tables)
  if (conflict !== undefined) return { ok: false, conflict }
  writeRest(change, tables)
  return { ok: true }
}

/** What may conflict comes first. The order is the last of that: writing it shows whether it conflicts. */
function writeConditional(change: Change, now: number, { orders, cards, nonces }: StoreTables): Conflict | undefined {
  const { nonce, order, recurringPayment } = change
  const refused = conflictBeside(change, now, { cards, nonces })
  if (refused !== undefined) return (order && orders.conflict(order)) ?? refused
  if (order !== undefined) {
    const conflict = orders.write(order, now)
    if (conflict !== undefined && nonce !== undefined) nonces.release(nonce)
    if (conflict !== undefined) return conflict
  }
  for (const card of change.cards ?? []) cards.write(card)
  if (recurringPayment !== undefined) cards.writeRecurring(recurringPayment)
  return undefined
}

/** Consumes the nonce unless something other than the order conflicts. */
function conflictBeside(
  { nonce, recurringPayment }: Change,
  now: number,
  { cards, nonces }: Pick<StoreTables, 'cards' | 'nonces'>,
): Conflict | undefined {
  if (recurringPayment !== undefined && cards.conflictsWith(recurringPayment)) return 'recurring-payment'
  return nonce !== undefined && !nonces.consume(nonce, now) ? 'nonce' : undefined
}

function writeRest(change: Change, { orders, postings, agenda, cards, records }: StoreTables): void {
  for (const record of change.records ?? []) records.run(record)
  for (const reference of change.references ?? []) cards.writeReference(reference)
  for (const posting of change.postings ?? []) {
    const { orderId, operationId } = posting
    postings.write(posting, { seq: orders.seqOf(orderId), position: orders.positionOf(orderId, operationId) })
  }
  const { deliveries = [], claimsDeliveries: isClaimed = false } = change
  for (const delivery of deliveries) {
    agenda.writeDelivery({ delivery, seq: orders.seqOf(delivery.orderId), isClaimed })
  }
  for (const attempted of change.attempts ?? []) {
    agenda.writeAttempt(attempted, orders.seqOf(attempted.delivery.orderId))
  }
  for (const id of change.doneTasks ?? []) agenda.removeTask(id)
  for (const task of change.tasks ?? []) {
    agenda.writeTask(task, 'orderId' in task ? orders.seqOf(task.orderId) : undefined)
  }
}
