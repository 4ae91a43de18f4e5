import { catalogue, type OperationKey } from '../../packages/core/src/index.ts'
import { type FieldRow, requestRows, requestTable } from './fields-table.ts'

/** What another operation's fields have to be changed in to be those of this one. */
type Difference = {
  readonly base: OperationKey
  /** Fields of the base that this one has not. */
  readonly without: readonly FieldRow[]
  /** Fields that the base has not, or has in another way. */
  readonly own: readonly FieldRow[]
}

/** A table up to this length is easier to read than what differs from another. */
const SHORT = 15

/** The fields of an operation. A long table that stands on the page already, for one of the operations `before` it, is not repeated. */
export function operationFields(key: OperationKey, before: readonly OperationKey[]): readonly string[] {
  const rows = requestRows(catalogue[key].request)
  const differences = before.map((base) => differenceOf(rows, base))
  const [nearest] = differences.toSorted((a, b) => sizeOf(a) - sizeOf(b))
  if (rows.length <= SHORT || nearest === undefined || sizeOf(nearest) >= rows.length) return [requestTable(rows)]
  return differing(nearest)
}

function differenceOf(rows: readonly FieldRow[], base: OperationKey): Difference {
  const others = requestRows(catalogue[base].request)
  return {
    base,
    without: others.filter(([name]) => !rows.some(([own]) => own === name)),
    own: rows.filter((row) => !others.some((other) => isSame(row, other))),
  }
}

function isSame(row: FieldRow, other: FieldRow): boolean {
  return row.every((cell, index) => cell === other[index])
}

function sizeOf({ without, own }: Difference): number {
  return without.length + own.length
}

function differing({ base, without, own }: Difference): readonly string[] {
  const missing = without.length === 0 ? '' : `, without ${without.map(([name]) => name).join(', ')}`
  const sentence = `The fields are those of [${base}](#${base.toLowerCase()})${missing}.`
  return own.length === 0 ? [sentence] : [`${sentence} These are new or differ:`, requestTable(own)]
}
