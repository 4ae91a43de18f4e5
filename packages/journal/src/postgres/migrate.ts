import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Migration } from '../schema/migration.ts'
import { MIGRATIONS } from '../schema/migrations.ts'
import { queries } from '../schema/queries.ts'
import { NO_VERSION, type PresentVersion, presentVersion, upgradeFrom } from '../statements/upgrade.ts'
import { change, one, type Work } from '../statements/work.ts'
import { perform } from './connection.ts'
import { wasLocked } from './failures.ts'
import { again, reading, transaction } from './transaction.ts'

/** Of the lock that keeps two processes from making the tables at once. Any number that others do not take. */
const LOCK = 7_405_119_306_283

/** How long a step waits for a table that others use: who comes meanwhile waits behind it. After that it is tried again. */
const LOCK_TIMEOUT = sql`set local lock_timeout = '2s'`

/**
 * Brings the tables to the newest version, in one transaction. Gives the version that they had. Who has the newest needs no
 * right to make tables.
 *
 * @throws Error when a later version of this package wrote them, with which this one cannot work
 */
export async function migrate(pool: Pool, migrations: readonly Migration[] = MIGRATIONS): Promise<number> {
  const present = await reading(pool, (client) => perform(client, versionOf()))
  if (isUsable(present, migrations)) return present.version
  return await again(wasLocked, () => transaction(pool, (client) => perform(client, upgrade(migrations))))
}

/** Whether the tables are there, as a connection sees them: then nothing is left for `migrate`. */
export async function areTablesThere(client: Pick<PoolClient, 'query'>): Promise<boolean> {
  return isUsable(await perform(client, versionOf()), MIGRATIONS)
}

/** Whether there are any, of whatever version. */
export async function areAnyTables(pool: Pool): Promise<boolean> {
  return (await reading(pool, (client) => perform(client, versionOf()))).version > NO_VERSION.version
}

/** What a later version of this package has made of them may be, too. */
function isUsable({ version, worksWith }: PresentVersion, migrations: readonly Migration[]): boolean {
  return version >= migrations.length && worksWith <= migrations.length
}

function* upgrade(migrations: readonly Migration[]): Work<number> {
  yield* change(sql`select pg_advisory_xact_lock(${LOCK})`.compile(queries.postgresql))
  yield* change(LOCK_TIMEOUT.compile(queries.postgresql))
  const present = yield* versionOf()
  yield* upgradeFrom(present, 'postgresql', migrations)
  return present.version
}

/** Read as rows: by `to_regclass` a transaction may miss what was made since it began. */
function* versionOf(): Work<PresentVersion> {
  const table = sql`select 1 from pg_catalog.pg_class where relname = 'journal_version' and pg_table_is_visible(oid)`
  const found = yield* one(table.compile(queries.postgresql))
  return found === undefined ? NO_VERSION : yield* presentVersion('postgresql')
}
