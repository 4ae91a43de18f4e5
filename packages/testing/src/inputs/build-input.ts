import { catalogue, type ModelField, type OperationKey, type RequestInput } from '@tallystick/core'
import { requireExtra, requireFields } from '../options/check-fields.ts'
import { requireOperation } from '../options/require-operation.ts'
import { defaultInputs } from './default-inputs.ts'
import { choices } from './ways.ts'

type Texts = Readonly<Record<string, unknown>>

/**
 * A valid request of an operation, under a new client order id. Name only what your test is about: a card reference replaces
 * the card, an account replaces the card that is paid, and a field that is `undefined` is left out.
 *
 * @throws TypeError if there is no such operation or field, or a value is of a wrong kind, such as a number for a text; also
 *   if the changes are `undefined`, because then their name is misspelt. Whether a text is valid, the client that sends it
 *   checks
 */
export function buildInput<K extends OperationKey>(key: K, changes?: Partial<RequestInput<K>>): RequestInput<K>
export function buildInput<K extends OperationKey>(
  key: K,
  ...given: [changes?: Partial<RequestInput<K>>]
): RequestInput<K> {
  requireOperation('buildInput', key)
  // An argument that is `undefined` counts as given: nobody writes that on purpose.
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

/** Texts may be wrong on purpose, and the client reports them. A value of a kind that the field never has is a slip. */
function requireKind(where: string, value: unknown, { format }: ModelField): void {
  if (value === undefined || typeof value === 'string') return
  const takes = (one: unknown) => format.read(one) !== undefined
  if (typeof value === 'number' ? SOME_NUMBERS.some(takes) : takes(value)) return
  throw new TypeError(`${where} must be ${format.bound}; not ${value === null ? 'null' : `a ${typeof value}`}`)
}

/** A field that accepts numbers accepts one of these: a day of the month, a month, a year. */
const SOME_NUMBERS = [1, 2030]

/** Whether a field of the defaults belongs to a way that another way in the changes replaces. */
function replacedBy(key: OperationKey, changes: Texts): (name: string) => boolean {
  const replaced = (choices[key] ?? []).flatMap((ways: ReadonlyArray<readonly string[]>) => {
    const chosen = ways.find((way) => way.some((name) => changes[name] !== undefined))
    return chosen === undefined ? [] : ways.flatMap((way) => (way === chosen ? [] : way))
  })
  return (name) => replaced.includes(name)
}
