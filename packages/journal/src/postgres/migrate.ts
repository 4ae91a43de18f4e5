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

/** The lock that keeps two processes from making the tables at once: any number that nobody else uses. */
const LOCK = 7_405_119_306_283

/** How long a step waits for a table that others use, since all later comers wait behind it. After that it is tried again. */
const LOCK_TIMEOUT = sql`set local lock_timeout = '2s'`

/**
 * Brings the tables to the newest version, in one transaction. Gives the version that they had. If they are the newest, the role
 * needs no right to make tables.
 *
 * @throws Error when a later version of this package made tables that this one cannot work with
 */
export async function migrate(pool: Pool, migrations: readonly Migration[] = MIGRATIONS): Promise<number> {
  const present = await reading(pool, (client) => perform(client, versionOf()))
  if (isUsable(present, migrations)) return present.version
  return await again(wasLocked, () => transaction(pool, (client) => perform(client, upgrade(migrations))))
}

/** Whether a connection sees usable tables: then `migrate` has nothing to do. */
export async function areTablesThere(client: Pick<PoolClient, 'query'>): Promise<boolean> {
  return isUsable(await perform(client, versionOf()), MIGRATIONS)
}

/** Whether there are tables of any version. */
export async function areAnyTables(pool: Pool): Promise<boolean> {
  return (await reading(pool, (client) => perform(client, versionOf()))).version > NO_VERSION.version
}

/** Tables of a later version may be usable as well. */
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

/** Reads the catalogue's rows: with `to_regclass` a transaction may miss tables that were made since it began. */
function* versionOf(): Work<PresentVersion> {
  const table = sql`select 1 from pg_catalog.pg_class where relname = 'journal_version' and pg_table_is_visible(oid)`
  const found = yield* one(table.compile(queries.postgresql))
  return found === undefined ? NO_VERSION : yield* presentVersion('postgresql')
}
