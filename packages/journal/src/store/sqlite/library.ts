import type { DatabaseSync } from 'node:sqlite'
import { requireSqlite } from '@tallystick/durable/sqlite'

export type SqlValue = null | number | string

/** A connection of a SQLite library, as those of node:sqlite are. */
export interface SqliteDatabase {
  readonly isOpen: boolean
  readonly isTransaction: boolean
  prepare(sql: string): SqliteStatement
  exec(sql: string): void
  close(): void
  /** The file with its full path. `null`: it is in memory. */
  location(): string | null
}

export interface SqliteStatement {
  run(...values: SqlValue[]): { readonly changes: number | bigint }
  all(...values: SqlValue[]): Record<string, unknown>[]
  get(...values: SqlValue[]): Record<string, unknown> | undefined
}

export interface OpenOptions {
  /** How long a statement waits for another process, in milliseconds, and blocks the event loop. */
  readonly timeout: number
  readonly readOnly?: boolean
}

/** A SQLite library. All connections of a process to one file must be of one. */
export interface SqliteLibrary<Transaction> {
  readonly name: string
  /** Begins the messages of the store: the name of the function that makes it. */
  readonly caller: string
  open(file: string, options: OpenOptions): SqliteDatabase
  /** The connection as the library itself has it, and the reverse. */
  given(database: SqliteDatabase): Transaction
  taken(transaction: Transaction): SqliteDatabase
}

/** What opens connections, whatever the handler of the merchant gets. */
export type AnyLibrary = Pick<SqliteLibrary<never>, 'name' | 'caller' | 'open'>

export const nodeSqlite: SqliteLibrary<DatabaseSync> = {
  name: 'node:sqlite',
  caller: 'sqliteJournalStore',
  open: (file, options) => {
    const { DatabaseSync } = requireSqlite('sqliteJournalStore')
    return new DatabaseSync(file, options)
  },
  given: (database) => database as DatabaseSync,
  taken: (database) => database,
}
