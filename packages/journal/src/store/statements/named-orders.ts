import type { Intent, NamedOrders, StoredOutcome, StrayOrder } from '@tallystick/client'
import { type DialectName, queries } from '../schema/queries.ts'
import { intentsIn } from './intents.ts'
import { strayOf } from './orphans.ts'
import { all, type Work } from './work.ts'

/** What is known of the orders that have a name: for someone who looks a payment up. */
export function* namedOrders(dialect: DialectName, name: string): Work<NamedOrders> {
  const intents = yield* intentsNamed(dialect, name)
  const ids = unique(intents.map(({ clientOrderId }) => clientOrderId))
  return { intents, outcomes: yield* outcomesOf(dialect, ids), strays: yield* straysNamed(dialect, name) }
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

function* straysNamed(dialect: DialectName, name: string): Work<readonly StrayOrder[]> {
  const found = queries[dialect]
    .selectFrom('journal_stray_orders')
    .selectAll()
    .where(({ or, eb }) => or([eb('client_order_id', '=', name), eb('order_id', '=', name)]))
    .orderBy('received_at')
  return (yield* all(found.compile())).map(strayOf)
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
