import type { Inserted, Intent, IntentChange, IntentConflict } from '@tallystick/client'
import { type CompiledQuery, sql } from 'kysely'
import { intentOf, rowOf } from '../schema/intent-columns.ts'
import { type DialectName, queries } from '../schema/queries.ts'
import type { IntentsTable } from '../schema/tables.ts'
import { insertOutcome } from './outcomes.ts'
import { all, change, one, type Work } from './work.ts'

/** How often what was in the way of a new intent may be gone when it is looked for. */
const MOST_TRIES = 5

/** Written when nothing is in its way. Nothing throws, so that a merchant's own transaction can go on. */
export function* insertIntent(dialect: DialectName, intent: Intent): Work<Inserted> {
  const insert = queries[dialect]
    .insertInto('journal_intents')
    .values(rowOf(intent))
    .onConflict((conflict) => conflict.doNothing())
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if ((yield* change(insert.compile())) > 0) return { ok: true }
    const conflict = yield* conflictOf(dialect, intent)
    if (conflict !== undefined) return { ok: false, conflict }
  }
  throw new Error(`The store refused ${intent.businessKey}, and has nothing in its way`)
}

function* conflictOf(dialect: DialectName, intent: Intent): Work<IntentConflict | undefined> {
  const { businessKey, attempt, clientOrderId, kind, orderId = '', holdsOrder } = intent
  const any = queries[dialect].selectFrom('journal_intents').select('intent_id').limit(1)
  const ofKey = any
    .where('business_key', '=', businessKey)
    .where(({ or, eb }) => or([eb('attempt', '=', attempt), eb('holds_key', '=', 1)]))
  if ((yield* one(ofKey.compile())) !== undefined) return 'business-key'
  const ofId = any.where('client_order_id', '=', clientOrderId).where('kind', '=', 'opening')
  if (kind === 'opening' && (yield* one(ofId.compile())) !== undefined) return 'client-order-id'
  const ofOrder = any.where('order_id', '=', orderId).where('holds_order', '=', 1)
  return holdsOrder && (yield* one(ofOrder.compile())) !== undefined ? 'order' : undefined
}

/** Writes all of it, or nothing. */
export function* updateIntents(dialect: DialectName, changes: readonly IntentChange[]): Work<boolean> {
  if (changes.length > 1 && !(yield* areOneBehind(dialect, changes))) return false
  for (const { intent, outcomes } of changes) {
    const update = queries[dialect]
      .updateTable('journal_intents')
      .set(rowOf(intent))
      .where('intent_id', '=', intent.intentId)
      .where('version', '=', intent.version - 1)
    // Of several none can miss any more, and of one nothing is written yet.
    if ((yield* change(update.compile())) === 0) return false
    yield* forgetStray(dialect, intent)
    for (const outcome of outcomes) yield* insertOutcome(dialect, outcome)
  }
  return true
}

/** The callback of an opening may have been faster than the reply that names its order. */
function* forgetStray(dialect: DialectName, { kind, clientOrderId, orderId }: Intent): Work<void> {
  if (kind !== 'opening' || orderId === undefined) return
  const stray = queries[dialect]
    .deleteFrom('journal_stray_orders')
    .where('client_order_id', '=', clientOrderId)
    .where('order_id', '=', orderId)
  yield* change(stray.compile())
}

/** Whether each version in the store is one less; nobody else changes them until the transaction ends. */
function* areOneBehind(dialect: DialectName, changes: readonly IntentChange[]): Work<boolean> {
  const ids = changes.map(({ intent }) => intent.intentId)
  const stored = queries[dialect]
    .selectFrom('journal_intents')
    .select(['intent_id', 'version'])
    .where('intent_id', 'in', ids)
    .orderBy('intent_id')
  const rows = yield* all((dialect === 'postgresql' ? stored.forUpdate() : stored).compile())
  const versions = new Map(rows.map(({ intent_id, version }) => [intent_id, version]))
  return changes.every(({ intent }) => versions.get(intent.intentId) === intent.version - 1)
}

export function* findIntent(
  dialect: DialectName,
  column: 'intent_id' | 'reference',
  value: string,
): Work<Intent | undefined> {
  const found = queries[dialect].selectFrom('journal_intents').selectAll().where(column, '=', value)
  return intentIn(yield* one(found.compile()))
}

export function* intentsBy(
  dialect: DialectName,
  column: 'business_key' | 'client_order_id',
  value: string,
): Work<readonly Intent[]> {
  const found = queries[dialect].selectFrom('journal_intents').selectAll().where(column, '=', value)
  // Attempts are counted: two processes whose clocks differ have made them at times that do not tell their order.
  const inOrder = column === 'business_key' ? found : found.orderBy('created_at')
  return intentsIn(yield* all(inOrder.orderBy('attempt').compile()))
}

/** What a callback has to know of the intents that it wakes. */
type Woken = Pick<IntentsTable, 'kind' | 'order_id'>

/** What each callback has of its own stands for itself in {@link WAKING}. */
const AT = Symbol('when it came')
const ID = Symbol('its client order id')

/**
 * What was not sent yet, or waits for a person, has nothing to be looked at, nor has a stored card, or a modification that has
 * ended. These stay as they are: whoever is about to write one of them must not find another version.
 */
const AT_REST = sql<boolean>`state in ('PREPARED', 'NOT_SENT', 'REVIEW') or kind = 'card' or (kind = 'modification' and state = 'FINAL')`

function wakingOf(dialect: DialectName): CompiledQuery<Woken> {
  return queries[dialect]
    .updateTable('journal_intents')
    .set({
      // Whoever is looking at it knows by another time that it was woken meanwhile: none comes again.
      woken_at: sql<
        number | null
      >`case when ${AT_REST} then woken_at when woken_at >= ${AT} then woken_at + 1 else ${AT} end`,
      version: sql<number>`case when ${AT_REST} then version else version + 1 end`,
      next_check_at: sql<
        number | null
      >`case when ${AT_REST} or next_check_at <= ${AT} then next_check_at else ${AT} end`,
    })
    .where('client_order_id', '=', sql<string>`${ID}`)
    .returning(['kind', 'order_id'])
    .compile()
}

/** Compiled once: every callback waits for it. */
const WAKING = { sqlite: wakingOf('sqlite'), postgresql: wakingOf('postgresql') }

/** Has the intents of an order looked at. */
export function* wakeIntents(dialect: DialectName, clientOrderId: string, at: number): Work<readonly Woken[]> {
  const query = WAKING[dialect]
  const own = new Map<unknown, unknown>([
    [AT, Math.round(at)],
    [ID, clientOrderId],
  ])
  return yield* all({ ...query, parameters: query.parameters.map((one) => own.get(one) ?? one) })
}

export function intentsIn(rows: readonly object[]): readonly Intent[] {
  return rows.map((row) => intentOf({ ...row }))
}

export function intentIn(row: object | undefined): Intent | undefined {
  return row === undefined ? undefined : intentOf({ ...row })
}
