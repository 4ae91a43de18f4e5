import { sortedBaseStringBytes } from './base-string-bytes.ts'
import { isEncodedCanonically } from './canonical-body.ts'
import type { LentBytes } from './lent-bytes.ts'
import { OAUTH_NAMES, type OAuthHeader } from './oauth-header.ts'
import { percentEncode } from './percent-encode.ts'

/** The signed protocol parameters as they stand in a sorted body, in one piece, and nothing of theirs beside it. */
const PAIRS = new RegExp(
  `(?:^|&)${OAUTH_NAMES.consumerKey}=([^&]*)&${OAUTH_NAMES.nonce}=([^&]*)&${OAUTH_NAMES.signatureMethod}=([^&]*)` +
    `&${OAUTH_NAMES.timestamp}=([^&]*)(?:&${OAUTH_NAMES.version}=([^&]*))?(?:$|&(?!oauth_))`,
)

/**
 * The base string of a request whose body is already the parameter string that was signed: canonical, and with all of the
 * header's `oauth_*` pairs in it. `undefined` for any other, which takes the plain path, refusals included.
 *
 * A fast path: it neither decodes the fields nor sorts them. The header must have been found in order before.
 */
export function canonicalBaseString(beginning: Uint8Array, body: string, header: OAuthHeader): LentBytes | undefined {
  return holdsProtocolPairs(body, header) && isEncodedCanonically(body)
    ? sortedBaseStringBytes(beginning, body)
    : undefined
}

/** Whether the pairs stand in the body. What begins with `oauth_` before them would be another name of the protocol's. */
function holdsProtocolPairs(body: string, header: OAuthHeader): boolean {
  const match = PAIRS.exec(body)
  if (match === null || body.indexOf('oauth_') < match.index) return false
  const [, consumerKey, nonce, signatureMethod, timestamp, version] = match
  return (
    nonce === percentEncode(header.nonce) &&
    timestamp === header.timestamp &&
    consumerKey === percentEncode(header.consumerKey) &&
    signatureMethod === header.signatureMethod &&
    version === header.version
  )
}
