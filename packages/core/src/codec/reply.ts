import { MalformedFormError } from '../errors/payment-error.ts'
import type { Model, ValuesOf } from '../models/model.ts'
import { type Parsed, parseModel } from '../models/parse-model.ts'
import { catalogue, type OperationKey, type ReplyValues } from '../operations/catalogue.ts'
import type { Profile } from '../profile/profile.ts'
import { ServerErrorResponse, ValidationErrorResponse } from '../replies/async.ts'
import type { Pair } from './form.ts'
import { parseReplyText, type ReplyFormat, writeReplyText } from './reply-formats.ts'
import { decidesIn, openValuesOf } from './wire-names.ts'

/**
 * What a gateway answered, judged by its `type` alone and never by the HTTP status:
 *
 * - `success`: the operation's reply;
 * - `validation-error`: refused, nothing was created;
 * - `error`: the gateway failed, the operation may have taken effect;
 * - `incomplete`: a reply without a required field, such as the order id; its `errorMessage` says why;
 * - `no-reply`: not a reply of this interface.
 */
export type Reply<K extends OperationKey> = { readonly kind: 'success'; readonly reply: ReplyValues<K> } | FailedReply

/** Every answer but a success; the same for all operations. */
export type FailedReply =
  | { readonly kind: 'validation-error'; readonly reply: RefusalFields }
  | { readonly kind: 'error'; readonly reply: RefusalFields }
  | { readonly kind: 'incomplete'; readonly missing: readonly string[]; readonly reply: RefusalFields }
  | { readonly kind: 'no-reply' }

/** The fields of a refusal or a failure. */
export type RefusalFields = ValuesOf<typeof ValidationErrorResponse>

/**
 * Reads a reply in either format. Unknown fields go into `extra`, unknown statuses stay as text. Never throws. A reply
 * whose type, ids, status, stage or money do not decode or come twice is none; any other value is kept as it can be, with U+FFFD for what
 * is not UTF-8, and costs nothing.
 */
export function readReply<K extends OperationKey>(key: K, text: string, profile?: Profile): Reply<K> {
  const models = [catalogue[key].reply, ValidationErrorResponse]
  const pairs = parseReplyText(text, (wireName) => models.some((model) => decidesIn(model, wireName, profile)))
  if (pairs === undefined) return { kind: 'no-reply' }
  try {
    return readByType(key, pairs, profile)
  } catch (error) {
    if (error instanceof MalformedFormError) return { kind: 'no-reply' }
    throw error
  }
}

function readByType<K extends OperationKey>(key: K, pairs: readonly Pair[], profile: Profile | undefined): Reply<K> {
  const type = typeOf(pairs)
  if (type === 'validation-error') return readRefusal(type, ValidationErrorResponse, pairs, profile)
  if (type === 'error') return readRefusal(type, ServerErrorResponse, pairs, profile)
  return readSuccess(key, pairs, profile)
}

/** A reply that names an error and no type counts as a failure: the more careful reading. */
function typeOf(pairs: readonly Pair[]): string | undefined {
  const type = pairs.find(([name]) => name === 'type')
  if (type !== undefined) return type[1]
  return pairs.some(([name]) => name === 'error-message' || name === 'error-code') ? 'error' : undefined
}

function readRefusal(
  kind: 'validation-error' | 'error',
  model: typeof ValidationErrorResponse,
  pairs: readonly Pair[],
  profile: Profile | undefined,
): FailedReply {
  const typed: readonly Pair[] = new Map(pairs).has('type') ? pairs : [...pairs, ['type', kind]]
  return failed(readModel(model, typed, profile), (reply) => ({ kind, reply }))
}

function readSuccess<K extends OperationKey>(key: K, pairs: readonly Pair[], profile: Profile | undefined): Reply<K> {
  const model: Model = catalogue[key].reply
  const read = readModel(model, pairs, profile)
  if (read.ok) return { kind: 'success', reply: read.value as ReplyValues<K> }
  const missing = read.issues.map((issue) => issue.wireName)
  const told = readModel(ValidationErrorResponse, pairs, profile)
  return failed(told, (reply) => ({ kind: 'incomplete', missing, reply }))
}

/** A failure, or, without a type, no reply at all. */
function failed(told: Parsed<RefusalFields>, as: (reply: RefusalFields) => FailedReply): FailedReply {
  return told.ok ? as(told.value) : { kind: 'no-reply' }
}

function readModel<M extends Model>(model: M, pairs: readonly Pair[], profile: Profile | undefined) {
  return parseModel(model, openValuesOf(model, pairs, profile))
}

/** Writes a reply by its model and the names of a profile, absent fields left out, `extra` as it is. */
export function writeReply<M extends Model>(
  model: M,
  values: NoInfer<Omit<ValuesOf<M>, 'extra'>> & { readonly extra?: Readonly<Record<string, string>> },
  format: ReplyFormat,
  profile?: Profile,
): string {
  return writeReplyText(encodeModel(model, values, profile), format)
}

/** A model's texts as pairs with wire names: of a reply, or of a callback. */
export function encodeModel(
  model: Model,
  values: Readonly<Record<string, unknown>>,
  profile?: Profile,
): readonly Pair[] {
  const pairs: Pair[] = []
  for (const [name, wireName] of model.spelling(profile?.wireNames).sent) {
    const value = values[name]
    if (typeof value === 'string') pairs.push([wireName, value])
  }
  const { extra } = values
  return extra === undefined ? pairs : [...pairs, ...Object.entries(extra as Readonly<Record<string, string>>)]
}
