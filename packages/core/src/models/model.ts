import type { Cvv, Payload } from '../sensitive/masked.ts'
import type { Pan } from '../sensitive/pan.ts'
import { type Extra, isExtra } from './extra.ts'
import { type ModelField, type Requirement, type Respellings, type Spelling, spellingsOf } from './field.ts'
import { type Format, once } from './format.ts'
import { amount, amountList } from './formats.ts'
import { type UsualReader, usualReader } from './read-usual.ts'
import type { Schema } from './schemas.ts'
import * as z from './schemas.ts'

export type Fields = Readonly<Record<string, ModelField>>

/** A rule over several fields. Says which field is wrong, or nothing. */
export type Rule = (values: Readonly<Record<string, unknown>>) => RuleBreach | undefined

export interface RuleBreach {
  /** The field's name in the model. */
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
  /** Checks each field on its own. Unknown names are refused; undocumented ones belong in `extra`. */
  readonly schema: Schema<Record<string, unknown>>
  /** The schema's result for an input that is spelled as usual; `undefined` for any other. */
  readonly readUsual: UsualReader
  /** Its names on the wire, as a profile spells them. */
  readonly spelling: (respellings?: Respellings) => Spelling
  /** The names of the fields that hold amounts in major units, one or a list. */
  readonly amounts: readonly string[]
}

export interface Declaration<F extends Fields> {
  readonly name: string
  readonly origin?: Model['origin']
  readonly meaning: string
  /** Made at their first use: a program uses few of the models that it imports. */
  readonly fields: () => F
  readonly rules?: readonly Rule[]
}

/**
 * Declares models whose fields are in the dictionary `D`. The type of a model then only names its fields: the dictionary has
 * their types, with the comments that the build writes above them.
 */
export function modelsOf<D>() {
  return <const F extends Fields>(
    declaration: Declaration<F> & { readonly fields: () => Agreeing<F, D> },
  ): Model<Shape<D, RequiredNames<F> & keyof D, OtherNames<F> & keyof D>> =>
    defineModel<Fields>(declaration) as Model<Shape<D, RequiredNames<F> & keyof D, OtherNames<F> & keyof D>>
}

export function defineModel<const F extends Fields>(declaration: Declaration<F>): Model<F> {
  const { name, origin = 'stated', meaning, rules = [] } = declaration
  const fields = once(declaration.fields)
  const schema = once(() => schemaOf(fields()))
  const amounts = once(() => amountsOf(fields()))
  return {
    name,
    origin,
    meaning,
    rules,
    get fields() {
      return fields()
    },
    get schema() {
      return schema()
    },
    readUsual: usualReader(fields),
    spelling: spellingsOf(name, fields),
    get amounts() {
      return amounts()
    },
  }
}

const OF_AMOUNTS: ReadonlySet<Format> = new Set<Format>([amount, amountList])

function amountsOf(fields: Fields): readonly string[] {
  return Object.entries(fields).flatMap(([name, { format }]) => (OF_AMOUNTS.has(format) ? [name] : []))
}

/** The checks of a model as plain zod has them. */
export function schemaOf(fields: Fields): Model['schema'] {
  const shape = Object.entries(fields).map(([name, { necessity, format }]) => [
    name,
    necessity === 'required' ? format.schema : z.optional(format.schema),
  ])
  const extra = z.transform(z.custom<Extra>(isExtra), (texts) => ({ ...texts }))
  return z.strictObject({ ...Object.fromEntries(shape), extra: z.withDefault(extra, () => ({})) })
}

type RequiredNames<F extends Fields> = {
  [K in keyof F]: F[K]['necessity'] extends 'required' ? K : never
}[keyof F]

type OtherNames<F extends Fields> = Exclude<keyof F, RequiredNames<F>>

/** What a model holds if a caller may pass `In`. */
type Held<In> = Pan extends In
  ? Pan
  : Cvv extends In
    ? Cvv
    : Payload extends In
      ? Payload
      : boolean extends In
        ? boolean
        : number extends In
          ? string
          : In

// Each of the following maps the keys of its own parameter: that preserves a field's documentation.

type Declared<D, N extends Requirement> = { readonly [K in keyof D]: ModelField<D[K], Held<D[K]>, N> }

/** The fields of a model by their names in the dictionary `D`: those that are required, and the others. */
export type Shape<D, Required extends keyof D, Other extends keyof D = never> = Declared<
  Pick<D, Required>,
  'required'
> &
  Declared<Pick<D, Other>, 'optional' | 'conditional'>

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** The fields, if the input and output of each are as in the dictionary; otherwise types that no field has. */
type Agreeing<F, D> = {
  readonly [K in keyof F]: K extends keyof D
    ? F[K] extends ModelField<infer In, infer Out>
      ? Same<readonly [Exclude<In, undefined>, Out], readonly [D[K], Held<D[K]>]> extends true
        ? ModelField
        : never
      : never
    : never
}

type Given<F> = { readonly [K in keyof F]: F[K] extends ModelField<infer In, unknown> ? In : never }

type Kept<F> = { readonly [K in keyof F]: F[K] extends ModelField<unknown, infer Out> ? Out : never }

type Maybe<T> = { readonly [K in keyof T]?: T[K] | undefined }

type Flat<T> = { [K in keyof T]: T[K] }

/** What a caller supplies for a model. */
export type InputOf<M extends Model> = Flat<
  Given<Pick<M['fields'], RequiredNames<M['fields']>>> &
    Maybe<Given<Pick<M['fields'], OtherNames<M['fields']>>>> & {
      /** Undocumented fields by their wire names, passed through as they are. */
      readonly extra?: Extra | undefined
    }
>

/** What a parsed model holds. */
export type ValuesOf<M extends Model> = Flat<
  Kept<Pick<M['fields'], RequiredNames<M['fields']>>> &
    Maybe<Kept<Pick<M['fields'], OtherNames<M['fields']>>>> & {
      /** Undocumented fields by their wire names, as they came. Empty if there are none. */
      readonly extra: Extra
    }
>
