import type { DatabaseSync } from 'node:sqlite'
import type { SqlValue } from '../sql/readers.ts'

/** Whole numbers are read as `bigint` if the statement is set to (`setReadBigInts`). */
export type { SqlValue }

export type SqlRow = Record<string, SqlValue>

/** The part of node:sqlite's statements that is used here. */
export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
  get(...values: SqlValue[]): SqlRow | undefined
  all(...values: SqlValue[]): SqlRow[]
  setReadBigInts(enabled: boolean): void
}

/** The part of node:sqlite's databases that is used here, so that a test can inject failures. */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
  /** Whether a transaction is open. */
  readonly isTransaction: boolean
}

export type OpenDatabase = (file: string) => Database

/**
 * Opens a file, or creates it. node:sqlite is loaded only here: a gateway that keeps everything in memory does not pay for
 * it, and does not warn on Node 22 that it is experimental.
 *
 * @throws Error if this Node has none
 */
export function openFile(file: string): DatabaseSync {
  const sqlite = process.getBuiltinModule('node:sqlite') as typeof import('node:sqlite') | undefined
  if (sqlite !== undefined) return new sqlite.DatabaseSync(file)
  throw new Error(`sqliteStore: Node ${process.version} has no node:sqlite; it needs Node 22.19, 24.11, 26 or newer`)
}
