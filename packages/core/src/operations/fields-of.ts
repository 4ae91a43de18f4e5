import { isRecord } from '../options/kind.ts'
import type { Operation } from './operation.ts'

/**
 * What a caller gives as the input of an operation, with those of its fields that his class has as accessors: a partial return
 * without its amount would be of all. What is added to every object is none of them.
 */
export function fieldsOf({ request }: Operation, input: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(input)) return {}
  if (Object.getPrototypeOf(input) === Object.prototype) return input
  const names = [...Object.keys(request.fields), 'extra']
  const inherited = names.filter((name) => name in input && !(name in Object.prototype))
  return { ...input, ...Object.fromEntries(inherited.map((name) => [name, input[name]])) }
}
