import type { Model, ModelField } from '../../packages/core/src/index.ts'
import { code, table } from '../markdown.ts'

/** A field of a model, cell by cell. */
export type FieldRow = readonly string[]

/** The fields of a request, with the name that is sent. */
export function requestRows({ fields }: Model): readonly FieldRow[] {
  return Object.entries(fields).map(([name, field]) => {
    const required = name === 'login' ? `${requirement(field)}; our client adds it` : requirement(field)
    return [code(name), code(field.wireName), required, field.meaning, field.format.bound, sourceOf(field)]
  })
}

export function requestTable(rows: readonly FieldRow[]): string {
  return table(['Field', 'Sent as', 'Required', 'Meaning', 'Value', 'Source'], rows)
}

/** The fields of a reply, with all names under which they are read. */
export function replyTable({ fields }: Model): string {
  const rows = Object.entries(fields).map(([name, field]): FieldRow => {
    const read = [field.wireName, ...field.aliases].map(code).join(', ')
    return [code(name), read, presence(field), field.meaning, sourceOf(field)]
  })
  return table(['Field', 'Received as', 'Always', 'Meaning', 'Source'], rows)
}

/** A field that a reply may lack is there all the same if its absence has a meaning. */
function presence(field: ModelField): string {
  const absent = field.format.read(undefined)
  return typeof absent === 'string' ? `no: then it is ${code(absent)}` : requirement(field)
}

function requirement({ necessity, condition = '' }: ModelField): string {
  return necessity === 'required' ? 'yes' : condition
}

function sourceOf({ origin: { kind, part } }: ModelField): string {
  return `${kind === 'stated' ? 'interface' : 'gaps'} ${part}`
}
