import type { OrderCache } from '../sql/order-cache.ts'
import type { Database } from './database.ts'
import type { StoreTables } from './write-change.ts'

/** Tables about the file itself, the keys that are used with it, and what persons had done. */
const KEPT = ['schema_version', 'probe', 'key_checks', 'operator_records']

/** Deletes every row of all other tables, within the transaction of the commit queue. */
export function forgetAll(database: Database, { nonces }: Pick<StoreTables, 'nonces'>, cache: OrderCache): void {
  database.exec('PRAGMA defer_foreign_keys = ON')
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
  for (const { name } of tables.all()) {
    if (!KEPT.includes(String(name))) database.exec(`DELETE FROM ${String(name)}`)
  }
  nonces.reload()
  cache.clear()
}
