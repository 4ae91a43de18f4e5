import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { types } from 'node:util'
import { errorUrl } from '@tallystick/core/internal'
import { noOtherLibrary } from '@tallystick/durable/file-guard'
import { retry } from '@tallystick/durable/retry'
import { makeForOwner, SQLITE, setDurable, sqliteCode } from '@tallystick/durable/sqlite'
import { readableRow, storableValue } from '@tallystick/durable/stored-text'
import type { CompiledQuery } from 'kysely'
import { systemWaiting, type Waiting } from '../../runtime/system.ts'
import { type Answer, type Step, TablesGoneError, type Work } from '../statements/work.ts'
import {
  type AnyLibrary,
  nodeSqlite,
  type OpenOptions,
  type SqliteDatabase,
  type SqliteStatement,
  type SqlValue,
} from './library.ts'

/** One connection, with its statements prepared once. */
export class Connection {
  readonly database: SqliteDatabase
  readonly library: AnyLibrary
  readonly #statements = new Map<string, SqliteStatement>()

  constructor(database: SqliteDatabase, library: AnyLibrary) {
    this.database = database
    this.library = library
  }

  /** Begins to write. Prepared, because the errors of `exec` have no code of SQLite in Deno, and `isBusy` needs it. */
  begin(): void {
    this.#prepared('BEGIN IMMEDIATE').run()
  }

