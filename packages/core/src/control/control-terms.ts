import type { Pair } from '../codec/form.ts'
import { nameTexts } from '../codec/wire-names.ts'
import type { FieldIssue } from '../errors/payment-error.ts'
import type { ModelField } from '../models/field.ts'
import type { Model } from '../models/model.ts'
import { breaksItsBound, hasTooManyDecimals } from '../models/parse-model.ts'
import { exponentOf, toMinorUnits } from '../money/minor-units.ts'
import type { ControlAuth, ControlTerm } from '../operations/operation.ts'
import type { Profile } from '../profile/profile.ts'

/** The terms of a control in their order without the key, or the signed fields that break their own grammar. */
export type ControlTerms =
  | { readonly ok: true; readonly terms: readonly string[] }
  | { readonly ok: false; readonly issues: readonly FieldIssue[] }

export interface ControlInput {
  readonly auth: ControlAuth
  readonly model: Model
  /** The id in the path: of the endpoint, or of the group. */
  readonly endpointId: string
  /** The form as it is sent or as it arrived. */
  readonly pairs: readonly Pair[]
  readonly profile: Profile
}

/**
 * The values to hash for a request (specification parts 4 and 5.1). Both halves compute them from the form itself, so that
 * what was signed is what is sent.
 *
 * A field that is absent or blank gives an empty term; no other is trimmed or changed in case. The amount is in cents;
 * without an amount the currency is left out too. The grammar of every signed field is checked first: that is what keeps
 * the borders of the terms apart.
 *
 * @throws MalformedFormError when a name is repeated
 */
export function controlTerms({ auth, model, endpointId, pairs, profile }: ControlInput): ControlTerms {
  const texts = nameTexts(model, pairs, profile).known
  const exponent = exponentOf(textOf(texts, 'currency').trim(), profile.exponents)
  const issues = auth.terms.flatMap((term) => grammarIssue(model, fieldOf(term), texts, exponent) ?? [])
  if (issues.length > 0) return { ok: false, issues }
  return { ok: true, terms: auth.terms.map((term) => termText(term, texts, endpointId, exponent)) }
}

/**
 * The terms of a request that `parseRequest` has passed, from its values, whose grammar is checked. A fast path, which has
 * nothing to sort; `controlTerms` of what `encodeRequest` writes is the reference in the tests. Not for a profile that gives
 * two fields one wire name: then only the form shows which value is sent.
 */
export function termsOfRequest(
  { auth, endpointId, profile }: Pick<ControlInput, 'auth' | 'endpointId' | 'profile'>,
  values: Readonly<Record<string, unknown>>,
): readonly string[] {
  // All signed fields hold texts.
  const texts = values as Texts
  const exponent = exponentOf(texts['currency'], profile.exponents)
  return auth.terms.map((term) => termText(term, texts, endpointId, exponent))
}

/** The field of the request that a term is made from. */
function fieldOf(term: ControlTerm): string {
  return term === 'amountInCents' ? 'amount' : term
}

type Texts = Readonly<Record<string, string | undefined>>

/** A blank text counts as absent. */
function textOf(texts: Texts, name: string): string {
  const text = texts[name] ?? ''
  return text.trim() === '' ? '' : text
}

function termText(term: ControlTerm, texts: Texts, endpointId: string, exponent: number): string {
  if (term === 'endpointId') return endpointId
  if (term === 'amountInCents') return toMinorUnits(textOf(texts, 'amount').trim(), exponent) ?? ''
  return term === 'currency' && textOf(texts, 'amount') === '' ? '' : textOf(texts, term)
}

function grammarIssue(model: Model, name: string, texts: Texts, exponent: number): FieldIssue | undefined {
  const field: ModelField | undefined = model.fields[name]
  const text = textOf(texts, name)
  if (field === undefined || text === '') return undefined
  if (!fits(field, text)) return breaksItsBound(name, field, text)
  const isAmount = field.format.wire.format === 'decimal'
  return isAmount && toMinorUnits(text.trim(), exponent) === undefined
    ? hasTooManyDecimals(name, field, exponent)
    : undefined
}

function fits({ format }: ModelField, text: string): boolean {
  return format.read(text) !== undefined
}
