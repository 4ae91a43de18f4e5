import type { DueWindow, InsertResult, IntentConflict, IntentRenewal } from '@tallystick/client/internal'
import type { Intent, IntentChange, IntentClaim, JournalStore } from '@tallystick/client/ports'
import type { DialectName } from '@tallystick/durable/schema'
import { type CompiledQuery, sql } from 'kysely'
import { NO_LEASE_MS } from '../../background/lease.ts'
import { earliest } from '../../runtime/concurrency.ts'
import { AT_REST, type IntentsTable, intentsIn, queries, requireFit, rowOf } from '../schema/tables.ts'
import { insertOutcome, nextOutcomeDue } from './outcomes.ts'
import { DURABLE, type SharedStatements } from './shared.ts'
import { all, change, locking, one, type Runner, skippingLocked, upToNow, type Work } from './work.ts'

/** How a store writes intents, and claims those that are due. */
export function intentMethods<Transaction>(
  dialect: DialectName,
  { read, write, within, alone }: Runner<Transaction>,
  shared: SharedStatements | undefined,
) {
  return {
    insert: async (intent, transaction) => {
      const work = () => insertIntent(dialect, intent)
      if (transaction !== undefined) return await within(transaction, work)
      if (intent.version === 1 && (await shared?.write({ intent, outcomes: [] }))) return { ok: true }
      return await write(work)
    },
    update: async (...changes) => {
      const [change] = changes
      const isAlone = change !== undefined && changes.length === 1 && change.intent.version > 1
      if (shared === undefined || !isAlone) return await write(() => updateIntents(dialect, changes))
      return (
        (await shared.write(change)) ||
        (mayBeNamedAtRest(change) && (await write(() => updateIntents(dialect, changes))))
      )
    },
    claimDue: async (claim) => {
      if (alone !== undefined) return await alone.each(() => claimAtOnce(claim))
      return (await read(() => isAnyDue(dialect, claim))) ? await write(() => claimIntents(dialect, claim)) : []
    },
    renewLeases: (renewal) => write(() => renewIntents(dialect, renewal)),
    nextDueAt: (horizon) => read(() => nextDueAt(dialect, horizon)),
    wake: async (clientOrderId, at) => (await write(() => wakeIntents(dialect, clientOrderId, at))).length,
  } satisfies Partial<JournalStore<Transaction>>
}

/** How often an intent in the way of a new one may be gone again when it is searched for. */
const MOST_TRIES = 5

/** Inserts an intent if nothing is in its way. A conflict makes no statement fail, so that a merchant's transaction can go on. */
function* insertIntent(dialect: DialectName, intent: Intent): Work<InsertResult> {
  const row = rowOf(intent)
  if (dialect === 'mysql') requireFit(row)
  const insert = queries[dialect].insertInto('journal_intents').values(row)
  const unlessRefused =
    dialect === 'mysql'
      ? insert.onDuplicateKeyUpdate(({ eb }) => ({ refused: eb('refused', '+', 1) }))
      : insert.onConflict((conflict) => conflict.doNothing())
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    // In MySQL an update of the row in the way counts 2.
    if ((yield* change(unlessRefused.compile())) === 1) return { ok: true }
    const conflict = yield* conflictOf(dialect, intent)
    if (conflict !== undefined) return { ok: false, conflict }
  }
  throw new Error(`The store refused ${intent.businessKey}, and has nothing in its way`)
}

function* conflictOf(dialect: DialectName, intent: Intent): Work<IntentConflict | undefined> {
  const { businessKey, attempt, clientOrderId, kind, orderId = '', holdsOrder } = intent
  const any = upToNow(dialect, queries[dialect].selectFrom('journal_intents').select('intent_id').limit(1))
  const ofKey = any
    .where('business_key', '=', businessKey)
    .where(({ or, eb }) => or([eb('attempt', '=', attempt), eb('holds_key', '=', 1)]))
  if ((yield* one(ofKey.compile())) !== undefined) return 'business-key'
  const ofId = any.where('client_order_id', '=', clientOrderId).where('kind', '=', 'opening')
  if (kind === 'opening' && (yield* one(ofId.compile())) !== undefined) return 'client-order-id'
  const ofOrder = any.where('order_id', '=', orderId).where('holds_order', '=', 1)
  return holdsOrder && (yield* one(ofOrder.compile())) !== undefined ? 'order' : undefined
}

/** Whether a change may name the order of an intent at rest, which is no change to share a statement. */
function mayBeNamedAtRest({ intent: { kind, orderId, state } }: IntentChange): boolean {
  return kind === 'opening' && orderId !== undefined && state !== 'ACCEPTED'
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
  const row = rowOf(intent)
  if (dialect === 'mysql') requireFit(row)
  const update = queries[dialect]
    .updateTable('journal_intents')
    .set(row)
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
  const rows = yield* all(locking(dialect, stored).compile())
  const versions = new Map(rows.map(({ intent_id, version }) => [intent_id, version]))
  return changes.every(({ intent }) => (versions.get(intent.intentId) ?? 0) === intent.version - 1)
}

