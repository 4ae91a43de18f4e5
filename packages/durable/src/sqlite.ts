import { closeSync, existsSync, openSync } from 'node:fs'
import { types } from 'node:util'

/**
 * node:sqlite is loaded only here: who keeps everything in memory does not pay for it, and Node 22 does not warn that it is
 * experimental.
 *
 * @param caller begins the message
 * @throws Error if this Node has none
 */
export function requireSqlite(caller: string): typeof import('node:sqlite') {
  const sqlite = process.getBuiltinModule('node:sqlite') as typeof import('node:sqlite') | undefined
  if (sqlite !== undefined) return sqlite
  throw new Error(`${caller}: Node ${process.version} has no node:sqlite; it needs Node 22.19, 24.11, 26 or newer`)
}

/**
 * Makes a new file that only its owner can read: it says who bought what. SQLite gives its log the permissions of the file. A file
 * that exists keeps those that its operator gave it, and is not opened here: closing it would release all locks that connections of
 * this process have on it, and another program that opened and closed the file would then remove their log.
 *
 * @param whenThere is called instead if there is a file
 * @see {@link https://www.sqlite.org/howtocorrupt.html} section 2.2
 */
export function makeForOwner(file: string, whenThere: (file: string) => void = () => {}): void {
  try {
    if (existsSync(file)) whenThere(file)
    else closeSync(openSync(file, 'wx', 0o600))
  } catch {
    // SQLite fails at it next, and says why.
  }
}

/** Makes each commit durable, and lets readers go on beside a writer. */
export function setDurable(database: { exec(sql: string): void }): void {
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = FULL')
  database.exec('PRAGMA foreign_keys = ON')
}

/** Result codes of SQLite. @see {@link https://www.sqlite.org/rescode.html} */
export const SQLITE = {
  ERROR: 1,
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  NOTADB: 26,
} as const

export type SqliteCode = (typeof SQLITE)[keyof typeof SQLITE]

/** The code with which SQLite refused: the lowest byte of an extended one. `undefined`: the error is not SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  // In jest, the errors of node:sqlite are of another realm than ours.
  if (!types.isNativeError(error)) return undefined
  if ('errcode' in error) return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
  // As better-sqlite3 names it: SQLITE_BUSY, SQLITE_BUSY_SNAPSHOT.
  const [, name = ''] = /^SQLITE_([A-Z]+)/.exec('code' in error ? String(error.code) : '') ?? []
  return name === '' ? undefined : (SQLITE as Readonly<Record<string, number>>)[name]
}
