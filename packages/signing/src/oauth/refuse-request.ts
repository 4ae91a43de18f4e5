import { type Refusal, refuse } from '../errors.ts'
import { isProtocolName, OAUTH_NAMES, type OAuthHeader, signedParameters } from './oauth-header.ts'
import type { Parameter } from './parameters.ts'
import { CONSUMER_KEY_RULE, NONCE_RULE, TIMESTAMP_RULE, VERSION } from './protocol-rules.ts'
import type { SignatureMethod } from './signature-methods.ts'

/** Why a request's signature was refused. */
export type OAuthRefusalReason =
  | 'bad-consumer-key'
  | 'bad-nonce'
  | 'bad-timestamp'
  | 'bad-version'
  | 'duplicate-parameter'
  | 'malformed-parameters'
  | 'malformed-signature'
  | 'malformed-url'
  | 'method-mismatch'
  | 'parameter-mismatch'
  | 'signature-in-body'
  | 'timestamp-outside-window'
  | 'unknown-parameter'
  | 'wrong-signature'

/** A refusal of {@link verifyOAuth}. */
export type OAuthRefusal = Refusal<OAuthRefusalReason>

type Check = OAuthRefusal | undefined

/**
 * Refuses parameters of body and query that cannot be encoded, and protocol parameters among them that are not a single
 * copy of the header's.
 *
 * @see Specification part 5.2, item "Header and body"
 */
export function refuseParameters(parameters: readonly Parameter[], header: OAuthHeader): Check {
  if (!parameters.every(([name, value]) => isEncodable(name) && isEncodable(value))) {
    return refuse('malformed-parameters', 'a name or value of the body is not a text with a UTF-8 form')
  }
  const copies = new Set<string>()
  const expected = new Map(signedParameters(header))
  for (const [name, value] of parameters) {
    if (!isProtocolName(name)) continue
    const refusal = refuseCopy(name, value, expected)
    if (refusal !== undefined) return refusal
    if (copies.has(name)) return refuse('duplicate-parameter', `${name} is outside the header more than once`)
    copies.add(name)
  }
  return undefined
}

function refuseCopy(name: string, value: string, expected: ReadonlyMap<string, string>): Check {
  if (name === OAUTH_NAMES.signature) {
    return refuse('signature-in-body', 'oauth_signature belongs in the header alone')
  }
  if (!Object.values<string>(OAUTH_NAMES).includes(name)) {
    return refuse('unknown-parameter', 'outside the header there is an oauth_* parameter that is none of the six')
  }
  if (expected.get(name) === value) return undefined
  return refuse('parameter-mismatch', `${name} outside the header does not equal the header's`)
}

/** There is no token: an empty one says so. @see RFC 5849 section 3.1 */
export function refuseToken({ token }: OAuthHeader): Check {
  return token ? refuse('unknown-parameter', 'this interface is two-legged and has no oauth_token') : undefined
}

/** @see Specification part 5.2 (fixed at 1.0); RFC 5849 section 3.1 (optional) */
export function refuseVersion({ version }: OAuthHeader): Check {
  if (version === undefined || version === VERSION) return undefined
  return refuse('bad-version', `oauth_version is neither absent nor ${VERSION}`)
}

/** @see Specification part 5.2 (seconds); the window is filled in from gaps part 13 */
export function refuseTimestamp({ timestamp }: OAuthHeader, now: number, windowSeconds: number): Check {
  if (!TIMESTAMP_RULE.holds(timestamp)) return refuse('bad-timestamp', TIMESTAMP_RULE.rule)
  if (Math.abs(now - Number(timestamp)) <= windowSeconds) return undefined
  return refuse(
    'timestamp-outside-window',
    `oauth_timestamp is more than ${windowSeconds} s from the present: check the clocks of both ends`,
  )
}

/** Nonce and consumer key. */
export function refuseIdentity({ nonce, consumerKey }: OAuthHeader): Check {
  if (!NONCE_RULE.holds(nonce)) return refuse('bad-nonce', NONCE_RULE.rule)
  return CONSUMER_KEY_RULE.holds(consumerKey) ? undefined : refuse('bad-consumer-key', CONSUMER_KEY_RULE.rule)
}

/** The request names its method, the catalogue decides it. @see Specification part 5.2, rules */
export function refuseMethod({ signatureMethod }: OAuthHeader, method: SignatureMethod): Check {
  if (signatureMethod === method) return undefined
  return refuse('method-mismatch', `oauth_signature_method is not ${method}, which this operation requires`)
}

function isEncodable(text: string): boolean {
  return typeof text === 'string' && text.isWellFormed()
}
