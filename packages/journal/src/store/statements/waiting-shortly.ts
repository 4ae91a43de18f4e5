import { sql } from 'kysely'
import { type DialectName, queries } from '../schema/queries.ts'
import { all, type Work } from './work.ts'

/** A process that was stopped before its commit must not hold up the others. In SQLite no wait is endless. */
const LOCK_WITHIN_MS = 2000

/** From here on the transaction fails if another process keeps a row that it writes locked. */
export function* waitingShortly(dialect: DialectName): Work<void> {
  if (dialect !== 'postgresql') return
  yield* all(sql`select set_config('lock_timeout', ${String(LOCK_WITHIN_MS)}, true)`.compile(queries[dialect]))
}
