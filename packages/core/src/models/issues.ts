import type { FieldIssue } from '../errors/invalid-input-error.ts'
import type { Field } from './field.ts'

/** What can be wrong with one field, in words that never quote the value. */

export function breaksItsBound(name: string, { wireName, format }: Field, value?: unknown): FieldIssue {
  const isCut = typeof value === 'string' && !value.isWellFormed()
  return { field: name, wireName, problem: `must be ${format.bound}`, remedy: isCut ? HALF_A_CHARACTER : format.remedy }
}

const HALF_A_CHARACTER =
  'It holds half a character, such as an emoji that was cut in two: cut texts between characters.'

/** Its digits may be right: what a number has lost cannot be known. */
export function isNumber(name: string, field: Field): FieldIssue {
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
