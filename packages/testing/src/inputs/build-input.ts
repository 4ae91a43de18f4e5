import { catalogue, type OperationKey, type RequestInput, suggestName } from '@tallystick/core'
import { requireOperation } from '../options/require-operation.ts'
import { defaultInputs } from './default-inputs.ts'
import { choices } from './ways.ts'

type Texts = Readonly<Record<string, unknown>>

/**
 * A request of an operation that is valid as it is, under a new client order id. Name only what your test is about: a card
 * reference takes the place of the card, an account that of the card that is paid, and what is `undefined` is left out.
 *
 * @throws TypeError when there is no such operation or no such field, such as a misspelt one. Whether the values of your
 *   changes fit says the client that sends it
 */
export function buildInput<K extends OperationKey>(key: K, changes: Partial<RequestInput<K>> = {}): RequestInput<K> {
  requireOperation('buildInput', key)
  const defaults: Texts = { ...defaultInputs[key]() }
  const named: Texts = { ...changes }
  requireFields(key, named)
  const isReplaced = replacedBy(key, named)
  const kept = Object.entries(defaults).filter(([name]) => !isReplaced(name))
  const input = Object.entries({ ...Object.fromEntries(kept), ...named })
  return Object.fromEntries(input.filter(([, value]) => value !== undefined)) as RequestInput<K>
}

/** A field that is misspelt would leave its default in force, and the test would be about another request. */
function requireFields(key: OperationKey, named: Texts): void {
  const known = [...Object.keys(catalogue[key].request.fields), 'extra']
  for (const name of Object.keys(named)) {
    if (known.includes(name)) continue
    throw new TypeError(`buildInput('${key}'): there is no field ${name}; ${suggestName(name, known)}`)
  }
}

/** Whether a field of the defaults belongs to a way in whose place the changes name another. */
function replacedBy(key: OperationKey, changes: Texts): (name: string) => boolean {
  const replaced = (choices[key] ?? []).flatMap((ways: ReadonlyArray<readonly string[]>) => {
    const chosen = ways.find((way) => way.some((name) => changes[name] !== undefined))
    return chosen === undefined ? [] : ways.flatMap((way) => (way === chosen ? [] : way))
  })
  return (name) => replaced.includes(name)
}