  /** Runs statements one after the other. A transaction, if there is to be one, is the caller's business. */
  execute<Result>(work: Work<Result>): Result {
    let next = work.next()
    try {
      while (next.done !== true) next = work.next(this.#answer(next.value))
      return next.value
    } catch (error) {
      throw isTableGone(error) ? new TablesGoneError(this.database.location() ?? '', error) : error
    }
  }

  /** Runs a statement. Gives how many rows it changed. */
  run({ sql, parameters }: CompiledQuery): number {
    return Number(this.#prepared(sql).run(...valuesOf(parameters)).changes)
  }

  #answer({ query, wants }: Step): Answer {
    if (wants === 'count') return { rows: [], changed: this.run(query) }
    return {
      rows: this.#prepared(query.sql)
        .all(...valuesOf(query.parameters))
        .map(readableRow),
      changed: 0,
    }
  }

  #prepared(sql: string): SqliteStatement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

function isTableGone(error: unknown): boolean {
  return types.isNativeError(error) && /^no such table: (?:main\.)?journal_/.test(error.message)
}

function valuesOf(parameters: readonly unknown[]): SqlValue[] {
  return parameters.map(storableValue) as SqlValue[]
}

/** Whether another process has the database locked. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === SQLITE.BUSY
}

/** Makes sure that no other SQLite library of this process has the file. */
export function aloneOn({ database, library }: Connection, now: () => number): () => void {
  const version = database.prepare('PRAGMA data_version')
  return noOtherLibrary(
    {
      file: database.location() ?? '',
      own: 1,
      library: library.name,
      now,
      version: () => version.get()?.['data_version'],
    },
    (message) => new Error(`${library.caller}: ${message}`),
  )
}

/** How long a statement waits for another process, in milliseconds, and blocks the event loop. Longer waits do not block it. */
const BUSY_MS = 5
/** How long others may keep the database locked. */
export const RETRY_FOR_MS = 20_000
const LONGEST_PAUSE_MS = 20

/**
 * Opens a file for many processes at once: durable at each commit, with readers beside writers.
 */
export function openConnection(file: string, library: AnyLibrary = nodeSqlite): Connection {
  makeForOwner(file, warnIfOpen)
  const connection = new Connection(openDatabase(file, library), library)
  return openedOr(connection, () => {
    setDurable(connection.database)
    return connection
  })
}

/**
 * Does the first work on an opened file. If it fails, the connection is closed.
 *
 * @throws Error that names the file, if it was SQLite that failed
 */
export function openedOr<Result>({ database, library }: Connection, work: () => Result): Result {
  const file = database.location() ?? ''
  try {
    return work()
  } catch (error) {
    database.close()
    throw sqliteCode(error) === undefined ? error : cannotOpen(file, error, library)
  }
}

/** Opens a file only to read it: it may belong to another program, and stays as it is. */
export function readOnly(file: string): Connection {
  return new Connection(openDatabase(file, nodeSqlite, { readOnly: true }), nodeSqlite)
}

/** @throws Error that names the file; SQLite itself only says that it is unable to open one, or that a file is no database */
function openDatabase(file: string, library: AnyLibrary, options: Partial<OpenOptions> = {}): SqliteDatabase {
  let database: SqliteDatabase | undefined
  try {
    database = library.open(file, { timeout: BUSY_MS, ...options })
    // The first statement that reads the file.
    database.exec('PRAGMA schema_version')
    return database
  } catch (cause) {
    database?.close()
    throw cannotOpen(file, cause, library)
  }
}

function cannotOpen(file: string, cause: unknown, { caller }: AnyLibrary): Error {
  const said = types.isNativeError(cause) ? cause.message : String(cause)
  return new Error(`${caller}: cannot open ${file} (${said}); ${remedyFor(file, cause)}`, { cause })
}

/** By SQLite's error code. */
const REMEDIES: Readonly<Record<number, string>> = {
  [SQLITE.ERROR]:
    'its journal has other tables than this version makes: one from before the first release made them, or somebody has changed them',
  [SQLITE.FULL]: 'make room on its disk first',
}

function remedyFor(file: string, cause: unknown): string {
  const folder = dirname(file)
  if (!existsSync(folder)) return `there is no folder ${folder}: make it first`
  if (isBusy(cause)) return `${holderOf(file)} keeps it for itself: end that first`
  const remedy = REMEDIES[sqliteCode(cause) ?? 0]
  if (remedy !== undefined) return remedy
  return 'it must be a SQLite database, or nothing yet, that this process may write, in a folder that it may write'
}

/** A file that was there belongs to its operator, who may have reasons. Windows has no such bits. */
function warnIfOpen(file: string): void {
  const mode = process.platform === 'win32' ? 0 : statSync(file).mode & 0o777
  if ((mode & 0o006) === 0) return
  const may = (mode & 0o002) === 0 ? 'may read who bought what' : 'may change what was paid'
  process.emitWarning(`${file} has mode ${mode.toString(8)}, so every user of this machine ${may}: chmod 600 ${file}`, {
    type: 'JournalWarning',
    code: 'FILE_OPEN_TO_OTHERS',
    detail: errorUrl('journal', 'FILE_OPEN_TO_OTHERS'),
  })
}

/**
 * Does work that may find the database locked, again and again until it is free, without blocking the event loop.
 *
 * @param give Gives the error when it has been locked for too long
 */
export async function whenFree<Result>(
  work: () => Result,
  time: Waiting = systemWaiting,
  give: (error: unknown) => unknown = (error) => error,
): Promise<Result> {
  const pauseMs = () => 1 + time.fraction() * LONGEST_PAUSE_MS
  try {
    return await retry(work, { time, isPassing: isHeld, timeoutMs: RETRY_FOR_MS, pauseMs })
  } catch (error) {
    throw isHeld(error) ? give(error) : error
  }
}

/** Whether another process has the database locked, also when it could not be opened because of that. */
export function isHeld(error: unknown): boolean {
  return isBusy(error) || (types.isNativeError(error) && isBusy(error.cause))
}

const ANY_HOLDER = 'another process'

/** Another process that has a lock on the file, as Linux lists them. */
function holderOf(file: string): string {
  try {
    const files = [file, `${file}-wal`, `${file}-shm`]
    const inodes = files.map((name) => String(statSync(name, { throwIfNoEntry: false })?.ino))
    for (const [, pid = '0', inode = ''] of readFileSync('/proc/locks', 'utf8').matchAll(LOCK)) {
      if (pid === '0' || pid === String(process.pid) || !inodes.includes(inode)) continue
      return `process ${pid} (${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()})`
    }
  } catch {
    // The system lists none, or the process has ended.
  }
  return ANY_HOLDER
}

/** A line such as `1: POSIX  ADVISORY  WRITE 4711 08:01:1234 128 128`. */
const LOCK = /POSIX +\S+ +\S+ +(\d+) +\S+:(\d+) /g
