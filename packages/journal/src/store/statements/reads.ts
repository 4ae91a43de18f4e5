import type { NamedOrders, StateCounts } from '@tallystick/client/internal'
import type { Intent, IntentState, JournalStore, OrphanOrder, StoredOutcome } from '@tallystick/client/ports'
import type { DialectName } from '@tallystick/durable/schema'
import { type CompiledQuery, type Selectable, sql } from 'kysely'
import { type IntentsTable, intentIn, intentsIn, queries } from '../schema/tables.ts'
import { orphanOf } from './orphans.ts'
import type { SharedStatements } from './shared.ts'
import { all, one, type Runner, upToNow, type Work } from './work.ts'

/** How a store finds intents, and what it tells a report. */
export function readMethods<Transaction>(
  dialect: DialectName,
  { read, within }: Runner<Transaction>,
  shared: SharedStatements | undefined,
) {
  return {
    find: async (intentId) => {
      if (shared === undefined) return await read(() => findIntent(dialect, 'intent_id', intentId))
      return (await shared.read('intent_id', intentId)).at(0)
    },
    findReference: (reference) => read(() => findIntent(dialect, 'reference', reference)),
    attemptsOf: async (businessKey) => {
      if (shared === undefined) return await read(() => intentsBy(dialect, 'business_key', businessKey))
      return (await shared.read('business_key', businessKey)).toSorted(byAttempt)
    },
    ofOrder: async (clientOrderId, transaction) => {
      if (transaction !== undefined)
        return await within(transaction, () => intentsBy(dialect, 'client_order_id', clientOrderId, true))
      if (shared === undefined) return await read(() => intentsBy(dialect, 'client_order_id', clientOrderId))
      const found = await shared.read('client_order_id', clientOrderId)
      return found.toSorted((one, other) => one.createdAt - other.createdAt || byAttempt(one, other))
    },
    named: (name) => read(() => namedOrders(dialect, name)),
    holderOf: (orderId) => read(() => holderOf(dialect, orderId)),
    counts: () => read(() => counts(dialect)),
    inStates: (states, limit) => read(() => inStates(dialect, states, limit)),
    unconfirmed: (limit) => read(() => unconfirmed(dialect, limit)),
    suspectedDoubles: (limit) => read(() => suspectedDoubles(dialect, limit)),
  } satisfies Partial<JournalStore<Transaction>>
}

function byAttempt(one: Intent, other: Intent): number {
  return one.attempt - other.attempt
}

function* findIntent(dialect: DialectName, column: 'intent_id' | 'reference', value: string): Work<Intent | undefined> {
  const found = queries[dialect].selectFrom('journal_intents').selectAll().where(column, '=', value)
  return intentIn(yield* one(found.compile()))
}

/** The modification that holds the order: at most one. */
function* holderOf(dialect: DialectName, orderId: string): Work<Intent | undefined> {
  const holds = sql<boolean>`holds_order = 1`
  const held = queries[dialect].selectFrom('journal_intents').selectAll().where('order_id', '=', orderId).where(holds)
  return intentIn(yield* one(held.compile()))
}

function* intentsBy(
  dialect: DialectName,
  column: 'business_key' | 'client_order_id',
  value: string,
  isUpToNow = false,
): Work<readonly Intent[]> {
  const stored = queries[dialect].selectFrom('journal_intents').selectAll().where(column, '=', value)
  const found = isUpToNow ? upToNow(dialect, stored) : stored
  // Attempts are sorted by their number: if the clocks of two processes differ, the times do not tell their order.
  const inOrder = column === 'business_key' ? found : found.orderBy('created_at')
  return intentsIn(yield* all(inOrder.orderBy('attempt').compile()))
}

function* counts(dialect: DialectName): Work<StateCounts> {
  const grouped = queries[dialect]
    .selectFrom('journal_intents')
    .select(['state', sql<number>`count(*)`.as('n')])
    .groupBy('state')
  return Object.fromEntries((yield* all(grouped.compile())).map(({ state, n }) => [state, n]))
}

