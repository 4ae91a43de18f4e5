import type { Intent, IntentState, StateCounts } from '@tallystick/client'
import { type CompiledQuery, type Selectable, sql } from 'kysely'
import { type DialectName, queries } from '../schema/queries.ts'
import type { IntentsTable } from '../schema/tables.ts'
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

export function* unconfirmed(dialect: DialectName, limit: number): Work<readonly Intent[]> {
  const found = queries[dialect]
    .selectFrom('journal_intents')
    .selectAll()
    .where('state', '=', 'REJECTED')
    .where('next_check_at', 'is not', null)
    .orderBy('created_at')
    .limit(limit)
  return intentsIn(yield* all(found.compile()))
}

export function* suspectedDoubles(dialect: DialectName, limit: number): Work<readonly Intent[]> {
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
  return paid.selectAll().where('business_key', 'in', keys).orderBy('created_at').limit(limit).compile()
}
