import { closeSync, existsSync, openSync } from 'node:fs'
import { otherTables, StoreError, type StoreErrorCode } from '../store-error.ts'
import { type Database, isSqliteFailure, type OpenDatabase, SQLITE, type SqliteCode } from './database.ts'
import { describeLockOwner } from './lock-owner.ts'

/** The size of the page cache, in KiB. */
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
      database.exec('PRAGMA journal_mode = WAL')
      database.exec('PRAGMA synchronous = FULL')
      database.exec('PRAGMA foreign_keys = ON')
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

/**
 * Makes a new file that only its owner can read: callbacks name payers. SQLite gives its log the permissions of the file. A
 * file that exists keeps those that its operator gave it, and is not opened here: closing it would release the lock of another
 * store in this process. If the path is wrong, SQLite fails next and says so.
 *
 * @see {@link https://www.sqlite.org/howtocorrupt.html} section 2.2
 */
function makeForOwner(file: string): void {
  if (existsSync(file)) return
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch {
    // SQLite fails here next, and its error is explained.
  }
}

/** Explains a failure of SQLite to the operator who starts the gateway. */
export function explained<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const failure = FAILURES.find(([code]) => isSqliteFailure(error, code))
    if (failure === undefined) throw error
    const [, code, message] = failure
    throw new StoreError(code, message(file))
  }
}
