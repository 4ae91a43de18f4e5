import { closeSync, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, DatabaseSyncOptions, StatementSync } from 'node:sqlite'
import type { CompiledQuery } from 'kysely'
import { readable, storableValue } from '../statements/storable-text.ts'
import type { Answer, Step, Work } from '../statements/work.ts'

type SqlValue = null | number | string

/** One connection to a database of node:sqlite, with its statements prepared once. */
export class Connection {
  readonly database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.database = database
  }

  /** Runs statements one after the other; a transaction, if there is to be one, is the caller's. */
  perform<Result>(work: Work<Result>): Result {
    let next = work.next()
    while (next.done !== true) next = work.next(this.#answer(next.value))
    return next.value
  }

  /** How many rows it changed. */
  run({ sql, parameters }: CompiledQuery): number {
    return Number(this.#prepared(sql).run(...valuesOf(parameters)).changes)
  }

  #answer({ query, wants }: Step): Answer {
    if (wants === 'count') return { rows: [], changed: this.run(query) }
    return {
      rows: this.#prepared(query.sql)
        .all(...valuesOf(query.parameters))
        .map(readRow),
      changed: 0,
    }
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

function valuesOf(parameters: readonly unknown[]): SqlValue[] {
  return parameters.map(storableValue) as SqlValue[]
}

/** The row itself, which nobody else has, with its texts as they were given. */
function readRow(row: Record<string, unknown>): Record<string, unknown> {
  // Without a list of its columns, which would take longer than to read them.
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'string') row[name] = readable(value)
  }
  return row
}

/** How long a statement waits for another process, in milliseconds, with the event loop. Longer waits are ours, without it. */
const BUSY_MS = 5
/** At the start. */
const OPENING_MS = 20_000

/**
 * Opens a file for many processes at once: durable at each commit, readers beside writers.
 *
 * node:sqlite is loaded here and not before: who keeps everything in memory does not pay for it.
 */
export function openConnection(file: string): Connection {
  makeForOwner(file)
  const connection = new Connection(openDatabase(file))
  return openedOr(connection, () => {
    patiently(connection, ({ database }) => {
      database.exec('PRAGMA journal_mode = WAL')
      database.exec('PRAGMA synchronous = FULL')
      database.exec('PRAGMA foreign_keys = ON')
    })
    return connection
  })
}

/**
 * The first work on a file that was opened. The connection is closed where it fails.
 *
 * @throws Error that names the file, where it was SQLite that failed
 */
export function openedOr<Result>({ database }: Connection, work: () => Result): Result {
  const file = database.location() ?? ''
  try {
    return work()
  } catch (error) {
    database.close()
    throw codeOf(error) === undefined ? error : cannotOpen(file, error)
  }
}

/** Opens a file to look at it: it may be another's, and stays as it is. */
export function readOnly(file: string): Connection {
  return new Connection(openDatabase(file, { readOnly: true }))
}

/** @throws Error that names the file; SQLite itself only says that it is unable to open one, or that a file is no database */
function openDatabase(file: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: OPENING_MS, ...options })
    // Nothing of the file was read until now.
    database.exec('PRAGMA schema_version')
    return database
  } catch (cause) {
    database?.close()
    throw cannotOpen(file, cause)
  }
}

function cannotOpen(file: string, cause: unknown): Error {
  const said = cause instanceof Error ? cause.message : String(cause)
  return new Error(`sqliteJournalStore: cannot open ${file} (${said}); ${remedyFor(file, cause)}`, { cause })
}

/** By the code of SQLite. */
const REMEDIES: Readonly<Record<number, string>> = {
  1: 'its journal has other tables than this version makes: one from before the first release made them, or somebody has changed them',
  5: 'another process keeps it for itself: end that first',
  13: 'make room on its disk first',
}

function remedyFor(file: string, cause: unknown): string {
  const folder = dirname(file)
  if (!existsSync(folder)) return `there is no folder ${folder}: make it first`
  const remedy = REMEDIES[codeOf(cause) ?? 0]
  if (remedy !== undefined) return remedy
  return 'it must be a SQLite database, or nothing yet, that this process may write, in a folder that it may write'
}

/**
 * A new file is for its owner alone to read: it says who bought what. SQLite gives its log the rights of the file. One that
 * is there keeps what its operator gave it, and is not opened: to close it would give back all locks that connections of this
 * process have on it, and a program that opens and closes the file would take their log away.
 *
 * @see {@link https://www.sqlite.org/howtocorrupt.html} section 2.2
 */
function makeForOwner(file: string): void {
  if (existsSync(file)) return
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch {
    // SQLite fails at it next, and says why.
  }
}

/** Work at the start, when other processes may recover the file or make its tables. */
export function patiently<Result>(connection: Connection, work: (connection: Connection) => Result): Result {
  const { database } = connection
  database.exec(`PRAGMA busy_timeout = ${OPENING_MS}`)
  const result = work(connection)
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
  return result
}

const SQLITE_BUSY = 5

/** Whether another process has the database just now. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === SQLITE_BUSY
}

/** The code of an error of SQLite: an extended code has it in its lowest byte. */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}
