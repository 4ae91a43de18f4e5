import { type Migration, NO_VERSION, type PresentVersion } from '@tallystick/durable/schema'
import { SQLSTATE, serverErrorOf } from '@tallystick/durable/sqlstate'
import { sql } from 'kysely'
import { isUsable, MARKER, MIGRATIONS, presentVersion, upgradeFrom } from '../schema/migrations.ts'
import { queries } from '../schema/tables.ts'
import {
  type Database,
  execute as executeOn,
  type Migrated,
  type Place,
  type Run,
  type Sought,
} from '../session/server.ts'
import { all, change, one, TablesGoneError, type Work } from '../statements/work.ts'
import { statements } from './statements.ts'
import { again } from './transaction.ts'

const execute = <Result>(run: Run, schema: string, work: Work<Result>) => executeOn(statements, run, schema, work)

/** The lock that keeps two processes from making the tables at once: any number that nobody else uses. */
const LOCK = 7_405_119_306_283

/** How long a step waits for a table that others use, since all later comers wait behind it. After that it is tried again. */
const LOCK_TIMEOUT = sql`set local lock_timeout = '2s'`

/** How the path of a connection looks to the server. */
interface Path {
  readonly path: string
  /** The schemas of it that exist and may be used, in order. */
  readonly there: string
  /** The one that has our tables. */
  readonly tables: string | null
}

const PATH = `select current_setting('search_path') as path, array_to_json(current_schemas(false))::text as there,
  (select nspname::text from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where relname = 'journal_version' and pg_catalog.pg_table_is_visible(c.oid)) as tables`

/**
 * The schema of the tables: the one by option, else the first one of the connection's `search_path`, or the one in it that has
 * them.
 *
 * @throws Error if a schema that the path names is not there: PostgreSQL would silently take the next one, where there are no tables
 *   yet, and the journal would have forgotten what it has sent
 */
async function schemaOf(run: Run, option: string | undefined): Promise<string> {
  if (option !== undefined) return option
  const { rows } = await run(PATH, [], 'rows')
  const { path = '', there = '[]', tables = null } = (rows[0] ?? {}) as Partial<Path>
  const schemas = JSON.parse(there) as readonly string[]
  const schema = tables ?? schemas[0]
  const before = namesOf(path)
  const named = schema === undefined ? before : before.slice(0, Math.max(0, before.indexOf(schema)))
  const missing = named.find((name) => !schemas.includes(name))
  if (schema !== undefined && missing === undefined) return schema
  throw new Error(
    `postgresJournalStore: the search_path of the connection is ${path}, and there is no schema ${missing ?? 'of it'}, or the role ` +
      "may not use it. Correct the name, make the schema, or give the store its own: schema: 'payments'",
  )
}

/** The names of a path, without that of the role, which need not exist, and those of PostgreSQL. */
function namesOf(path: string): readonly string[] {
  const names = path.match(/"(?:[^"]|"")*"|[^\s,]+/g) ?? []
  return names
    .map((name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name))
    .filter((name) => name !== '$user' && !name.startsWith('pg_'))
}

/**
 * Brings the tables to the newest version, in one transaction. If they are the newest, the role needs no right to make tables.
 *
 * @throws Error when a later version of this package made tables that this one cannot work with, when tables that were there are gone
 *   (`TablesGoneError`), and when the `search_path` names a schema that is not there
 */
export async function migrate(
  database: Database,
  place: Place = {},
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<Migrated> {
  const { schema, version, worksWith } = await database.read((run) => presentIn(run, place))
  if (isUsable({ version, worksWith }, migrations)) return { schema, version }
  const upgraded = (run: Run) => execute(run, schema, upgrade(schema, migrations, place))
  return { schema, version: await again(wasLocked, () => database.write(upgraded)) }
}

/** Whether a lock was not free in time. */
function wasLocked(error: unknown): boolean {
  return serverErrorOf(error)?.code === SQLSTATE.LOCK_NOT_AVAILABLE
}

/**
 * The schema in which a connection of the pool sees usable tables: then `migrate` has nothing to do. It is in a transaction of the
 * merchant's, who may have set another `search_path` than connections of the pool begin with.
 */
export async function usableSchema(run: Run, place: Place): Promise<string | undefined> {
  const { rows } = await run(
    "select current_setting('search_path') as path, set_config('search_path', reset_val, true) from pg_settings where name = 'search_path'",
    [],
    'rows',
  )
  const [{ path }] = rows as [{ readonly path: string }]
  try {
    const { schema, ...present } = await presentIn(run, place)
    return isUsable(present, MIGRATIONS) ? schema : undefined
  } finally {
    await run("select set_config('search_path', $1, true)", [path], 'rows')
  }
}

/** @throws TablesGoneError if the schema had the tables of a journal */
export async function seekJournal(database: Database, place: Place): Promise<Sought> {
  const { isGone, ...sought } = await database.read(async (run) => {
    const { schema, version } = await presentIn(run, place)
    const isThere = version > NO_VERSION.version
    const isGone = !isThere && (await execute(run, schema, hasMarker(schema)))
    return { schema, isThere, isGone, others: await execute(run, schema, schemasWithTables()) }
  })
  if (isGone) throw new TablesGoneError(`schema ${sought.schema}`)
  return sought
}

function* schemasWithTables(): Work<readonly string[]> {
  const found = sql<{ name: string }>`select nspname as name from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace where relname = 'journal_version' order by nspname`
  return (yield* all(found.compile(queries.postgresql))).map(({ name }) => name)
}

async function presentIn(run: Run, place: Place): Promise<PresentVersion & Pick<Migrated, 'schema'>> {
  const schema = await schemaOf(run, place.schema)
  return { schema, ...(await execute(run, schema, versionOf(schema))) }
}

function* upgrade(schema: string, migrations: readonly Migration[], { isAnew = false }: Place): Work<number> {
  yield* change(sql`select pg_advisory_xact_lock(${LOCK})`.compile(queries.postgresql))
  yield* change(LOCK_TIMEOUT.compile(queries.postgresql))
  const present = yield* versionOf(schema)
  if (present.version === 0) {
    if (!isAnew && (yield* hasMarker(schema))) throw new TablesGoneError(`schema ${schema}`)
    const found = sql`select 1 from pg_catalog.pg_namespace where nspname = ${schema}`.compile(queries.postgresql)
    if ((yield* one(found)) === undefined) {
      yield* change(sql`create schema ${sql.id(schema)}`.compile(queries.postgresql))
    }
  }
  yield* upgradeFrom(present, 'postgresql', migrations)
  return present.version
}

function* hasMarker(schema: string): Work<boolean> {
  const made = sql`select 1 from pg_catalog.pg_proc where proname = ${MARKER}
    and pronamespace = (select oid from pg_catalog.pg_namespace where nspname = ${schema})`
  return (yield* one(made.compile(queries.postgresql))) !== undefined
}

/** Reads the catalogue's rows: with `to_regclass` a transaction may miss tables that were made since it began. */
function* versionOf(schema: string): Work<PresentVersion> {
  const table = sql`select 1 from pg_catalog.pg_class where relname = 'journal_version'
    and relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ${schema})`
  const found = yield* one(table.compile(queries.postgresql))
  return found === undefined ? NO_VERSION : yield* presentVersion('postgresql')
}
