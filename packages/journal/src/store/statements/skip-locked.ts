import type { SelectQueryBuilder } from 'kysely'
import type { DialectName } from '../schema/queries.ts'

/**
 * Locks the rows it selects, without waiting for rows that another process has locked. In SQLite one process writes at a time.
 */
export function skippingLocked<Tables, Table extends keyof Tables, Row>(
  dialect: DialectName,
  query: SelectQueryBuilder<Tables, Table, Row>,
): SelectQueryBuilder<Tables, Table, Row> {
  return dialect === 'postgresql' ? query.forUpdate().skipLocked() : query
}
