import { isRecord } from '../options/kind.ts'
import type { Operation } from './operation.ts'

/**
 * A caller's input of an operation, with the fields that its class has as accessors: without its amount, a partial return would
 * be a full one. Anything that `Object.prototype` has is not a field.
 */
export function fieldsOf({ request }: Operation, input: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(input)) return {}
  if (Object.getPrototypeOf(input) === Object.prototype) return input
  const names = [...Object.keys(request.fields), 'extra']
  const inherited = names.filter((name) => name in input && !(name in Object.prototype))
  return { ...input, ...Object.fromEntries(inherited.map((name) => [name, input[name]])) }
}
