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
  return formatSigned(header, header.signature)
}

/** As {@link formatAuthorizationHeader}, with the signature beside the header. */
export function formatSigned(header: UnsignedHeader, signature: string): string {
  const { realm, consumerKey, nonce, signatureMethod, timestamp, version } = header
  return (
    `OAuth ${realm === undefined ? '' : `realm="${escapeRealm(realm)}", `}` +
    `${OAUTH_NAMES.consumerKey}="${percentEncode(consumerKey)}", ${OAUTH_NAMES.nonce}="${percentEncode(nonce)}", ` +
    `${OAUTH_NAMES.signature}="${percentEncode(signature)}", ` +
    `${OAUTH_NAMES.signatureMethod}="${percentEncode(signatureMethod)}", ` +
    `${OAUTH_NAMES.timestamp}="${percentEncode(timestamp)}"` +
    (version === undefined ? '' : `, ${OAUTH_NAMES.version}="${percentEncode(version)}"`)
  )
}

/** The realm is the one value that is a plain quoted string instead of percent-encoded text (RFC 9110 section 5.6.4). */
function escapeRealm(realm: string): string {
  if (!QUOTABLE.test(realm)) {
    throw new SigningError('BAD_ARGUMENT', 'the realm must be printable ASCII, without line breaks')
  }
  return realm.replace(/["\\]/g, '\\$&')
}
