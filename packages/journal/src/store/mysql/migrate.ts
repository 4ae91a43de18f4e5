import { errorUrl } from '@tallystick/core/internal'
import { type Migration, NO_VERSION, type PresentVersion } from '@tallystick/durable/schema'
import { sql } from 'kysely'
import { isUsable, MARKER, MIGRATIONS, marker, presentVersion, upgradeFrom } from '../schema/migrations.ts'
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
import { MYSQL, mysqlErrorOf } from './mysql-errors.ts'
import { statements } from './statements.ts'

const execute = <Result>(run: Run, schema: string, work: Work<Result>) => executeOn(statements, run, schema, work)

/** How long a process waits for another one that makes the tables, in seconds. */
const LOCK_WITHIN_S = 60

/** The server as this connection sees it. */
interface Seen {
  readonly path: string | null
  /** Its version. */
  readonly name: string
  readonly tables: string
  readonly type: string
  readonly n: number
}

/** The names are among those of our columns, so that libraries leave them as they are. */
const SEEN = `select database() as path, version() as name, @@session.sql_mode as tables,
  @@session.character_set_connection as type, @@global.innodb_flush_log_at_trx_commit as n`

/** Of MySQL, and of MariaDB: their first versions with SKIP LOCKED, and with a collation that tells all texts apart. */
const OLDEST = { mysql: [8, 0, 17], mariadb: [10, 6, 0] } as const

/**
 * The database of the tables: the one by option, else the connection's own.
 *
 * @throws Error if the server or its settings are not fit for a journal
 */
async function schemaOf(run: Run, option: string | undefined): Promise<string> {
  const { rows } = await run(SEEN, [], 'rows')
  const { path, name, tables: modes, type: characters, n: flush } = rows[0] as Seen
  requireRecent(name)
  if (modes.includes('NO_BACKSLASH_ESCAPES')) {
    throw new Error(
      'The sql_mode of the connection has NO_BACKSLASH_ESCAPES: drivers escape values by backslashes, so that a value could end its ' +
        'statement. Take that mode out',
    )
  }
  if (characters !== 'utf8mb4') {
    throw new Error(
      `The connection has the character set ${characters}, in which two names may be one: set its charset to 'utf8mb4'`,
    )
  }
  const schema = option ?? path
  if (schema === null) {
    throw new Error(
      "The connection is to no database: name one in its address, or give the journal its own: schema: 'payments'",
    )
  }
  if (flush !== 1) warnOfFlush(flush)
  return schema
}

function requireRecent(version: string): void {
  const isMariaDb = /mariadb/i.test(version)
  // MariaDB may call itself 5.5.5-10.11.6-MariaDB.
  const numbers = version
    .replace(/^5\.5\.5-/, '')
    .split(/[.-]/, 3)
    .map(Number)
  const oldest = isMariaDb ? OLDEST.mariadb : OLDEST.mysql
  const differing = oldest.findIndex((number, at) => number !== numbers[at])
  if (differing === -1 || (numbers[differing] ?? 0) > (oldest[differing] ?? 0)) return
  throw new Error(
    `The server has version ${version}: the journal needs MySQL ${OLDEST.mysql.join('.')} or MariaDB ${OLDEST.mariadb.join('.')}, or a later one`,
  )
}

let isWarned = false

function warnOfFlush(flush: number): void {
  if (isWarned) return
  isWarned = true
  process.emitWarning(
    `The server answers before a commit is durable (innodb_flush_log_at_trx_commit is ${flush}): after a power failure the journal ` +
      'may have forgotten what it has sent. Set it to 1',
    { type: 'JournalWarning', code: 'COMMIT_NOT_DURABLE', detail: errorUrl('journal', 'COMMIT_NOT_DURABLE') },
  )
}

/**
 * Brings the tables to the newest version. MySQL commits after each statement that makes a table: all of them may be done again, and
 * the note comes last. If the tables are the newest, the user needs no right to make tables.
 *
 * @throws Error when a later version of this package made tables that this one cannot work with, when tables that were there are gone
 *   (`TablesGoneError`), and when the server is too old
 */
