import { baseStringBytes, beginBaseString } from './base-string-bytes.ts'
import { encodeTwice, MOST_ONCE, MOST_TWICE } from './encode-twice.ts'
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
  const room = MOST_UTF8 * text.length
  const { bytes, end: start } = beginBaseString(beginning, MOST_TWICE * room)
  const work = lendBytes((1 + MOST_ONCE) * room)
  const length = work.write(text)
  const ends = encodeTwice(work, length, { bytes: work, start: length }, { bytes, start })
  const body = work.toString('latin1', length, ends.onceEnd)
  returnBytes({ bytes: work, end: ends.onceEnd })
  const baseString = { bytes, end: ends.twiceEnd }
  if (ends.separators === separatorsOf(plan)) return { body, baseString }
  returnBytes(baseString)
  return undefined
}
