import { type RawBuilder, sql } from 'kysely'

/**
 * Limits that SQLite does not plan by. One that is bound as it stands is part of the plan, and the statement is compiled
 * again at each run: 24 of 32 us.
 */
export const ONE = sql.lit(1)

export function unplanned(limit: number): RawBuilder<number> {
  return sql<number>`cast(${limit} as integer)`
}