export async function migrate(
  database: Database,
  place: Place = {},
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<Migrated> {
  const { schema, ...present } = await database.read((run) => presentIn(run, place))
  if (isUsable(present, migrations)) return { schema, version: present.version }
  return await database.write((run) => upgradeAlone(run, schema, place, migrations))
}

/** Under a lock of the connection, since those of a transaction end at the first table. */
async function upgradeAlone(
  run: Run,
  schema: string,
  place: Place,
  migrations: readonly Migration[],
): Promise<Migrated> {
  const lock = sql<{ n: number | null }>`select get_lock(${lockOf(schema)}, ${LOCK_WITHIN_S}) as n`.compile(
    queries.mysql,
  )
  if ((await execute(run, schema, one(lock)))?.n !== 1) {
    throw new Error(`Another process has been making the tables in ${schema} for ${LOCK_WITHIN_S} s`)
  }
  try {
    const present = await execute(run, schema, upgrade(schema, migrations, place))
    if (present.version === 0) await mark(run, schema)
    return { schema, version: present.version }
  } finally {
    await execute(run, schema, all(sql`select release_lock(${lockOf(schema)}) as n`.compile(queries.mysql)))
  }
}

/** Its longest name has 64 characters. */
function lockOf(schema: string): string {
  return `tallystick ${schema}`.slice(0, 64)
}

function* upgrade(schema: string, migrations: readonly Migration[], { isAnew = false }: Place): Work<PresentVersion> {
  const present = yield* versionOf(schema)
  if (present.version === 0) {
    if (!isAnew && (yield* hasMarker(schema))) throw new TablesGoneError(`schema ${schema}`)
    const found = sql`select 1 as n from information_schema.schemata where schema_name = ${schema}`.compile(
      queries.mysql,
    )
    if ((yield* one(found)) === undefined) yield* change(sql`create database ${sql.id(schema)}`.compile(queries.mysql))
  }
  yield* upgradeFrom(present, 'mysql', migrations)
  return present
}

/** The user may have no right to make a procedure: then the journal lives without the marker. */
const NOT_MARKED: ReadonlySet<number | undefined> = new Set([
  MYSQL.NO_RIGHT_IN_DATABASE,
  MYSQL.NO_RIGHT_TO_MAKE,
  MYSQL.NOT_PREPARED,
  MYSQL.PROCEDURE_EXISTS,
])

async function mark(run: Run, schema: string): Promise<void> {
  for (const statement of marker('mysql')) {
    try {
      await execute(run, schema, change(statement))
    } catch (error) {
      if (!NOT_MARKED.has(mysqlErrorOf(error)?.code)) throw error
    }
  }
}

function* hasMarker(schema: string): Work<boolean> {
  const made = sql`select 1 as n from information_schema.routines
    where routine_schema = ${schema} and routine_name = ${MARKER}`
  return (yield* one(made.compile(queries.mysql))) !== undefined
}

/** The schema in which a connection of the merchant's sees usable tables. */
export async function usableSchema(run: Run, place: Place): Promise<string | undefined> {
  const { schema, ...present } = await presentIn(run, place)
  return isUsable(present, MIGRATIONS) ? schema : undefined
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
  const found = sql<{ name: string }>`select table_schema as name from information_schema.tables
    where table_name = 'journal_version' order by table_schema`
  return (yield* all(found.compile(queries.mysql))).map(({ name }) => name)
}

async function presentIn(run: Run, place: Place): Promise<PresentVersion & Pick<Migrated, 'schema'>> {
  const schema = await schemaOf(run, place.schema)
  return { schema, ...(await execute(run, schema, versionOf(schema))) }
}

function* versionOf(schema: string): Work<PresentVersion> {
  const table = sql`select 1 as n from information_schema.tables
    where table_schema = ${schema} and table_name = 'journal_version'`
  return (yield* one(table.compile(queries.mysql))) === undefined ? NO_VERSION : yield* presentVersion('mysql')
}
