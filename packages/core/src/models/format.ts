import type * as z from 'zod'
import { once } from './once.ts'
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
  /** Takes the caller's value or the wire's text, gives the model's value. */
  readonly schema: z.ZodType<Out, In>
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
  build: () => z.ZodType<Out, In>,
  { usual, wire, bound, remedy }: Omit<Format<In, Out>, 'schema'>,
): Format<In, Out> {
  const schema = once(build)
  return {
    get schema() {
      return schema()
    },
    usual,
    wire,
    bound,
    remedy,
  }
}
