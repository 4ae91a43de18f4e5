import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CompiledQuery } from 'kysely'
import { type Answer, readable, type Step, storableValue, TablesGoneError, type Work } from '../statements/work.ts'

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

function isTableGone(error: unknown): boolean {
  return error instanceof Error && /^no such table: (?:main\.)?journal_/.test(error.message)
}

function valuesOf(parameters: readonly unknown[]): SqlValue[] {
  return parameters.map(storableValue) as SqlValue[]
}

/** Changes the stored texts of a row, which nobody else has, back to what they were. */
function readRow(row: Record<string, unknown>): Record<string, unknown> {
  // `for in`, since making a list of the columns would take longer than reading them.
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'string') row[name] = readable(value)
  }
  return row
}

/** SQLite's primary error code: the lowest byte of an extended one. `undefined`: the error is not SQLite's. */
export function errorCode(error: unknown): number | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

const SQLITE_BUSY = 5

/** Whether another process has the database locked. */
export function isBusy(error: unknown): boolean {
  return errorCode(error) === SQLITE_BUSY
}
