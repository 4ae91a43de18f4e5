import { isDeepStrictEqual } from 'node:util'
import { closeUnlessLeft } from '@tallystick/durable/file-guard'
import { NO_VERSION, newestStep, type PresentVersion, presentVersionOf } from '@tallystick/durable/schema'
import { SQLITE, sqliteCode } from '@tallystick/durable/sqlite'
import { type CompiledQuery, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { readingDialect } from '../sql/dialect.ts'
import { upgradeFrom, VERSION_TABLE } from '../sql/migrations/migrations.ts'
import { OrderCache } from '../sql/order-cache.ts'
import { NAMESAKE, ORPHAN, OVERDRAWN, SAMPLE } from '../sql/self-test-samples.ts'
import type { Queries, Tables } from '../sql/tables.ts'
import { StoreError } from '../store-error.ts'
import { type Database, type OpenDatabase, prepare, type SqlValue } from './database.ts'
import { aloneOn, explained, lockOwnerOf, openDatabase } from './open-database.ts'
import { type StoreTables, storeTables, writeChange } from './write-change.ts'

/** A file that is locked, has the newest schema, and has passed the self-test. */
export interface OpenStore {
  readonly database: Database
  readonly queries: Queries
  readonly tables: StoreTables
  readonly cache: OrderCache
  readonly holder: ReturnType<typeof lockOwnerOf>
}

interface OpenStoreOptions {
  readonly open: OpenDatabase
  readonly cachedOrders: number
  readonly spareNonces: number
}

/**
 * Opens a file, and makes what works on it. If anything fails, the file is closed.
 *
 * @throws StoreError
 */
export function openStore<Made>(
  file: string,
  { open, cachedOrders, spareNonces }: OpenStoreOptions,
  make: (open: OpenStore) => Made,
): Made {
  const database = openDatabase(file, open)
  try {
    return explained(file, () => {
      aloneOn(database)()
      const holder = lockOwnerOf(file)
      holder.write()
      const queries = queriesOf(database)
      migrate(database, file)
      const cache = new OrderCache(cachedOrders)
      const tables = storeTables(database, queries, { cache, spareNonces })
      selfTest({ file, database, tables, cache })
      return make({ database, queries, tables, cache, holder })
    })
  } catch (error) {
    closeUnlessLeft(database)
    throw error
  }
}

/** Kysely over one database of node:sqlite. */
function queriesOf(database: Database): Queries {
  const dialect = readingDialect({
    adapter: () => new SqliteAdapter(),
    compiler: () => new SqliteQueryCompiler(),
    introspector: (queries) => new SqliteIntrospector(queries),
    read: ({ sql, parameters }) => prepare(database, sql).all(...(parameters as SqlValue[])),
  })
  return new Kysely<Tables>({ dialect })
}

const VERSIONS = { dialect: 'sqlite', table: VERSION_TABLE } as const

/**
 * Brings the schema to the newest version, in one transaction.
 *
 * @throws StoreError if the file is of a later version that this gateway cannot work on, or another program's
 */
function migrate(database: Database, file: string): void {
  const statements = upgradeFrom(presentVersion(database, file), file, VERSIONS).flat()
  if (statements.length === 0) return
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const each of statements) prepared(database, each).run()
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function presentVersion(database: Database, file: string): PresentVersion {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
  if (tables.length === 0) return NO_VERSION
  if (tables.some(({ name }) => name === VERSION_TABLE))
    return presentVersionOf(prepared(database, newestStep(VERSIONS)).get())
  throw new StoreError('FOREIGN', `${file} is a database of another program`)
}

function prepared(database: Database, { sql, parameters }: CompiledQuery) {
  const statement = database.prepare(sql)
  const values = parameters as SqlValue[]
  return { run: () => void statement.run(...values), get: () => statement.get(...values) }
}

/** The largest file, in pages, that is read through at start: a larger one would delay it. */
const MOST_PAGES_CHECKED = 8_192

interface SelfTestSubject {
  readonly file: string
  readonly database: Database
  readonly tables: StoreTables
  readonly cache: OrderCache
}

/**
 * Checks that the file is sound and keeps what is written to it, before money depends on it.
 *
 * @throws StoreError `UNSOUND`, with what is wrong
 */
function selfTest(subject: SelfTestSubject): void {
  const wrong = wrongSetting(subject.database) ?? damage(subject.database) ?? wrongWriting(subject)
  if (wrong !== undefined) throw new StoreError('UNSOUND', `${subject.file}: ${wrong}`)
}

const SETTINGS: Readonly<Record<string, SqlValue>> = {
  journal_mode: 'wal',
  synchronous: 2,
  foreign_keys: 1,
  locking_mode: 'exclusive',
}

function wrongSetting(database: Database): string | undefined {
  const wrong = Object.entries(SETTINGS).find(([name, value]) => pragma(database, name) !== value)
  return wrong && `${wrong[0]} is ${String(pragma(database, wrong[0]))}, not ${String(wrong[1])}`
}

/** Only the schema of a large file is checked; each page of the log has a checksum of its own. */
function damage(database: Database): string | undefined {
  const isSmall = Number(pragma(database, 'page_count')) <= MOST_PAGES_CHECKED
  const found = pragma(database, isSmall ? 'quick_check' : 'quick_check(sqlite_schema)')
  return found === 'ok' ? undefined : `is damaged (${String(found)}): restore a copy`
}

function pragma(database: Database, name: string): SqlValue | undefined {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
}

/** Writes, reads, breaks each kind of constraint, and rolls all of it back. */
function wrongWriting({ database, tables, cache }: SelfTestSubject): string | undefined {
  database.exec('BEGIN IMMEDIATE')
  try {
    writeChange({ order: { order: SAMPLE, basedOn: 'nothing' } }, 0, tables)
    cache.clear()
    if (!isDeepStrictEqual(tables.orders.get(SAMPLE.orderId), SAMPLE)) return 'does not give back what was written'
    if (!isRefused(() => void tables.orders.write({ order: OVERDRAWN, basedOn: 1 }, 0)))
      return 'lets an order be overdrawn'
    if (!isRefused(() => tables.postings.write(ORPHAN, { seq: 0, position: 0 }))) return 'books money of no operation'
    if (tables.orders.write({ order: NAMESAKE, basedOn: 'nothing' }, 0) === undefined) return 'takes an order twice'
    return undefined
  } finally {
    cache.clear()
    database.exec('ROLLBACK')
  }
}

function isRefused(write: () => void): boolean {
  try {
    write()
    return false
  } catch (error) {
    if (sqliteCode(error) === SQLITE.CONSTRAINT) return true
    throw error
  }
}
