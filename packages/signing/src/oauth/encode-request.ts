import { baseStringBytes, beginBaseString } from './base-string-bytes.ts'
import { encodeTwice, roomFor } from './encode-bytes.ts'
import { type LentBytes, lendBytes, returnBytes } from './lent-bytes.ts'
import { normalizeParameters } from './normalize-parameters.ts'
import type { Parameter } from './parameter.ts'
import { type Plan, separatorsOf, textByPlan } from './parameter-plans.ts'

/** A request, ready to be signed and sent. */
export type EncodedRequest = {
  /** The parameter string of what is sent in the body. */
  readonly body: string
  /** Lent: to be given back. */
  readonly baseString: LentBytes
}

/** The most bytes of UTF-8 that one UTF-16 unit becomes. */
const MOST_UTF8 = 3

/**
 * Encodes a request without a fast path: any names, and a query.
 *
 * @throws {SigningError} As `percentEncode`, of names and values.
 */
export function encodePlainly(
  beginning: Uint8Array,
  query: readonly Parameter[],
  sent: readonly Parameter[],
): EncodedRequest {
  const body = normalizeParameters(sent)
  const signed = query.length === 0 ? body : normalizeParameters([...query, ...sent])
  return { body, baseString: baseStringBytes(beginning, signed) }
}

/**
 * As {@link encodePlainly}, which is its reference in the tests, for a request with a plan and no query. `undefined` where a
 * text has no UTF-8 form, or holds what separates names from values here: those go the plain way.
 */
export function encodeByPlan(
  beginning: Uint8Array,
  plan: Plan,
  sent: readonly Parameter[],
): EncodedRequest | undefined {
  const text = textByPlan(plan, sent)
  if (!text.isWellFormed()) return undefined
  const room = roomFor(MOST_UTF8 * text.length)
  const baseString = beginBaseString(beginning, room.twice)
  const once = lendBytes(room.once)
  once.end = once.bytes.write(text)
  const { start, separators } = encodeTwice(once, baseString)
  const body = once.bytes.toString('latin1', start, once.end)
  returnBytes(once)
  if (separators === separatorsOf(plan)) return { body, baseString }
  returnBytes(baseString)
  return undefined
}
