import { type $ZodIssue, safeParse } from 'zod/v4/core'
import type { FieldIssue } from '../errors/payment-error.ts'
import { nearestName } from '../options/check-options.ts'
import { maskCardNumbers } from '../sensitive/mask-card-numbers.ts'
import { isBlank } from './extra.ts'
import type { Field } from './field.ts'
import type { Model, RuleBreach, ValuesOf } from './model.ts'

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly FieldIssue[] }

/**
 * Checks values against a model: each field by its format, then the rules over several fields.
 * Absent, `undefined`, `null` and blank values all count as not supplied.
 */
export function parseModel<M extends Model>(model: M, input: Readonly<Record<string, unknown>>): Parsed<ValuesOf<M>> {
  const usual = model.readUsual(input)
  if (usual !== undefined) return obeyRules(model, usual)
  const values = withoutBlanks(input)
  const given = model.readUsual(values)
  if (given !== undefined) return obeyRules(model, given)
  const parsed = safeParse(model.schema, values)
  if (parsed.success) return obeyRules(model, parsed.data)
  const names = new Set(parsed.error.issues.flatMap(wrongFields))
  return { ok: false, issues: [...names].map((name) => fieldIssue(model, name, values[name])) }
}

function obeyRules<M extends Model>(model: M, values: Readonly<Record<string, unknown>>): Parsed<ValuesOf<M>> {
  const issues: FieldIssue[] = []
  for (const rule of model.rules) {
    const breach = rule(values)
    if (breach !== undefined) issues.push(ruleIssue(model, breach))
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value: values as ValuesOf<M> }
}

function withoutBlanks(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => !isBlank(value)))
}

function wrongFields(issue: $ZodIssue): readonly string[] {
  return issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0])]
}

/** The issue in our own words: a validator's message could quote the value. */
function fieldIssue(model: Model, name: string, value: unknown): FieldIssue {
  const known = Object.hasOwn(model.fields, name) ? model.fields[name] : undefined
  if (known === undefined) return unknownField(model, name)
  if (value === undefined) return isMissing(name, known)
  return isTextAsNumber(known, value) ? isNumber(name, known) : breaksItsBound(name, known, value)
}

/** Whether the only fault of a value is that it is a number, not a text. */
function isTextAsNumber({ format }: Field, value: unknown): boolean {
  return (typeof value === 'number' || typeof value === 'bigint') && format.read(String(value)) !== undefined
}

/** The caller chose the name: a card number in place of a name must not be quoted. */
function unknownField(model: Model, name: string): FieldIssue {
  const shown = maskCardNumbers(name)
  const problem = name === 'extra' ? 'must be an object of texts' : `is no field of ${model.name}`
  const nearest = meantBy(name, model)
  const spelling = nearest === undefined ? 'Check its spelling.' : `Did you mean ${nearest}?`
  const remedy = `${spelling} A field that is not documented belongs in \`extra\`, under its wire name.`
  return { field: shown, wireName: shown, problem, remedy }
}

/** The field whose name was misspelt, or was given by its wire name: `credit_card_number`, or `creditCardNumber`. */
function meantBy(name: string, { fields }: Model): string | undefined {
  const letters = lettersOf(name)
  const ofTheWire = Object.entries(fields).find(([, { wireName }]) => lettersOf(wireName) === letters)?.[0]
  return ofTheWire ?? nearestName(name, Object.keys(fields))
}

function lettersOf(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase()
}

function ruleIssue(model: Model, { field, problem, remedy }: RuleBreach): FieldIssue {
  return { field, wireName: model.fields[field]?.wireName ?? field, problem, remedy }
}

/** What can be wrong with one field, in words that never quote the value. */

export function breaksItsBound(name: string, { wireName, format }: Field, value?: unknown): FieldIssue {
  const isCut = typeof value === 'string' && !value.isWellFormed()
  return { field: name, wireName, problem: `must be ${format.bound}`, remedy: isCut ? HALF_A_CHARACTER : format.remedy }
}

const HALF_A_CHARACTER =
  'It holds half a character, such as an emoji that was cut in two: cut texts between characters.'

/** Its digits may be right: what a number has lost cannot be known. */
function isNumber(name: string, field: Field): FieldIssue {
  const remedy = 'Send it as text, in quotes: a number loses leading zeros, and digits if it has many.'
  return { ...breaksItsBound(name, field), remedy }
}

export function isMissing(name: string, { wireName, meaning }: Field): FieldIssue {
  return { field: name, wireName, problem: 'is required', remedy: `Supply it: ${meaning}` }
}

/** `exponent` is the number of decimals that the currency has. */
export function hasTooManyDecimals(name: string, { wireName }: Field, exponent: number): FieldIssue {
  const problem = `must have at most ${exponent} decimals`
  return {
    field: name,
    wireName,
    problem,
    remedy:
      'Round it. If this currency has more decimals at the gateway, set `exponents` where you make the client (`profile`).',
  }
}
