import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { fileInPlace, noOtherLibrary } from '@tallystick/durable/file-guard'
import { SQLITE, sqliteCode } from '@tallystick/durable/sqlite'
import { readableRow, storableValue } from '@tallystick/durable/stored-text'
import type { CompiledQuery } from 'kysely'
import { type Answer, type Step, TablesGoneError, type Work } from '../statements/work.ts'

type SqlValue = null | number | string

/** One connection to a database of node:sqlite, with its statements prepared once. */
export class Connection {
  readonly database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.database = database
  }

  /** Begins to write. Prepared, because the errors of `exec` have no code of SQLite in Deno, and `isBusy` needs it. */
  begin(): void {
    this.#prepared('BEGIN IMMEDIATE').run()
  }

  /** Runs statements one after the other. A transaction, if there is to be one, is the caller's business. */
  perform<Result>(work: Work<Result>): Result {
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

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

function isTableGone(error: unknown): boolean {
  return error instanceof Error && /^no such table: (?:main\.)?journal_/.test(error.message)
}

function valuesOf(parameters: readonly unknown[]): SqlValue[] {
  return parameters.map(storableValue) as SqlValue[]
}

/** Whether another process has the database locked. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === SQLITE.BUSY
}

/**
 * Makes sure that the file and its log are still where they were opened. If an operator removes or replaces them under a running
 * shop, at its next start the shop would have forgotten what it sent.
 *
 * @returns a check that throws an Error with the name of the file that is gone
 */
export function inPlace({ database }: Connection): () => void {
  return fileInPlace(
    database.location() ?? '',
    (name) =>
      new Error(
        `sqliteJournalStore: ${name} was removed or replaced while it is open, and what is written to it would be forgotten: ` +
          'put it back where it was, or stop the shop and start it anew',
      ),
  )
}

/** Makes sure that no other SQLite library of this process has the file. */
export function aloneOn({ database }: Connection, now: () => number): () => void {
  const version = database.prepare('PRAGMA data_version')
  return noOtherLibrary(
    { file: database.location() ?? '', own: 1, now, version: () => version.get()?.['data_version'] },
    (message) => new Error(`sqliteJournalStore: ${message}`),
  )
}
