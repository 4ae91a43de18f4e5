import { callbackQueryIssue } from '../callbacks/callback.ts'
import type { FieldIssue } from '../errors/payment-error.ts'
import type { ModelField } from '../models/field.ts'
import { amountsIn } from '../models/formats.ts'
import type { Model } from '../models/model.ts'
import { hasTooManyDecimals, type Parsed, parseModel } from '../models/parse-model.ts'
import { exponentOf, isAmountOf } from '../money/minor-units.ts'
import { catalogue, type OperationKey, type RequestValues } from '../operations/catalogue.ts'
import type { Profile } from '../profile/profile.ts'
import { RecurringPaymentForReading } from '../requests/recurring.ts'
import { maskCardNumbers } from '../sensitive/mask-card-numbers.ts'
import { Masked } from '../sensitive/masked.ts'
import type { WritePair } from './encode-form.ts'
import { type Pair, pairsOf, writeForm } from './form.ts'
import { valuesOf } from './wire-names.ts'

/**
 * Checks a caller's request, by the model's names. Amounts must fit the decimals of their currency.
 *
 * @returns the request with its values as the model holds them, or every wrong field
 */
export function parseRequest<K extends OperationKey>(
  key: K,
  given: object,
  profile: Profile,
): Parsed<RequestValues<K>> {
  const model: Model = catalogue[key].request
  const input = given as Readonly<Record<string, unknown>>
  const parsed = parseModel(model, input)
  if (!parsed.ok) return { ok: false, issues: withAmounts(parsed.issues, amountIssues(model, input, profile)) }
  const issues = [...amountIssues(model, parsed.value, profile), ...callbackAddressIssues(model, parsed.value)]
  issues.push(...extraIssues(model, parsed.value.extra, profile), ...extensionIssues(model, parsed.value, profile))
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value: parsed.value as RequestValues<K> }
}

/** What only gateways with our extensions know. Another would ignore the field, and a payment that was stopped would go on. */
function extensionIssues(
  { name, fields }: Model,
  values: Readonly<Record<string, unknown>>,
  { recurringExtensions }: Profile,
): FieldIssue[] {
  if (recurringExtensions) return []
  const all = name === RecurringPaymentForReading.name
  const extensions = all ? Object.keys(fields) : ['recurringPaymentState']
  return extensions.flatMap((field): FieldIssue[] => {
    const wireName = fields[field]?.wireName
    if (wireName === undefined || values[field] === undefined) return []
    const problem = 'belongs to an extension of tallystick, which the profile of this gateway does not have'
    const remedy = 'If the gateway is tallystick, set recurringExtensions in the profile.'
    return [{ field, wireName, problem, remedy }]
  })
}

/** All wrong fields at once, so that nobody has to fix a request in rounds. */
function withAmounts(issues: readonly FieldIssue[], amounts: readonly FieldIssue[]): readonly FieldIssue[] {
  const named = new Set(issues.map(({ field }) => field))
  return [...issues, ...amounts.filter(({ field }) => !named.has(field))]
}

function amountIssues(model: Model, values: Readonly<Record<string, unknown>>, profile: Profile): FieldIssue[] {
  const currency = textOf(values['currency'])
  // A recurring payment has its currency already: the gateway knows how many decimals that has.
  if (currency === undefined && 'recurringPaymentId' in model.fields && profile.exponents !== 'always-2') return []
  const exponent = exponentOf(currency, profile.exponents)
  const issues: FieldIssue[] = []
  for (const name of model.amounts) {
    const text = textOf(values[name])?.trim()
    if (!text || areAmountsOf(text, exponent)) continue
    issues.push(hasTooManyDecimals(name, model.fields[name] as ModelField, exponent))
  }
  return issues
}

