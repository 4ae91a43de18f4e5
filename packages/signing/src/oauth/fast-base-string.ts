import { HMAC_BLOCK_BYTES } from '../keys/hmac-key.ts'
import { encodeAgain, roomAgain } from './encode-again.ts'
import { OAUTH_NAMES, type OAuthHeader, PROTOCOL_PREFIX } from './oauth-header.ts'
import { percentEncode } from './percent.ts'
import { remember } from './protocol-rules.ts'
import { releaseScratch, type ScratchBuffer, takeScratch } from './scratch-buffer.ts'

/** Where a base string begins in its bytes: before it there is room for the block of an HMAC key. */
export const BASE_STRING_START = HMAC_BLOCK_BYTES

/**
 * The bytes of a base string: its beginning (method and URL, encoded), and the parameter string percent-encoded after it.
 * They are lent: give them back when they have been signed.
 *
 * `signatureBaseString` is the plain version, and its reference in the tests.
 */
export function baseStringBytes(beginning: Uint8Array, parameterString: string): ScratchBuffer {
  return writeBaseString(beginning, parameterString).baseString
}

/**
 * As {@link baseStringBytes}, of a body as it arrived; `undefined` unless the body is written exactly as a parameter string
 * is, its names ascending and unique.
 */
export function canonicalBaseStringBytes(beginning: Uint8Array, body: string): ScratchBuffer | undefined {
  const { baseString, isCanonical } = writeBaseString(beginning, body)
  if (isCanonical) return baseString
  releaseScratch(baseString)
  return undefined
}

function writeBaseString(beginning: Uint8Array, text: string) {
  const room = roomAgain(text)
  const baseString = beginBaseString(beginning, room.again)
  const once = takeScratch(room.once)
  const isCanonical = encodeAgain(text, once, baseString)
  releaseScratch(once)
  return { baseString, isCanonical }
}

/** Bytes that hold the beginning of a base string, with room for the rest. */
function beginBaseString(beginning: Uint8Array, room: number): ScratchBuffer {
  const lent = takeScratch(BASE_STRING_START + beginning.length + room)
  lent.bytes.set(beginning, BASE_STRING_START)
  lent.end = BASE_STRING_START + beginning.length
  return lent
}

/**
 * The base string of a request whose body already is the parameter string that was signed: canonical, and holding all the
 * header's `oauth_*` pairs. `undefined` for any other body, which takes the plain path and is refused there if need be.
 *
 * A fast path: it neither decodes nor sorts the fields. The header must have been checked before.
 */
export function canonicalBaseString(
  beginning: Uint8Array,
  body: string,
  header: OAuthHeader,
): ScratchBuffer | undefined {
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
