import { readableRow, storable } from '@tallystick/durable/stored-text'
import { type CompiledQuery, sql } from 'kysely'
import type { Readers, SqlValue } from '../sql/dialect.ts'

/** Whole numbers are read as `bigint` if the statement is set to (`setReadBigInts`). */
export type { SqlValue }

type SqlRow = Record<string, SqlValue>

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

/** Stands in a query for a value that is given when the statement runs. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** The slot of a value, by the name of its reader. It may stand for a value of any column. */
export function slot(name: string): never {
  return new Slot(name) as never
}

/** Slots for values that are named like their columns. */
export function slots<const Names extends readonly string[]>(names: Names): Record<Names[number], never> {
  return Object.fromEntries(names.map((name) => [name, slot(name)])) as Record<Names[number], never>
}

/** Slots for all readers of a row, each for the column of its name. */
export function slotsOf<Read extends object>(readers: Read): { readonly [Name in keyof Read]: never } {
  return slots(Object.keys(readers)) as { readonly [Name in keyof Read]: never }
}

/** A statement that is compiled and prepared once, and run often. */
export interface PreparedStatement<Input, Row> {
  /** Returns how many rows it changed, and the number of the row that it added. */
  run(input: Input): { readonly changes: number; readonly seq: number }
  get(input: Input): Row | undefined
  all(input: Input): readonly Row[]
}

/**
 * Kysely's compiler takes tens of microseconds, so a statement that every sale runs is compiled once. The readers of its
 * values are found once too: to run it, no object is built or searched. Kysely's types say what a row is; SQLite cannot tell.
 *
 * @throws TypeError if a slot of the query has no reader
 */
export function preparedStatement<Input, Row>(
  database: Database,
  readers: Readers<Input>,
  query: { compile(): CompiledQuery<Row> },
): PreparedStatement<Input, Row> {
  const { sql, parameters } = query.compile()
  const inOrder = parameters.map((parameter) => readerOf(parameter, readers))
  const statement = prepare(database, sql)
  const bind = (input: Input) => inOrder.map((read) => read(input))
  return {
    run: (input) => {
      const { changes, lastInsertRowid } = statement.run(...bind(input))
      return { changes: Number(changes), seq: Number(lastInsertRowid) }
    },
    get: (input) => statement.get(...bind(input)) as Row | undefined,
    all: (input) => statement.all(...bind(input)) as Row[],
  }
}

function readerOf<Input>(parameter: unknown, readers: Readers<Input>): (input: Input) => SqlValue {
  if (!(parameter instanceof Slot)) return () => parameter as SqlValue
  const reader = readers[parameter.name]
  if (reader === undefined) throw new TypeError(`Nothing reads ${parameter.name}`)
  return reader
}

/** Prepares a statement that returns whole numbers exactly, and texts as they were written, whatever they hold. */
export function prepare(database: Database, sql: string): Pick<Statement, 'run' | 'get' | 'all'> {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  return {
    run: (...values) => statement.run(...values.map(written)),
    get: (...values) => {
      const row = statement.get(...values.map(written))
      return row && readableRow(row)
    },
    // In jest, the arrays of node:sqlite are of another realm than ours, and equal none of ours.
    all: (...values) => Array.from(statement.all(...values.map(written)), readableRow),
  }
}

function written(value: SqlValue): SqlValue {
  return typeof value === 'string' ? storable(value) : value
}

/**
 * Limits that SQLite's planner does not see. A limit that is bound directly is part of the plan, so SQLite compiles the
 * statement again at each run: 24 of 32 us.
 */
export const ONE = sql.lit(1)
