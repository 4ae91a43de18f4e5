import type { JournalStore } from '@tallystick/client/ports'
import type { SqliteDatabase, SqliteLibrary, SqliteStatement } from './store/sqlite/library.ts'
import { storeInFile } from './store/sqlite/sqlite-journal-store.ts'

/** The part of a `Database` of better-sqlite3 that the journal uses. */
interface BetterSqlite3 {
  readonly open: boolean
  readonly inTransaction: boolean
  prepare(sql: string): { safeIntegers(toggle: boolean): unknown }
  exec(sql: string): unknown
  close(): unknown
}

type Opening<Database> = new (
  file: string,
  options: { readonly timeout: number; readonly readonly: boolean },
) => Database

/**
 * A journal in the SQLite file of the shop's better-sqlite3. Its own connections to it are of that library, since two in one process
 * would not see each other's locks. The handler gets one of them, with an open transaction, which it must not end; it writes best
 * without waiting for anything, because nobody else can write to the file meanwhile.
 *
 * A process that has the file locked is waited for, as by `sqliteJournalStore`.
 *
 * @param database a file: a database in memory has no second connection
 * @throws TypeError for a database in memory
 * @throws Error that names the file when it cannot be opened, or when another SQLite library of this process has it open
 */
export function betterSqlite3JournalStore<Database extends BetterSqlite3>(database: Database): JournalStore<Database> {
  const file = fileOf(database)
  if (file === null) {
    throw new TypeError(
      'betterSqlite3JournalStore: the database must be a file: two connections have no memory in common. memoryJournalStore keeps nothing',
    )
  }
  const Opened = database.constructor as Opening<Database>
  const library: SqliteLibrary<Database> = {
    name: 'better-sqlite3',
    caller: 'betterSqlite3JournalStore',
    open: (name, { timeout, readOnly = false }) => new Wrapped(new Opened(name, { timeout, readonly: readOnly })),
    given: (wrapped) => (wrapped as Wrapped<Database>).database,
    taken: (transaction) => new Wrapped(transaction),
  }
  return storeInFile(file, library)
}

/** As a connection of node:sqlite. */
class Wrapped<Database extends BetterSqlite3> implements SqliteDatabase {
  readonly database: Database

  constructor(database: Database) {
    this.database = database
  }

  get isOpen(): boolean {
    return this.database.open
  }

  get isTransaction(): boolean {
    return this.database.inTransaction
  }

  /** The shop may have set that its whole numbers are `bigint`. */
  prepare(sql: string): SqliteStatement {
    return this.database.prepare(sql).safeIntegers(false) as SqliteStatement
  }

  exec(sql: string): void {
    this.database.exec(sql)
  }

  close(): void {
    this.database.close()
  }

  location(): string | null {
    return fileOf(this.database)
  }
}

function fileOf(database: BetterSqlite3): string | null {
  const statement = database.prepare('PRAGMA database_list') as unknown as SqliteStatement
  const main = statement.all().find(({ name }) => name === 'main')
  const file = main?.['file']
  return typeof file === 'string' && file !== '' ? file : null
}