/** A callback that is refused for ever must show before the payment, not after. */
function callbackAddressIssues(model: Model, values: Readonly<Record<string, unknown>>): FieldIssue[] {
  return ['serverCallbackUrl', 'notifyUrl'].flatMap((name): FieldIssue[] => {
    const problem = callbackQueryIssue(textOf(values[name]) ?? '')
    if (problem === undefined) return []
    const wireName = model.fields[name]?.wireName ?? name
    return [{ field: name, wireName, problem, remedy: 'Give the parameter of yours another name, or leave it out.' }]
  })
}

/** Most are one amount, which needs no list. */
function areAmountsOf(text: string, exponent: number): boolean {
  return isAmountOf(text, exponent) || amountsIn(text).every((one) => isAmountOf(one, exponent))
}

/**
 * An undocumented field must not smuggle in a documented one, and must be encodable. The caller chose its name: a card number
 * in place of a name must not be quoted.
 */
function extraIssues(model: Model, extra: Readonly<Record<string, string>>, profile: Profile): FieldIssue[] {
  const issues: FieldIssue[] = []
  for (const [wireName, text] of Object.entries(extra)) {
    const name = model.spelling(profile.wireNames).read.get(wireName)
    const shown = maskCardNumbers(wireName)
    if (name !== undefined) issues.push(isReserved(shown, `Take it out of extra and supply it as ${name}.`))
    else if (isAuthentication(wireName)) issues.push(isReserved(shown, 'Take it out of extra.'))
    else if (wireName === '' || !wireName.isWellFormed() || !text.isWellFormed()) issues.push(hasNoForm(shown))
  }
  return issues
}

function isReserved(wireName: string, remedy: string): FieldIssue {
  return { field: 'extra', wireName, problem: 'must not hold a field that the library writes', remedy }
}

function hasNoForm(wireName: string): FieldIssue {
  const problem = 'must hold texts of whole characters under names that are not empty'
  return { field: 'extra', wireName, problem, remedy: 'Check where the text was cut, and name every field.' }
}

/**
 * Writes a checked request as the pairs of its form, in the order of the model, without authentication.
 * Fields that are absent are left out.
 */
export function encodeRequest<K extends OperationKey>(
  key: K,
  request: RequestValues<K>,
  profile: Profile,
): readonly Pair[] {
  return pairsOf((write) => writePairs(key, request, profile, write))
}

/**
 * Writes a checked request as its form, followed by its authentication: `serializeForm` of the pairs of `encodeRequest`,
 * without making them.
 */
export function writeRequest<K extends OperationKey>(
  key: K,
  request: RequestValues<K>,
  profile: Profile,
  authentication: readonly Pair[] = [],
): string {
  return writeForm(
    (write) => writePairs(key, request, profile, write) && authentication.every(([name, value]) => write(name, value)),
  )
}

function writePairs<K extends OperationKey>(
  key: K,
  request: RequestValues<K>,
  profile: Profile,
  write: WritePair,
): boolean {
  const model: Model = catalogue[key].request
  const values: Readonly<Record<string, unknown>> = request
  for (const [name, wireName] of model.spelling(profile.wireNames).sent) {
    const text = textOf(values[name])
    if (text !== undefined && !write(wireName, text)) return false
  }
  return Object.entries(request.extra).every(([wireName, text]) => write(wireName, text))
}

/**
 * Reads the pairs of a form into the request of an operation. White space at either end of a value is dropped; the
 * parameters of authentication are ignored.
 *
 * @throws MalformedFormError if a name is repeated
 */
export function decodeRequest<K extends OperationKey>(
  key: K,
  pairs: readonly Pair[],
  profile: Profile,
): Parsed<RequestValues<K>> {
  const fields: Pair[] = []
  for (const pair of pairs) {
    const [name, text] = pair
    const trimmed = text.trim()
    if (!isAuthentication(name)) fields.push(trimmed === text ? pair : [name, trimmed])
  }
  return parseRequest(key, valuesOf(catalogue[key].request, fields, profile), profile)
}

function isAuthentication(wireName: string): boolean {
  return wireName === 'control' || wireName.startsWith('oauth_')
}

/** The one place where a card number or a CVV becomes text: the form that is sent. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  return value instanceof Masked ? value.reveal() : undefined
}
