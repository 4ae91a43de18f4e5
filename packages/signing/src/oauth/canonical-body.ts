/** Escapes of ASCII that has to be escaped, and of characters outside it (RFC 3629 section 4), in upper case. */
const TAIL = '%[89AB][0-9A-F]'
const ESCAPES = [
  '[01][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[BCDF]',
  `(?:C[2-9A-F]|D[0-9A-F])${TAIL}`,
  `(?:E0%[AB][0-9A-F]|ED%[89][0-9A-F]|E[1-9A-CEF]${TAIL})${TAIL}`,
  `(?:F0%[9AB][0-9A-F]|F4%8[0-9A-F]|F[123]${TAIL})${TAIL}${TAIL}`,
]
const EQUALS = 0x3d
const STAYS = '[A-Za-z0-9._~-]*'
const ENCODED = `${STAYS}(?:%(?:${ESCAPES.join('|')})${STAYS})*`
const PAIRS = new RegExp(`^${ENCODED}=${ENCODED}(?:&${ENCODED}=${ENCODED})*$`)

/** Longer ones take the plain path: an expression remembers every place to which it can go back. */
const MAX_LENGTH = 16_384

/**
 * Whether a body is, character for character, the parameter string of what it holds: encoded as `percentEncode` does,
 * sorted, no name in it twice. A body like that was signed as it arrived, and is verified without decoding it.
 *
 * A fast path. Decoding, and `normalizeParameters` of what comes out, is the plain version, and its reference in the
 * tests. `false` is no verdict on a body: it sends it that way.
 */
export function isCanonical(body: string): boolean {
  return body.length <= MAX_LENGTH && PAIRS.test(body) && isSorted(body)
}

function isSorted(body: string): boolean {
  let last = 0
  for (let end = body.indexOf('&'); end !== -1; end = body.indexOf('&', last)) {
    if (!isBefore(body, last, end + 1)) return false
    last = end + 1
  }
  return true
}

/** Whether the name at `a` sorts before the one at `b`. Both end with an equals sign. */
function isBefore(body: string, a: number, b: number): boolean {
  let at = 0
  let next = body.charCodeAt(a)
  let other = body.charCodeAt(b)
  while (next === other && next !== EQUALS) {
    at++
    next = body.charCodeAt(a + at)
    other = body.charCodeAt(b + at)
  }
  return other !== EQUALS && (next === EQUALS || next < other)
}
