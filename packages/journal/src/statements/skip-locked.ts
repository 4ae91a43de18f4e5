import type { SelectQueryBuilder } from 'kysely'
import type { DialectName } from '../schema/queries.ts'

/** Locks what it selects, and leaves out what another process is at: none waits for it. In SQLite one writes at a time. */
export function skippingLocked<Tables, Table extends keyof Tables, Row>(
  dialect: DialectName,
  query: SelectQueryBuilder<Tables, Table, Row>,
): SelectQueryBuilder<Tables, Table, Row> {
  return dialect === 'postgresql' ? query.forUpdate().skipLocked() : query
}
