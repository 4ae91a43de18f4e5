import type { DueWindow, InsertResult, IntentConflict, IntentRenewal } from '@tallystick/client/internal'
import type { Intent, IntentChange, IntentClaim, JournalStore } from '@tallystick/client/ports'
import type { DialectName } from '@tallystick/durable/schema'
import { type CompiledQuery, sql } from 'kysely'
import { NO_LEASE_MS } from '../../background/lease.ts'
import { earliest } from '../../runtime/concurrency.ts'
import { type IntentsTable, intentsIn, queries, rowOf } from '../schema/tables.ts'
import { insertOutcome, nextOutcomeDueAt, skippingLocked } from './outcomes.ts'
import { all, change, one, type Runner, type Work } from './work.ts'

/** How a store writes intents, and claims those that are due. */
export function intentMethods<Transaction>(dialect: DialectName, { read, write, within }: Runner<Transaction>) {
  return {
    insert: (intent, transaction) => {
      const work = () => insertIntent(dialect, intent)
      return transaction === undefined ? write(work) : within(transaction, work)
    },
    update: (...changes) => write(() => updateIntents(dialect, changes)),
    claimDue: async (claim) =>
      (await read(() => isAnyDue(dialect, claim))) ? await write(() => claimIntents(dialect, claim)) : [],
    renewLeases: (renewal) => write(() => renewIntents(dialect, renewal)),
    nextDueAt: (horizon) => read(() => nextDueAt(dialect, horizon)),
    wake: async (clientOrderId, at) => (await write(() => wakeIntents(dialect, clientOrderId, at))).length,
  } satisfies Partial<JournalStore<Transaction>>
}

/** How often an intent in the way of a new one may be gone again when it is searched for. */
const MOST_TRIES = 5