/** What a callback has to know about the intents that it wakes. */
type Woken = Pick<IntentsTable, 'kind' | 'order_id'>

/** Placeholders in {@link WAKING} for what differs from callback to callback. */
const AT = Symbol('when it came')
const ID = Symbol('its client order id')

function wakingOf(dialect: DialectName): CompiledQuery<Partial<Woken>> {
  return (
    queries[dialect]
      .updateTable('journal_intents')
      .set({
        // Never the same time twice: a status check under way sees by it that a callback came meanwhile.
        woken_at: sql<
          number | null
        >`case when ${sql.raw(AT_REST)} then woken_at when woken_at >= ${AT} then woken_at + 1 else ${AT} end`,
        version: sql<number>`case when ${sql.raw(AT_REST)} then version else version + 1 end`,
        next_check_at: sql<
          number | null
        >`case when ${sql.raw(AT_REST)} or next_check_at <= ${AT} then next_check_at else ${AT} end`,
      })
      .where('client_order_id', '=', sql<string>`${ID}`)
      // MySQL returns nothing of an update.
      .$if(dialect !== 'mysql', (update) => update.returning(['kind', 'order_id']))
      .compile()
  )
}

/** Compiled once: every callback waits for it. */
const WAKING: Readonly<Record<DialectName, CompiledQuery<Partial<Woken>>>> = {
  sqlite: wakingOf('sqlite'),
  postgresql: wakingOf('postgresql'),
  mysql: wakingOf('mysql'),
}

/** Makes status checks of the intents of an order due. */
export function* wakeIntents(dialect: DialectName, clientOrderId: string, at: number): Work<readonly Woken[]> {
  const query = WAKING[dialect]
  const own = new Map<unknown, unknown>([
    [AT, Math.round(at)],
    [ID, clientOrderId],
  ])
  const update = { ...query, parameters: query.parameters.map((one) => own.get(one) ?? one) }
  if (dialect !== 'mysql') return (yield* all(update)) as readonly Woken[]
  const ofOrder = queries[dialect].selectFrom('journal_intents').where('client_order_id', '=', clientOrderId)
  const woken = yield* all(locking(dialect, ofOrder.select(['kind', 'order_id'])).compile())
  if (woken.length > 0) yield* change(update)
  return woken
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
  const now = Math.floor(claim.now)
  // PostgreSQL would plan the statement anew for each time that it is given.
  const at = dialect === 'postgresql' ? sql<number>`(select cast(${now} as bigint))` : sql.val(now)
  return queries[dialect]
    .selectFrom('journal_intents')
    .where(dueColumn(claim), '<=', at)
    .where(({ or, eb }) =>
      or([
        eb('lease_until', 'is', null),
        eb('lease_until', '<=', at),
        ...(claim.watched ? [eb('lease_until', '>', sql.val(now + NO_LEASE_MS))] : []),
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

/** The same in one statement of PostgreSQL. Its plan must not read the whole table: for few rows it does not (`given` in `shared.ts`). */
export function* claimAtOnce(claim: IntentClaim): Work<readonly Intent[]> {
  const column = dueColumn(claim)
  const due = dueIntents('postgresql', claim)
    .select(['intent_id', 'created_at'])
    .orderBy(column)
    .orderBy('created_at')
    .limit(sql.lit(claim.limit))
  const lease = queries.postgresql
    .with('due', () => due.forUpdate().skipLocked())
    .updateTable('journal_intents')
    .set(({ eb }) => ({
      lease_until: Math.round(claim.leaseUntil),
      lease_owner: claim.owner,
      version: eb('version', '+', 1),
    }))
    .where('intent_id', 'in', (eb) =>
      eb.selectFrom('due').select('intent_id').where(sql<boolean>`created_at + 0 = created_at`),
    )
    .where(DURABLE)
    .returningAll()
  const rows = yield* all(lease.compile())
  const dueAt = (row: (typeof rows)[number]) => row[column] ?? 0
  return intentsIn(rows.toSorted((one, other) => dueAt(one) - dueAt(other) || one.created_at - other.created_at))
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
  const check = nextCheckDue(dialect, until)
  const due = withOutcomes
    ? check.unionAll((eb) => eb.selectFrom(nextOutcomeDue(dialect).as('outcome')).select('outcome.at'))
    : check
  return earliest((yield* all(due.compile())).map(({ at }) => at ?? undefined))
}

/** Only intents that are due by `until` are searched: those that are watched may be many. */
export function nextCheckDue(dialect: DialectName, until: number) {
  return queries[dialect]
    .selectFrom('journal_intents')
    .select(
      sql<number | null>`min(case when lease_until > next_check_at then lease_until else next_check_at end)`.as('at'),
    )
    .where('next_check_at', '<=', Math.floor(until))
}
