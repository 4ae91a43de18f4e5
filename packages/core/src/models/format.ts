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

/** The format of a field: one declaration for the check, the type, the OpenAPI schema and the error message. */
export interface Format<In = unknown, Out = unknown> {
  /** The model's value for a caller's value or a text from the wire; `undefined` if it does not fit. */
  readonly read: (value: unknown) => Out | undefined
  /** Decides what fits: zod's own, for `safeParse` of `zod/v4/core`. */
  readonly schema: Schema<Out, In>
  /** Reads what most callers pass, in less time; without it the schema reads everything. */
  readonly usual?: Usual<Out> | undefined
  /** The text on the wire. */
  readonly wire: TextSchema
  /** Completes the sentence "the field must be ...". */
  readonly bound: string
  /** What to do if it is not, as a sentence. */
  readonly remedy: string
}

/** A format whose schema is built at its first use: building all of them would take half of the time of an import. */
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
