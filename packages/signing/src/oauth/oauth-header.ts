import { SigningError } from '../errors.ts'
import type { Parameter } from './parameters.ts'
import { percentEncode } from './percent.ts'

/** The `Authorization` header of scheme `OAuth`: its parameters, decoded, one name for each idea. */
export type OAuthHeader = {
  /** `realm`, without its quotes. It is not signed. */
  readonly realm?: string | undefined
  /** `oauth_consumer_key`: the merchant login. */
  readonly consumerKey: string
  /** `oauth_nonce`: unique and random. */
  readonly nonce: string
  /** `oauth_signature_method`, as the sender names it. It never decides how a signature is verified. */
  readonly signatureMethod: string
  /** `oauth_timestamp`: seconds since 1970, as text. */
  readonly timestamp: string
  /**
   * `oauth_token`: absent, or empty as some libraries send it, which says the same: there is no token (RFC 5849 section 3.1).
   * It is signed as it is sent.
   */
  readonly token?: '' | undefined
  /** `oauth_version`: `1.0`, or absent. */
  readonly version?: string | undefined
  /** `oauth_signature`: base64. */
  readonly signature: string
}

/** A header before it is signed. */
export type UnsignedHeader = Omit<OAuthHeader, 'signature'>

/** The wire names of the protocol parameters, all of them, in byte order. */
export const OAUTH_NAMES = {
  consumerKey: 'oauth_consumer_key',
  nonce: 'oauth_nonce',
  signature: 'oauth_signature',
  signatureMethod: 'oauth_signature_method',
  timestamp: 'oauth_timestamp',
  token: 'oauth_token',
  version: 'oauth_version',
} as const

/** How every name of the protocol begins. */
export const PROTOCOL_PREFIX = 'oauth_'

/** Whether a name belongs to the protocol, known or not: such names are never business parameters. */
export function isProtocolName(name: string): boolean {
  return name.startsWith(PROTOCOL_PREFIX)
}

/** The protocol parameters that are signed, decoded and in byte order: all that the header has but `oauth_signature`. */
export function signedParameters(header: UnsignedHeader): Parameter[] {
  const { consumerKey, nonce, signatureMethod, timestamp, token, version } = header
  const consumer: Parameter = [OAUTH_NAMES.consumerKey, consumerKey]
  const fresh: Parameter = [OAUTH_NAMES.nonce, nonce]
  const method: Parameter = [OAUTH_NAMES.signatureMethod, signatureMethod]
  const time: Parameter = [OAUTH_NAMES.timestamp, timestamp]
  const signed = [consumer, fresh, method, time]
  if (token !== undefined) signed.push([OAUTH_NAMES.token, token])
  if (version !== undefined) signed.push([OAUTH_NAMES.version, version])
  return signed
}

/** The same as the parameter string holds them. The method, the time and the version are unreserved characters. */
export function protocolPairs(header: UnsignedHeader): string {
  const { consumerKey, nonce, signatureMethod, timestamp, token, version } = header
  const identity = `oauth_consumer_key=${percentEncode(consumerKey)}&oauth_nonce=${percentEncode(nonce)}`
  const pairs = `${identity}&oauth_signature_method=${signatureMethod}&oauth_timestamp=${timestamp}`
  const signed = token === undefined ? pairs : `${pairs}&oauth_token=`
  return version === undefined ? signed : `${signed}&oauth_version=${version}`
}

const QUOTABLE = /^[\t -~]*$/

/**
 * Writes the value of an `Authorization` header: `OAuth`, the realm if there is one, and the protocol parameters as
 * `name="value"`, percent-encoded, separated by a comma and a space. {@link parseAuthorizationHeader} reads it back.
 *
 * @throws {SigningError} `BAD_ARGUMENT` when the realm holds a line break, another control character or anything
 *   outside ASCII; `BAD_TEXT` as {@link percentEncode}.
 * @see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.5.1 RFC 5849 section 3.5.1}; specification part 5.2
 */
export function formatAuthorizationHeader(header: OAuthHeader): string {
  const { realm, consumerKey, nonce, signature, signatureMethod, timestamp, version } = header
  const start = realm === undefined ? 'OAuth ' : `OAuth realm="${escapeRealm(realm)}", `
  const identity = `oauth_consumer_key="${percentEncode(consumerKey)}", oauth_nonce="${percentEncode(nonce)}"`
  const proof = `oauth_signature="${percentEncode(signature)}", oauth_signature_method="${percentEncode(signatureMethod)}"`
  const timed = `${start}${identity}, ${proof}, oauth_timestamp="${percentEncode(timestamp)}"`
  return version === undefined ? timed : `${timed}, oauth_version="${percentEncode(version)}"`
}

/** The realm is the one value that is a plain quoted string instead of percent-encoded text (RFC 9110 section 5.6.4). */
function escapeRealm(realm: string): string {
  if (!QUOTABLE.test(realm)) {
    throw new SigningError('BAD_ARGUMENT', 'the realm must be printable ASCII, without line breaks')
  }
  return realm.replace(/["\\]/g, '\\$&')
}
