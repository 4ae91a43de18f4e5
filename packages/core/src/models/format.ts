import { safeParse } from 'zod/v4/core'
import type { Schema } from './schemas.ts'

/** Makes something at its first use, and keeps it. A program uses few of the models that it imports. */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * Returns the model's value of an input that is spelled as usual, and `undefined` for everything else: then the schema, which
 * is the reference in the tests, decides. Never accepts anything blank.
 */
export type Usual<Out> = (value: unknown) => Out | undefined

interface UsualShape {
  readonly minLength: number
  readonly maxLength: number
  /** Must match only texts of whole characters without white space at their ends, which zod would drop and this does not. */
  readonly pattern: RegExp
}

export function usualText({ minLength, maxLength, pattern }: UsualShape): Usual<string> {
  return (value) => {
    if (typeof value !== 'string' || value.length < minLength || value.length > maxLength) return undefined
    return pattern.test(value) ? value : undefined
  }
}

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