function* inStates(dialect: DialectName, states: readonly IntentState[], limit: number): Work<readonly Intent[]> {
  const found = queries[dialect]
    .selectFrom('journal_intents')
    .selectAll()
    .where('state', 'in', states)
    .orderBy('created_at')
    .limit(limit)
  return intentsIn(yield* all(found.compile()))
}

function* unconfirmed(dialect: DialectName, limit: number): Work<readonly Intent[]> {
  const found = queries[dialect]
    .selectFrom('journal_intents')
    .selectAll()
    .where('state', '=', 'REJECTED')
    .where('next_check_at', 'is not', null)
    .orderBy('created_at')
    .limit(limit)
  return intentsIn(yield* all(found.compile()))
}

function* suspectedDoubles(dialect: DialectName, limit: number): Work<readonly Intent[]> {
  return intentsIn(yield* all(doublesOf(dialect, limit)))
}

/** Only keys with a second attempt are searched: there are few of them. */
export function doublesOf(dialect: DialectName, limit: number): CompiledQuery<Selectable<IntentsTable>> {
  const intents = queries[dialect].selectFrom('journal_intents')
  const repeated = intents.select('business_key').where(sql<boolean>`attempt > 1`)
  const paid = intents
    .where('business_key', 'in', repeated)
    .where('kind', '=', 'opening')
    .where('state', '=', 'FINAL')
    .where('status', '=', 'approved')
    // The verification of a card asks no money.
    .where('amounts', '!=', '[]')
    // Of a full refund nothing is kept.
    .where(sql<string>`coalesce(observed, '')`, 'not like', '%"amount":"0"%')
  const keys = paid.select('business_key').groupBy('business_key').having(sql`count(*)`, '>', 1)
  const doubles = paid.selectAll().where('business_key', 'in', keys)
  return doubles.orderBy('created_at').orderBy('attempt').limit(limit).compile()
}

/** What is known of the orders that have a name: for someone who looks a payment up. */
function* namedOrders(dialect: DialectName, name: string): Work<NamedOrders> {
  const intents = yield* intentsNamed(dialect, name)
  const ids = unique(intents.map(({ clientOrderId }) => clientOrderId))
  return { intents, outcomes: yield* outcomesOf(dialect, ids), orphans: yield* orphansNamed(dialect, name) }
}

function* intentsNamed(dialect: DialectName, name: string): Work<readonly Intent[]> {
  const columns = ['intent_id', 'business_key', 'client_order_id', 'order_id', 'reference'] as const
  const named = queries[dialect]
    .selectFrom('journal_intents')
    .select(['business_key', 'client_order_id'])
    .where(({ or, eb }) => or(columns.map((column) => eb(column, '=', name))))
  const rows = yield* all(named.compile())
  if (rows.length === 0) return []
  const keys = unique(rows.map(({ business_key }) => business_key))
  const ids = unique(rows.map(({ client_order_id }) => client_order_id))
  const found = queries[dialect]
    .selectFrom('journal_intents')
    .selectAll()
    .where(({ or, eb }) => or([eb('business_key', 'in', keys), eb('client_order_id', 'in', ids)]))
    .orderBy('created_at')
    .orderBy('attempt')
  return intentsIn(yield* all(found.compile()))
}

function* outcomesOf(dialect: DialectName, ids: readonly string[]): Work<readonly StoredOutcome[]> {
  if (ids.length === 0) return []
  const found = queries[dialect]
    .selectFrom('journal_outcomes')
    .select(['outcome', 'failures', 'handled_at'])
    .where('client_order_id', 'in', ids)
    .orderBy('client_order_id')
    .orderBy('number')
  return (yield* all(found.compile())).map(({ outcome, failures, handled_at }) => ({
    outcome: JSON.parse(outcome),
    failures,
    handledAt: handled_at ?? undefined,
  }))
}

function* orphansNamed(dialect: DialectName, name: string): Work<readonly OrphanOrder[]> {
  const found = queries[dialect]
    .selectFrom('journal_orphan_orders')
    .selectAll()
    .where(({ or, eb }) => or([eb('client_order_id', '=', name), eb('order_id', '=', name)]))
    .orderBy('received_at')
  return (yield* all(found.compile())).map(orphanOf)
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
