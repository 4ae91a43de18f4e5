import * as z from 'zod/v4/core'

// Schemas of zod's core, under the names of `zod/mini`. The methods of `zod` and the classes of `zod/mini`, which nothing here
// calls, take a tenth of the time of an import.

export type Schema<Out, In = Out> = z.$ZodType<Out, In>

// Zod's classes have no type parameters for input and output.
const typed = <Out, In = Out>(schema: z.$ZodType): Schema<Out, In> => schema as Schema<Out, In>

export const string = () => typed<string>(new z.$ZodString({ type: 'string' }))

/** A text for which `isRight` holds once the white space at its ends is dropped. */
export const trimmed = (isRight: (text: string) => boolean) => {
  const trim = new z.$ZodCheckOverwrite({ check: 'overwrite', tx: (text) => String(text).trim() })
  const refine = new z.$ZodCustom({ type: 'custom', check: 'custom', fn: (text) => isRight(String(text)) })
  return typed<string>(new z.$ZodString({ type: 'string', checks: [trim, refine] }))
}

export const number = () => typed<number>(new z.$ZodNumber({ type: 'number' }))

export const boolean = () => typed<boolean>(new z.$ZodBoolean({ type: 'boolean' }))

export const ipv4 = () => typed<string>(new z.$ZodIPv4({ type: 'string', check: 'string_format', format: 'ipv4' }))

export const ipv6 = () => typed<string>(new z.$ZodIPv6({ type: 'string', check: 'string_format', format: 'ipv6' }))

export const literals = <T extends string>(values: readonly T[]) =>
  typed<T>(new z.$ZodEnum({ type: 'enum', entries: Object.fromEntries(values.map((value) => [value, value])) }))

export const custom = <T>(isRight: (value: unknown) => boolean) =>
  typed<T>(new z.$ZodCustom({ type: 'custom', check: 'custom', fn: isRight, abort: true }))

export const union = <A, B, C, D>(one: Schema<A, B>, other: Schema<C, D>) =>
  typed<A | C, B | D>(new z.$ZodUnion({ type: 'union', options: [one, other] }))

export const pipe = <Out, Between, In>(first: Schema<Between, In>, then: Schema<Out, Between>) =>
  typed<Out, In>(new z.$ZodPipe({ type: 'pipe', in: first, out: then }))

/** The schema's result, changed by `change`. */
export const transform = <Out, Between, In>(schema: Schema<Between, In>, change: (value: Between) => Out) =>
  pipe(
    schema,
    typed<Out, Between>(new z.$ZodTransform({ type: 'transform', transform: change as (value: unknown) => Out })),
  )

export const optional = <Out, In>(schema: Schema<Out, In>) =>
  typed<Out | undefined, In | undefined>(new z.$ZodOptional({ type: 'optional', innerType: schema }))

/** If there is no value, the result of `make`. */
export const withDefault = <Out, In>(schema: Schema<Out, In>, make: () => Out) =>
  typed<Out, In | undefined>(
    new z.$ZodDefault({
      type: 'default',
      innerType: schema,
      get defaultValue() {
        return make()
      },
    }),
  )

export const strictObject = (shape: Readonly<Record<string, Schema<unknown>>>) =>
  typed<Record<string, unknown>>(
    new z.$ZodObjectJIT({ type: 'object', shape, catchall: new z.$ZodNever({ type: 'never' }) }),
  )