/** Inserts an intent if nothing is in its way. A conflict makes no statement fail, so that a merchant's transaction can go on. */
function* insertIntent(dialect: DialectName, intent: Intent): Work<InsertResult> {
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

/** Writes all changes, or nothing. An intent of version 1 is new. */
function* updateIntents(dialect: DialectName, changes: readonly IntentChange[]): Work<boolean> {
  if (changes.length > 1 && !(yield* areOneBehind(dialect, changes))) return false
  for (const { intent, outcomes } of changes) {
    // Of several changes none can fail here any more, and a single one has written nothing yet.
    if (!(yield* intent.version === 1 ? insertOrThrow(dialect, intent) : updateIntent(dialect, intent))) return false
    yield* forgetOrphan(dialect, intent)
    for (const outcome of outcomes) yield* insertOutcome(dialect, outcome)
  }
  return true
}

function* updateIntent(dialect: DialectName, intent: Intent): Work<boolean> {
  const update = queries[dialect]
    .updateTable('journal_intents')
    .set(rowOf(intent))
    .where('intent_id', '=', intent.intentId)
    .where('version', '=', intent.version - 1)
  return (yield* change(update.compile())) > 0
}

/** What is written with it is rolled back if something is in its way. */
function* insertOrThrow(dialect: DialectName, intent: Intent): Work<boolean> {
  const inserted = yield* insertIntent(dialect, intent)
  if (inserted.ok) return true
  throw new Error(
    `The store has something in the way of ${intent.businessKey}, attempt ${intent.attempt}: ${inserted.conflict}`,
  )
}

/** Deletes the orphan order of an opening whose callback was faster than the reply that names its order. */
function* forgetOrphan(dialect: DialectName, { kind, clientOrderId, orderId }: Intent): Work<void> {
  if (kind !== 'opening' || orderId === undefined) return
  const orphan = queries[dialect]
    .deleteFrom('journal_orphan_orders')
    .where('client_order_id', '=', clientOrderId)
    .where('order_id', '=', orderId)
  yield* change(orphan.compile())
}

/** Whether the store has the version before each change, and none of a new intent. It locks the rows, so that nobody changes them until the commit. */
function* areOneBehind(dialect: DialectName, changes: readonly IntentChange[]): Work<boolean> {
  const ids = changes.map(({ intent }) => intent.intentId)
  const stored = queries[dialect]
    .selectFrom('journal_intents')
    .select(['intent_id', 'version'])
    .where('intent_id', 'in', ids)
    .orderBy('intent_id')
  const rows = yield* all((dialect === 'postgresql' ? stored.forUpdate() : stored).compile())
  const versions = new Map(rows.map(({ intent_id, version }) => [intent_id, version]))
  return changes.every(({ intent }) => (versions.get(intent.intentId) ?? 0) === intent.version - 1)
}

/** What a callback has to know about the intents that it wakes. */
type Woken = Pick<IntentsTable, 'kind' | 'order_id'>

/** Placeholders in {@link WAKING} for what differs from callback to callback. */
const AT = Symbol('when it came')
const ID = Symbol('its client order id')

/**
 * Intents without a status to check: not sent yet, in review, a stored card, or a modification that has ended. A callback leaves
 * them as they are, so that a process about to write one of them does not find another version.
 */
const AT_REST = sql<boolean>`state in ('PREPARED', 'NOT_SENT', 'REVIEW') or kind = 'card' or (kind = 'modification' and state = 'FINAL')`

function wakingOf(dialect: DialectName): CompiledQuery<Woken> {
  return queries[dialect]
    .updateTable('journal_intents')
    .set({
      // Never the same time twice: a status check under way sees by it that a callback came meanwhile.
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

/** Makes status checks of the intents of an order due. */
export function* wakeIntents(dialect: DialectName, clientOrderId: string, at: number): Work<readonly Woken[]> {
  const query = WAKING[dialect]
  const own = new Map<unknown, unknown>([
    [AT, Math.round(at)],
    [ID, clientOrderId],
  ])
  return yield* all({ ...query, parameters: query.parameters.map((one) => own.get(one) ?? one) })
}

/** Whether a claim would find any. Reading is cheap, and most of the time nothing is due. */
function* isAnyDue(dialect: DialectName, claim: DueClaim): Work<boolean> {
  return (yield* one(dueIntents(dialect, claim).select('intent_id').limit(1).compile())) !== undefined
}

type DueClaim = Pick<IntentClaim, 'now' | 'watched'>

/** The column with the time of the check that a claim is for. */
export function dueColumn({ watched = false }: Pick<IntentClaim, 'watched'>): 'watch_at' | 'next_check_at' {
  return watched ? 'watch_at' : 'next_check_at'
}

/** The intents whose check is due and that are not leased. */
export function dueIntents(dialect: DialectName, claim: DueClaim) {
  const at = Math.floor(claim.now)
  return queries[dialect]
    .selectFrom('journal_intents')
    .where(dueColumn(claim), '<=', at)
    .where(({ or, eb }) =>
      or([
        eb('lease_until', 'is', null),
        eb('lease_until', '<=', at),
        ...(claim.watched ? [eb('lease_until', '>', at + NO_LEASE_MS)] : []),
      ]),
    )
}

/** Leases what is due. The lease makes a new version: a process that read the intent before has to read it again. */
function* claimIntents(dialect: DialectName, claim: IntentClaim): Work<readonly Intent[]> {
  const { leaseUntil, owner, limit } = claim
  const due = dueIntents(dialect, claim).selectAll().orderBy(dueColumn(claim)).orderBy('created_at').limit(limit)
  const rows = yield* all(skippingLocked(dialect, due).compile())
  const leased = intentsIn(rows).map((intent) => ({
    ...intent,
    leaseUntil,
    leaseOwner: owner,
    version: intent.version + 1,
  }))
  const [first] = leased
  if (first === undefined) return []
  const { lease_until, lease_owner } = rowOf(first)
  const lease = queries[dialect]
    .updateTable('journal_intents')
    .set(({ eb }) => ({ lease_until, lease_owner, version: eb('version', '+', 1) }))
    .where(
      'intent_id',
      'in',
      leased.map(({ intentId }) => intentId),
    )
  yield* change(lease.compile())
  return leased
}

function* renewIntents(dialect: DialectName, { intentIds, owner, leaseUntil }: IntentRenewal): Work<void> {
  if (intentIds.length === 0) return
  const held = queries[dialect]
    .selectFrom('journal_intents')
    .select('intent_id')
    .where('intent_id', 'in', intentIds)
    .where('lease_owner', '=', owner)
  const rows = yield* all(skippingLocked(dialect, held).compile())
  if (rows.length === 0) return
  const renewed = queries[dialect]
    .updateTable('journal_intents')
    .set({ lease_until: Math.round(leaseUntil) })
    .where(
      'intent_id',
      'in',
      rows.map(({ intent_id }) => intent_id),
    )
  yield* change(renewed.compile())
}

/** When something is due next: a status check or an outcome. */
function* nextDueAt(dialect: DialectName, { until, withOutcomes }: DueWindow): Work<number | undefined> {
  const check = (yield* one(nextCheckDue(dialect, until)))?.at ?? undefined
  return earliest([check, withOutcomes ? yield* nextOutcomeDueAt(dialect) : undefined])
}

/** Only intents that are due by `until` are searched: those that are watched may be many. */
export function nextCheckDue(dialect: DialectName, until: number): CompiledQuery<{ at: number | null }> {
  return queries[dialect]
    .selectFrom('journal_intents')
    .select(
      sql<number | null>`min(case when lease_until > next_check_at then lease_until else next_check_at end)`.as('at'),
    )
    .where('next_check_at', '<=', Math.floor(until))
    .compile()
}
