import { SigningError } from '../errors.ts'
import { OAUTH_NAMES, type OAuthHeader } from './oauth-header.ts'
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
  const [nonce, signature] = [percentEncode(header.nonce), percentEncode(header.signature)]
  return headerStart(header) + nonce + BEFORE_SIGNATURE + signature + headerEnd(header)
}

/** The header up to its nonce. */
export function headerStart({ realm, consumerKey }: Pick<OAuthHeader, 'realm' | 'consumerKey'>): string {
  const start = realm === undefined ? 'OAuth ' : `OAuth realm="${escapeRealm(realm)}", `
  return `${start}${OAUTH_NAMES.consumerKey}="${percentEncode(consumerKey)}", ${OAUTH_NAMES.nonce}="`
}

/** What stands between the nonce and the signature. */
export const BEFORE_SIGNATURE = `", ${OAUTH_NAMES.signature}="`

/** The header behind its signature. */
export function headerEnd(header: Pick<OAuthHeader, 'signatureMethod' | 'timestamp' | 'version'>): string {
  const { signatureMethod, timestamp, version } = header
  const method = `", ${OAUTH_NAMES.signatureMethod}="${percentEncode(signatureMethod)}"`
  const timed = `${method}, ${OAUTH_NAMES.timestamp}="${percentEncode(timestamp)}"`
  return version === undefined ? timed : `${timed}, ${OAUTH_NAMES.version}="${percentEncode(version)}"`
}

/** The realm is the one value that is a plain quoted string instead of percent-encoded text (RFC 9110 section 5.6.4). */
function escapeRealm(realm: string): string {
  if (!QUOTABLE.test(realm)) {
    throw new SigningError('BAD_ARGUMENT', 'the realm must be printable ASCII, without line breaks')
  }
  return realm.replace(/["\\]/g, '\\$&')
}
