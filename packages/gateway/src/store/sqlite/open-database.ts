import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileInPlace, leaveOpen, noOtherLibrary } from '@tallystick/durable/file-guard'
import { makeForOwner, SQLITE, type SqliteCode, setDurable, sqliteCode } from '@tallystick/durable/sqlite'
import { realTime } from '../../runtime/system.ts'
import { otherTables, StoreError, type StoreErrorCode } from '../store-error.ts'
import type { Database, OpenDatabase } from './database.ts'

const CACHE_KIB = 65_536
/** The length of the log at which its pages are moved to the file: each is moved once, however often it was written. */
const CHECKPOINT_PAGES = 4_000

/** How opening and the first access may fail. */
const FAILURES: readonly (readonly [SqliteCode, StoreErrorCode, (file: string) => string])[] = [
  [SQLITE.BUSY, 'IN_USE', (file) => `${file} is in use by ${describeLockOwner(file)}`],
  // A statement names a table or column that does not exist.
  [SQLITE.ERROR, 'UNSOUND', otherTables],
  [SQLITE.NOTADB, 'FOREIGN', (file) => `${file} is not a database`],
  [SQLITE.CANTOPEN, 'UNWRITABLE', (file) => `${file} cannot be opened: is its folder there, and writable?`],
  [SQLITE.READONLY, 'UNWRITABLE', (file) => `${file} cannot be written to`],
  [SQLITE.IOERR, 'UNWRITABLE', (file) => `${file} cannot be written to`],
  [SQLITE.FULL, 'UNWRITABLE', (file) => `${file} cannot be written to: the disk is full`],
  [SQLITE.CORRUPT, 'UNSOUND', (file) => `${file} is damaged: restore a copy`],
]

/**
 * Opens the file for this process alone, durable at each commit.
 *
 * `locking_mode` EXCLUSIVE keeps the system's lock on the file from the first access to the end, however that comes. It
 * also spares the locks of every single statement.
 *
 * @throws StoreError
 */
export function openDatabase(file: string, open: OpenDatabase): Database {
  return explained(file, () => {
    makeForOwner(file)
    const database = open(file)
    try {
      database.exec('PRAGMA locking_mode = EXCLUSIVE')
      setDurable(database)
      database.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
      database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
      // The first write takes the lock, if nothing did before.
      database.exec('BEGIN IMMEDIATE')
      database.exec('ROLLBACK')
      return database
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** Explains a failure of SQLite to the operator who starts the gateway. */
export function explained<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const failure = FAILURES.find(([code]) => code === sqliteCode(error))
    if (failure === undefined) throw error
    const [, code, message] = failure
    throw new StoreError(code, message(file))
  }
}

/** @returns a check that throws a StoreError if the file or its log was removed or replaced */
export function inPlaceOf(database: Database): () => void {
  return fileInPlace(
    fileOf(database),
    (name) =>
      new StoreError(
        'UNSOUND',
        `${name} was removed or replaced while the gateway has it open, and what is written to it would be lost: put the file back, or restart the gateway`,
      ),
  )
}

/**
 * The check for a database that this process has for itself: then a descriptor of shared memory is another library's. Such a
 * database is not closed any more.
 *
 * @returns a check that throws a StoreError if another library has the file
 */
export function aloneOn(database: Database): () => void {
  return noOtherLibrary({ file: fileOf(database), own: 0, now: realTime.now }, (message) => {
    leaveOpen(database)
    return new StoreError('IN_USE', message)
  })
}

function fileOf(database: Database): string {
  return String(database.prepare('PRAGMA database_list').get()?.['file'])
}

/**
 * Notes who holds the file, for the message that another process gets. The lock itself is the system's, on the database: it
 * ends with the process, so the note of a killed process means nothing.
 */
interface LockOwner {
  /** @throws StoreError when it cannot be written */
  write(): void
  remove(): void
}

export function lockOwnerOf(file: string): LockOwner {
  const name = nameOf(file)
  return {
    write: () => {
      try {
        writeFileSync(name, `${process.pid}\n`)
      } catch (error) {
        throw new StoreError('UNWRITABLE', `${name} cannot be written to (${(error as NodeJS.ErrnoException).code})`)
      }
    },
    remove: () => rmSync(name, { force: true }),
  }
}

/** Who has the file. A program that reads it, such as a backup, keeps a gateway out as well, and leaves no note. */
function describeLockOwner(file: string): string {
  const pid = notedIn(nameOf(file))
  return isRunning(pid) ? `another gateway (pid ${pid})` : 'another process: a gateway, or a program that reads it'
}

/** `NaN` if nobody is noted. */
function notedIn(name: string): number {
  try {
    return Number.parseInt(readFileSync(name, 'utf8'), 10)
  } catch {
    return Number.NaN
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function nameOf(file: string): string {
  return `${file}.pid`
}
