import { safeParse } from 'zod/v4/core'
import { once } from './once.ts'
import type { Schema } from './schemas.ts'
import type { Usual } from './usual.ts'

/** The part of JSON Schema that describes a text on the wire. */
export interface TextSchema {
  readonly type: 'string'
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly format?: string
}

/** How a field's value looks: one declaration gives the check, the type, the OpenAPI schema and the error message. */
export interface Format<In = unknown, Out = unknown> {
  /** What the model keeps of the caller's value or the wire's text; `undefined` of what does not fit. */
  readonly read: (value: unknown) => Out | undefined
  /** Decides what fits: zod's own, for `safeParse` of `zod/v4/core`. */
  readonly schema: Schema<Out, In>
  /** Takes what most callers give, in less time; without it the schema takes everything. */
  readonly usual?: Usual<Out> | undefined
  /** The text on the wire. */
  readonly wire: TextSchema
  /** Completes the sentence "the field must be ...". */
  readonly bound: string
  /** What to do when it is not, as a sentence. */
  readonly remedy: string
}

/** A format whose schema is built when it is first used: building all of them is half of the time of an import. */
export function format<In, Out>(
  build: () => Schema<Out, In>,
  { usual, wire, bound, remedy }: Omit<Format<In, Out>, 'schema' | 'read'>,
): Format<In, Out> {
  const schema = once(build)
  return {
    get schema() {
      return schema()
    },
    read: (value) => usual?.(value) ?? safeParse(schema(), value).data,
    usual,
    wire,
    bound,
    remedy,
  }
}
