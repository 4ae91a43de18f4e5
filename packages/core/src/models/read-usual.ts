import { safeParse } from 'zod/v4/core'
import { copyOfExtra, isBlank } from './extra.ts'
import type { ModelField } from './field.ts'
import { type Format, once, type Usual } from './format.ts'

/** Reads an input of a model, or returns `undefined`. */
export type UsualReader = (input: Readonly<Record<string, unknown>>) => Record<string, unknown> | undefined

interface UsualField {
  /** Absent if zod reads every value. */
  readonly usual: Usual<unknown> | undefined
  readonly bySchema: Usual<unknown>
  readonly isRequired: boolean
}

/**
 * A fast path: reads an input field by field, in a tenth of the time that zod takes for the model. Zod reads a single value that
 * is spelled unusually. For an unknown name, a missing field or a wrong value the result is `undefined`: then the schema of the
 * model, which is the reference in the tests, reads the input or says what is wrong.
 */
export function usualReader(fields: () => Readonly<Record<string, ModelField>>): UsualReader {
  const known = once(() => usualFields(fields()))
  return (input) => {
    // What a class or a polluted prototype would add is not read here.
    if (Object.getPrototypeOf(input) !== Object.prototype) return undefined
    const { byName, required } = known()
    const values: Record<string, unknown> = { ...input }
    let lacking = required
    for (const name in values) {
      if (!Object.hasOwn(values, name)) continue
      const given = values[name]
      const field = byName.get(name)
      if (field === undefined) return undefined
      const value = field.usual?.(given) ?? field.bySchema(given)
      if (value === undefined) return undefined
      if (field.isRequired) lacking--
      if (value !== given) values[name] = value
    }
    if (!Object.hasOwn(values, 'extra')) values['extra'] = {}
    return lacking === 0 ? values : undefined
  }
}

function usualFields(fields: Readonly<Record<string, ModelField>>) {
  const each = Object.entries(fields).map(([name, { format, necessity }]): readonly [string, UsualField] => [
    name,
    { usual: format.usual, bySchema: (value) => bySchema(format, value), isRequired: necessity === 'required' },
  ])
  const required = each.filter(([, { isRequired }]) => isRequired).length
  const extra: UsualField = { usual: copyOfExtra, bySchema: () => undefined, isRequired: false }
  return { byName: new Map([...each, ['extra', extra] as const]), required }
}

function bySchema({ schema }: Format, value: unknown): unknown {
  return isBlank(value) ? undefined : safeParse(schema, value).data
}
