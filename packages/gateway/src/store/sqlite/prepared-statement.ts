import type { CompiledQuery } from 'kysely'
import type { Readers, SqlValue } from '../sql/readers.ts'
import type { Database } from './database.ts'
import { prepare } from './prepare.ts'

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
export interface HotStatement<Input, Row> {
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
export function hotStatement<Input, Row>(
  database: Database,
  readers: Readers<Input>,
  query: { compile(): CompiledQuery<Row> },
): HotStatement<Input, Row> {
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
