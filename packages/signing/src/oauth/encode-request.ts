import { encodeTwice } from './encode-twice.ts'
import { BASE_STRING_START, baseStringBytes } from './fast-base-string.ts'
import { signedParameters } from './oauth-header.ts'
import { type Plan, type ProtocolParts, scriptOf } from './parameter-plans.ts'
import { normalizeParameters, type Parameter } from './parameters.ts'
import type { Beginning } from './request-beginnings.ts'
import { LEAST_BYTES, releaseScratch, type ScratchBuffer, takeScratch } from './scratch-buffer.ts'

/** A request, ready to be signed and sent. */
export type EncodedRequest = {
  /** The parameter string of what is sent in the body. */
  readonly body: string
  /** On loan: return it with `returnBytes`. */
  readonly baseString: ScratchBuffer
}

/**
 * Encodes any request, also one with a query or repeated names, without a fast path.
 *
 * @throws {SigningError} As `percentEncode`, of names and values.
 */
export function encodePlainly(
  { bytes, query }: Beginning,
  { header }: ProtocolParts,
  nonce: string,
  own: readonly Parameter[],
): EncodedRequest {
  const sent = [...own, ...signedParameters({ ...header, nonce })]
  const body = normalizeParameters(sent)
  const signed = query.length === 0 ? body : normalizeParameters([...query, ...sent])
  return { body, baseString: baseStringBytes(bytes, signed) }
}

/** The separator before the first parameter, which is dropped: `&`, and encoded `%26`. */
const SEPARATOR_BYTES = 1
const ENCODED_SEPARATOR_BYTES = 3

/**
 * As {@link encodePlainly}, its reference in the tests, but by a plan. `undefined` for a request that has a query or is long:
 * it takes the plain path.
 */
export function encodeByPlan(
  { bytes: beginning, query }: Beginning,
  parts: ProtocolParts,
  nonce: string,
  own: readonly Parameter[],
  plan: Plan,
): EncodedRequest | undefined {
  if (query.length > 0) return undefined
  const once = takeScratch(LEAST_BYTES)
  const baseString = takeScratch(LEAST_BYTES)
  baseString.end = BASE_STRING_START + beginning.length - ENCODED_SEPARATOR_BYTES
  let body: string | undefined
  try {
    const end = encodeTwice(scriptOf(plan, parts), nonce, own, once, baseString)
    if (end === undefined) return undefined
    baseString.bytes.set(beginning, BASE_STRING_START)
    body = once.bytes.toString('latin1', SEPARATOR_BYTES, end)
    return { body, baseString }
  } finally {
    releaseScratch(once)
    if (body === undefined) releaseScratch(baseString)
  }
}
