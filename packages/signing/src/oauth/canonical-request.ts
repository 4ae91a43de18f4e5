import { canonicalBaseStringBytes } from './base-string-bytes.ts'
import type { LentBytes } from './lent-bytes.ts'
import { OAUTH_NAMES, type OAuthHeader, PROTOCOL_PREFIX } from './oauth-header.ts'
import { percentEncode } from './percent-encode.ts'
import { remember } from './remember.ts'

/**
 * The base string of a request whose body is already the parameter string that was signed: canonical, and with all of the
 * header's `oauth_*` pairs in it. `undefined` for any other, which takes the plain path, refusals included.
 *
 * A fast path: it neither decodes the fields nor sorts them. The header must have been found in order before.
 */
export function canonicalBaseString(beginning: Uint8Array, body: string, header: OAuthHeader): LentBytes | undefined {
  return holdsProtocolPairs(body, header) ? canonicalBaseStringBytes(beginning, body) : undefined
}

/**
 * Whether the header's pairs stand in the body in one piece, as they do in a sorted one, and nothing of theirs before or
 * after.
 */
function holdsProtocolPairs(body: string, header: OAuthHeader): boolean {
  const pairs = pairsOf(header)
  const start = body.indexOf(PROTOCOL_PREFIX)
  const end = start + pairs.length
  return (
    start >= 0 &&
    // Quicker than `startsWith`.
    body.slice(start, end) === pairs &&
    (start === 0 || body[start - 1] === '&') &&
    (end === body.length || (body[end] === '&' && !body.startsWith(PROTOCOL_PREFIX, end + 1)))
  )
}

// One module's own texts are known to the compiler, others' are fetched at each use.
const CONSUMER_KEY = `${OAUTH_NAMES.consumerKey}=`
const NONCE = `&${OAUTH_NAMES.nonce}=`
const SIGNATURE_METHOD = `&${OAUTH_NAMES.signatureMethod}=`
const TIMESTAMP = `&${OAUTH_NAMES.timestamp}=`
const VERSION = `&${OAUTH_NAMES.version}=`

const encodeSender = remember(percentEncode)

/** In the order of their bytes, as `normalizeParameters` writes them. Method, timestamp and version hold nothing to encode. */
function pairsOf({ consumerKey, nonce, signatureMethod, timestamp, version }: OAuthHeader): string {
  const identity = CONSUMER_KEY + encodeSender(consumerKey) + NONCE + percentEncode(nonce)
  const pairs = identity + SIGNATURE_METHOD + signatureMethod + TIMESTAMP + timestamp
  return version === undefined ? pairs : pairs + VERSION + version
}
