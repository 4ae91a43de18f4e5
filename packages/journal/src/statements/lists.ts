import type { Intent, IntentState, StateCounts } from '@tallystick/client'
import { sql } from 'kysely'
import { type DialectName, queries } from '../schema/queries.ts'
import { intentsIn } from './intents.ts'
import { all, type Work } from './work.ts'

/** What the report shows. */

export function* counts(dialect: DialectName): Work<StateCounts> {
  const grouped = queries[dialect]
    .selectFrom('journal_intents')
    .select(['state', sql<number>`count(*)`.as('n')])
    .groupBy('state')
  return Object.fromEntries((yield* all(grouped.compile())).map(({ state, n }) => [state, n]))
}

export function* inStates(
  dialect: DialectName,
  states: readonly IntentState[],
  limit: number,
): Work<readonly Intent[]> {
  const found = queries[dialect]
    .selectFrom('journal_intents')
    .selectAll()
    .where('state', 'in', states)
    .orderBy('created_at')
    .limit(limit)
  return intentsIn(yield* all(found.compile()))
}

export function* suspectedDoubles(dialect: DialectName, limit: number): Work<readonly Intent[]> {
  const approved = queries[dialect]
    .selectFrom('journal_intents')
    .where('kind', '=', 'opening')
    .where('state', '=', 'FINAL')
    .where('status', '=', 'approved')
  const keys = approved.select('business_key').groupBy('business_key').having(sql`count(*)`, '>', 1)
  const doubles = approved.selectAll().where('business_key', 'in', keys).orderBy('created_at').limit(limit)
  return intentsIn(yield* all(doubles.compile()))
}
