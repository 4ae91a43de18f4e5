import type { DatabaseSync } from 'node:sqlite'
import type { SqlValue } from '../sql/readers.ts'

/** Whole numbers come as `bigint` where a statement was told so. */
export type { SqlValue }

export type SqlRow = Record<string, SqlValue>

/** What is used of a statement of node:sqlite. */
export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
  get(...values: SqlValue[]): SqlRow | undefined
  all(...values: SqlValue[]): SqlRow[]
  setReadBigInts(enabled: boolean): void
}

/** What is used of a database of node:sqlite, so that a test can put failures in between. */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
  /** Whether a transaction is open. */
  readonly isTransaction: boolean
}

export type OpenDatabase = (file: string) => Database

/**
 * Opens a file, or makes it. node:sqlite is loaded here and not before: who keeps everything in memory does not pay for
 * it, nor reads on Node 22 that it is experimental.
 */
export function openFile(file: string): DatabaseSync {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  return new DatabaseSync(file)
}
