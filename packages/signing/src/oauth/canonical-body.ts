/** Escapes of ASCII that has to be escaped, and of characters outside it (RFC 3629 section 4), in upper case. */
const TAIL = '%[89AB][0-9A-F]'
const ESCAPES = [
  '[01][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[BCDF]',
  `(?:C[2-9A-F]|D[0-9A-F])${TAIL}`,
  `(?:E0%[AB][0-9A-F]|ED%[89][0-9A-F]|E[1-9A-CEF]${TAIL})${TAIL}`,
  `(?:F0%[9AB][0-9A-F]|F4%8[0-9A-F]|F[123]${TAIL})${TAIL}${TAIL}`,
]
const STAYS = '[A-Za-z0-9._~-]*'
const ENCODED = `${STAYS}(?:%(?:${ESCAPES.join('|')})${STAYS})*`
const PAIRS = new RegExp(`^${ENCODED}=${ENCODED}(?:&${ENCODED}=${ENCODED})*$`)

/** Longer ones take the plain path: an expression remembers every place to which it can go back. */
const MAX_LENGTH = 16_384

/**
 * Whether a body is written as a parameter string is: names and values encoded as `percentEncode` does, with nothing else
 * between them. Whether they are in order, this does not ask.
 *
 * A fast path. Decoding, and `normalizeParameters` of what comes out, is the plain version, and its reference in the
 * tests. `false` is no verdict on a body: it sends it that way.
 */
export function isEncodedCanonically(body: string): boolean {
  return body.length <= MAX_LENGTH && PAIRS.test(body)
}
