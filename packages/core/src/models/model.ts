import * as z from 'zod'
import { type Extra, isExtra } from './extra.ts'
import type { ModelField } from './field.ts'
import type { InputOfFormat, OutputOfFormat } from './format.ts'
import { once } from './once.ts'
import { type UsualReader, usualReader } from './read-usual.ts'
import { type Respellings, type Spelling, spellingsOf } from './spelling.ts'

export type Fields = Readonly<Record<string, ModelField>>

/** A rule over several fields. Says which field is wrong, or nothing. */
export type Rule = (values: Readonly<Record<string, unknown>>) => RuleBreach | undefined

export interface RuleBreach {
  /** The field to name, as the model calls it. */
  readonly field: string
  readonly problem: string
  readonly remedy: string
}

/** A request or a reply of the interface. */
export interface Model<F extends Fields = Fields> {
  /** As the specification names the schema, such as `SaleRequest`. */
  readonly name: string
  /** Whether the specification names it, or we had to. */
  readonly origin: 'stated' | 'filled in'
  readonly meaning: string
  readonly fields: F
  readonly rules: readonly Rule[]
  /** Checks each field by itself. Unknown names are refused; undocumented ones belong into `extra`. */
  readonly schema: z.ZodType<Record<string, unknown>>
  /** What the schema makes of an input that is spelled as usual; `undefined` for any other. */
  readonly readUsual: UsualReader
  /** Its names on the wire, as a profile spells them. */
  readonly spelling: (respellings?: Respellings) => Spelling
  /** The names of the fields that hold an amount in major units. */
  readonly amounts: readonly string[]
}

interface Declaration<F extends Fields> {
  readonly name: string
  readonly origin?: Model['origin']
  readonly meaning: string
  readonly fields: F
  readonly rules?: readonly Rule[]
}

export function defineModel<const F extends Fields>(declaration: Declaration<F>): Model<F> {
  const { origin = 'stated', rules = [], fields } = declaration
  const schema = once(() => schemaOf(fields))
  const amounts = once(() => Object.keys(fields).filter((name) => fields[name]?.format.wire.format === 'decimal'))
  return {
    ...declaration,
    origin,
    rules,
    get schema() {
      return schema()
    },
    readUsual: usualReader(fields),
    spelling: spellingsOf(declaration),
    get amounts() {
      return amounts()
    },
  }
}

/** The checks of a model as plain zod has them. */
export function schemaOf(fields: Fields): Model['schema'] {
  const shape = Object.entries(fields).map(([name, { necessity, format }]) => [
    name,
    necessity === 'required' ? format.schema : format.schema.optional(),
  ])
  const extra = z
    .custom<Extra>(isExtra)
    .transform((texts) => ({ ...texts }))
    .default(() => ({}))
  return z.strictObject({ ...Object.fromEntries(shape), extra })
}

type KeysOf<F extends Fields, Required extends boolean> = {
  [K in keyof F]: F[K]['necessity'] extends 'required'
    ? Required extends true
      ? K
      : never
    : Required extends true
      ? never
      : K
}[keyof F]

type Flat<T> = { [K in keyof T]: T[K] }

/** What a caller supplies for a model. */
export type InputOf<M extends Model> = Flat<
  { readonly [K in KeysOf<M['fields'], true>]: InputOfFormat<M['fields'][K]['format']> } & {
    readonly [K in KeysOf<M['fields'], false>]?: InputOfFormat<M['fields'][K]['format']> | undefined
  } & { readonly extra?: Extra | undefined }
>

/** What a parsed model holds. */
export type ValuesOf<M extends Model> = Flat<
  { readonly [K in KeysOf<M['fields'], true>]: OutputOfFormat<M['fields'][K]['format']> } & {
    readonly [K in KeysOf<M['fields'], false>]?: OutputOfFormat<M['fields'][K]['format']> | undefined
  } & { readonly extra: Extra }
>
