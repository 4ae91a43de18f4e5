import { catalogue, type ModelField, type OperationKey, type RequestInput } from '@tallystick/core'
import { requireExtra, requireFields } from '../options/check-fields.ts'
import { requireOperation } from '../options/require-operation.ts'
import { defaultInputs } from './default-inputs.ts'
import { choices } from './ways.ts'

type Texts = Readonly<Record<string, unknown>>

/**
 * A request of an operation that is valid as it is, under a new client order id. Name only what your test is about: a card
 * reference takes the place of the card, an account that of the card that is paid, and what is `undefined` is left out.
 *
 * @throws TypeError when there is no such operation or no such field, such as a misspelt one, or a value is of a wrong kind, as
 *   a number for a text; also for changes that are `undefined`: their name is misspelt. Whether a text fits says the client
 *   that sends it
 */
export function buildInput<K extends OperationKey>(key: K, changes?: Partial<RequestInput<K>>): RequestInput<K>
export function buildInput<K extends OperationKey>(
  key: K,
  ...given: [changes?: Partial<RequestInput<K>>]
): RequestInput<K> {
  requireOperation('buildInput', key)
  // Given as `undefined` it is not left out: nobody writes that.
  const changes = given.length === 0 ? {} : given[0]
  requireChanges(key, changes)
  const defaults: Texts = { ...defaultInputs[key]() }
  const named: Texts = { ...changes }
  const isReplaced = replacedBy(key, named)
  const kept = Object.entries(defaults).filter(([name]) => !isReplaced(name))
  const input = Object.entries({ ...Object.fromEntries(kept), ...named })
  return Object.fromEntries(input.filter(([, value]) => value !== undefined)) as RequestInput<K>
}

function requireChanges(key: OperationKey, changes: unknown): void {
  const where = `buildInput('${key}')`
  const fields: Readonly<Record<string, ModelField>> = catalogue[key].request.fields
  const named = requireFields(where, changes, [...Object.keys(fields), 'extra'])
  requireExtra(where, named['extra'])
  for (const [name, field] of Object.entries(fields)) requireKind(`${where}: ${name}`, named[name], field)
}

/** Texts may be wrong on purpose; the client says so. What no text of the field would be is a slip. */
function requireKind(where: string, value: unknown, { format }: ModelField): void {
  if (value === undefined || typeof value === 'string') return
  const takes = (one: unknown) => format.read(one) !== undefined
  if (typeof value === 'number' ? SOME_NUMBERS.some(takes) : takes(value)) return
  throw new TypeError(`${where} must be ${format.bound}; not ${value === null ? 'null' : `a ${typeof value}`}`)
}

/** A field that takes numbers takes one of these: a day of the month, a month, a year. */
const SOME_NUMBERS = [1, 2030]

/** Whether a field of the defaults belongs to a way in whose place the changes name another. */
function replacedBy(key: OperationKey, changes: Texts): (name: string) => boolean {
  const replaced = (choices[key] ?? []).flatMap((ways: ReadonlyArray<readonly string[]>) => {
    const chosen = ways.find((way) => way.some((name) => changes[name] !== undefined))
    return chosen === undefined ? [] : ways.flatMap((way) => (way === chosen ? [] : way))
  })
  return (name) => replaced.includes(name)
}
