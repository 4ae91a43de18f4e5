import { canonicalBaseStringBytes } from './base-string-bytes.ts'
import type { LentBytes } from './lent-bytes.ts'
import { OAUTH_NAMES, type OAuthHeader, PROTOCOL_PREFIX } from './oauth-header.ts'
import { percentEncode } from './percent-encode.ts'
import { remember } from './remember.ts'

/**
 * The base string of a request whose body already is the parameter string that was signed: canonical, and holding all the
 * header's `oauth_*` pairs. `undefined` for any other body, which takes the plain path and is refused there if need be.
 *
 * A fast path: it neither decodes nor sorts the fields. The header must have been checked before.
 */
export function canonicalBaseString(beginning: Uint8Array, body: string, header: OAuthHeader): LentBytes | undefined {
  return holdsProtocolPairs(body, header) ? canonicalBaseStringBytes(beginning, body) : undefined
}

/** Whether the body holds the header's pairs in one piece, as a sorted body does, and no other `oauth_*` pair. */
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

// Constants of this module: V8 inlines them, but fetches an imported binding at each use.
const CONSUMER_KEY = `${OAUTH_NAMES.consumerKey}=`
const NONCE = `&${OAUTH_NAMES.nonce}=`
const SIGNATURE_METHOD = `&${OAUTH_NAMES.signatureMethod}=`
const TIMESTAMP = `&${OAUTH_NAMES.timestamp}=`
const TOKEN = `&${OAUTH_NAMES.token}=`
const VERSION = `&${OAUTH_NAMES.version}=`

const encodeSender = remember(percentEncode)

/** In byte order, as `normalizeParameters` writes them. Method, timestamp and version need no encoding. */
function pairsOf({ consumerKey, nonce, signatureMethod, timestamp, token, version }: OAuthHeader): string {
  const identity = CONSUMER_KEY + encodeSender(consumerKey) + NONCE + percentEncode(nonce)
  const timed = identity + SIGNATURE_METHOD + signatureMethod + TIMESTAMP + timestamp
  const pairs = token === undefined ? timed : timed + TOKEN
  return version === undefined ? pairs : pairs + VERSION + version
}
