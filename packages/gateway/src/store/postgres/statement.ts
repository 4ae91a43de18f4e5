import type { Readers, SqlValue } from '../sql/dialect.ts'

/** A statement for the server. One with a name is parsed once for each connection. */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/** Whole numbers come as `bigint`, bytes as `Uint8Array`. */
export type Row = Readonly<Record<string, unknown>>

export interface Answer {
  readonly rows: readonly Row[]
  readonly rowCount: number
  /** What the server did: for `COMMIT` it may say `ROLLBACK`. */
  readonly command: string
}

/** The rows as the caller's statement selects them; the driver cannot tell their type. */
export function rowsAs<As>(rows: readonly Row[]): readonly As[] {
  return rows as readonly unknown[] as readonly As[]
}

/** The types of a statement's values, by the names of their columns. */
export type Columns = Readonly<Record<string, 'bigint' | 'text' | 'bytea'>>

export function columns(type: Columns[string], ...names: readonly string[]): Columns {
  return Object.fromEntries(names.map((name) => [name, type]))
}

interface RowsStatement<Input> {
  readonly name: string
  readonly columns: Columns
  readonly readers: Readers<Input>
  /** Makes the text from the source of the rows, `unnest(...) AS given(a, b)`, and the names of their columns, `a, b`. */
  readonly text: (rows: string, names: string) => string
}

/**
 * A statement over many rows at once: each column is one array, so that a batch of any size is the same text, and is
 * parsed and planned once.
 *
 * @throws TypeError if a column has no reader
 */
export function rowsStatement<Input>({ name, columns: types, readers, text }: RowsStatement<Input>) {
  const names = Object.keys(types)
  const readersInOrder = names.map((column) => readerOf(column, readers))
  const arrays = Object.values(types).map((type, at) => `$${at + 1}::${type}[]`)
  const written = text(`unnest(${arrays.join(', ')}) AS given(${names.join(', ')})`, names.join(', '))
  return (inputs: readonly Input[]): Statement => {
    return { name, text: written, values: readersInOrder.map((read) => arrayText(inputs, read)) }
  }
}

function readerOf<Input>(column: string, readers: Readers<Input>): (input: Input) => SqlValue {
  const reader = readers[column]
  if (reader === undefined) throw new TypeError(`Nothing reads ${column}`)
  return reader
}

/**
 * An array as PostgreSQL reads it, in which only texts have anything to escape. The driver's own conversion finds out the
 * type of each value anew, which takes twice as long as the rest of the store.
 *
 * @see {@link https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO}
 */
function arrayText<Input>(inputs: readonly Input[], read: (input: Input) => SqlValue): string {
  let text = '{'
  for (let at = 0; at < inputs.length; at++) {
    if (at > 0) text += ','
    text += elementText(read(inputs[at] as Input))
  }
  return `${text}}`
}

const TO_ESCAPE = /["\\]/g

function elementText(value: SqlValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return `"${value.replace(TO_ESCAPE, '\\$&')}"`
  if (typeof value === 'object') return `"\\\\x${Buffer.from(value).toString('hex')}"`
  return String(value)
}
