import { SigningError } from '../errors.ts'
import { OAUTH_NAMES, type OAuthHeader, type UnsignedHeader } from './oauth-header.ts'
import { percentEncode } from './percent-encode.ts'

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
  const { signatureMethod, timestamp, version } = header
  const encoded = {
    signatureMethod: percentEncode(signatureMethod),
    timestamp: percentEncode(timestamp),
    version: version === undefined ? undefined : percentEncode(version),
  }
  return formatSigned({ ...header, ...encoded }, header.signature)
}

// One module's own texts are known to the compiler, others' are fetched at each use.
const CONSUMER_KEY = `${OAUTH_NAMES.consumerKey}="`
const NONCE = `", ${OAUTH_NAMES.nonce}="`
const SIGNATURE = `", ${OAUTH_NAMES.signature}="`
const SIGNATURE_METHOD = `", ${OAUTH_NAMES.signatureMethod}="`
const TIMESTAMP = `", ${OAUTH_NAMES.timestamp}="`
const VERSION = `", ${OAUTH_NAMES.version}="`

/** As {@link formatAuthorizationHeader}, with the signature beside a header whose method, time and version are plain. */
export function formatSigned(header: UnsignedHeader, signature: string): string {
  const { realm, consumerKey, nonce, signatureMethod, timestamp, version } = header
  const start = realm === undefined ? 'OAuth ' : `OAuth realm="${escapeRealm(realm)}", `
  const identity = start + CONSUMER_KEY + percentEncode(consumerKey) + NONCE + percentEncode(nonce)
  const signed = identity + SIGNATURE + percentEncode(signature) + SIGNATURE_METHOD + signatureMethod
  const timed = signed + TIMESTAMP + timestamp
  return version === undefined ? `${timed}"` : `${timed}${VERSION}${version}"`
}

/** The realm is the one value that is a plain quoted string instead of percent-encoded text (RFC 9110 section 5.6.4). */
function escapeRealm(realm: string): string {
  if (!QUOTABLE.test(realm)) {
    throw new SigningError('BAD_ARGUMENT', 'the realm must be printable ASCII, without line breaks')
  }
  return realm.replace(/["\\]/g, '\\$&')
}
