import type { Queries } from '../sql/tables.ts'
import type { Database } from './database.ts'
import { hotStatement } from './prepared-statement.ts'

/** Writes a row, to see whether the store can be written to. */
export function probeOf(database: Database, queries: Queries): () => void {
  const write = hotStatement(
    database,
    {},
    queries.updateTable('probe').set(({ eb, ref }) => ({ written: eb(ref('written'), '+', 1n) })),
  )
  return () => void write.run(undefined)
}
