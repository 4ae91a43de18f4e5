import { sql } from 'kysely'
import type { Pool } from 'pg'
import { MIGRATIONS } from '../schema/migrations.ts'
import { queries } from '../schema/queries.ts'
import { newestVersion, upgradeFrom } from '../statements/upgrade.ts'
import { change, one, type Work } from '../statements/work.ts'
import { perform } from './connection.ts'
import { reading, transaction } from './transaction.ts'

/** Of the lock that keeps two processes from making the tables at once. Any number that others do not take. */
const LOCK = 7_405_119_306_283

/**
 * Brings the tables to the newest version, in one transaction. Gives the version that they had. Who has the newest needs no
 * right to make tables.
 *
 * @throws Error when a later version of this package wrote them
 */
export async function migrate(pool: Pool): Promise<number> {
  const version = await reading(pool, (client) => perform(client, versionOf()))
  if (version === MIGRATIONS.length) return version
  return await transaction(pool, (client) => perform(client, upgrade()))
}

function* upgrade(): Work<number> {
  yield* change(sql`select pg_advisory_xact_lock(${LOCK})`.compile(queries.postgresql))
  const version = yield* versionOf()
  yield* upgradeFrom(version, 'postgresql')
  return version
}

/** 0 where there are no tables. Read as rows: by `to_regclass` a transaction may miss what was made since it began. */
function* versionOf(): Work<number> {
  const table = sql`select 1 from pg_catalog.pg_class where relname = 'journal_version' and pg_table_is_visible(oid)`
  const found = yield* one(table.compile(queries.postgresql))
  return found === undefined ? 0 : yield* newestVersion('postgresql')
}
