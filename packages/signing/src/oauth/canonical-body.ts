import { type OAuthHeader, PROTOCOL_PREFIX, protocolPairs } from './oauth-header.ts'

/**
 * Whether a body is, as it arrived, the parameter string that was signed: written as `normalizeParameters` does, and holding all
 * the `oauth_*` pairs of the header, which must have been checked before.
 *
 * Any other body is decoded and sorted, and refused there if need be. The reference in the tests is that plain way: it takes
 * twice as long.
 */
export function isCanonicalBody(body: string, header: OAuthHeader): boolean {
  return holdsProtocolPairs(body, protocolPairs(header)) && isParameterString(body)
}

/** Whether the body holds these pairs in one piece, as a sorted body does, and no other `oauth_*` pair. */
function holdsProtocolPairs(body: string, pairs: string): boolean {
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

/** Longer ones take the plain path, because V8 runs out of room for an expression that matches megabytes. */
const MOST_UNITS = 65_536

/** A byte of ASCII that `percentEncode` escapes. */
const ASCII = '%(?:[01][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[BCDE]|60|7[BCDF])'
/** A byte that continues a character. */
const TAIL = '%[89AB][0-9A-F]'
/** A character beyond ASCII. @see {@link https://www.rfc-editor.org/rfc/rfc3629#section-4 RFC 3629 section 4} */
const UTF_8 = [
  `%(?:C[2-9A-F]|D[0-9A-F])${TAIL}`,
  `%E0%[AB][0-9A-F]${TAIL}`,
  `%E[1-9A-CEF]${TAIL}${TAIL}`,
  `%ED%[89][0-9A-F]${TAIL}`,
  `%F0%[9AB][0-9A-F]${TAIL}${TAIL}`,
  `%F[1-3]${TAIL}${TAIL}${TAIL}`,
  `%F4%8[0-9A-F]${TAIL}${TAIL}`,
]
/** What `percentEncode` returns. */
const ENCODED = `[A-Za-z0-9\\-._~]*(?:(?:${[ASCII, ...UTF_8].join('|')})[A-Za-z0-9\\-._~]*)*`
const PARAMETER_STRING = new RegExp(`^(?:${ENCODED}=${ENCODED}(?:&(?!$)|$))+$`)

/** Whether a text is written as `normalizeParameters` writes parameters, the names ascending and unique. */
export function isParameterString(text: string): boolean {
  return text.length <= MOST_UNITS && PARAMETER_STRING.test(text) && isSorted(text)
}

function isSorted(text: string): boolean {
  let previous = 0
  for (let name = text.indexOf('&') + 1; name > 0; name = text.indexOf('&', name) + 1) {
    if (!isBefore(text, previous, name)) return false
    previous = name
  }
  return true
}

const EQUALS = 0x3d

/** Whether the name that begins at `a` sorts before the one at `b`. An equals sign ends both. */
function isBefore(text: string, a: number, b: number): boolean {
  for (let at = 0; ; at++) {
    const one = text.charCodeAt(a + at)
    const other = text.charCodeAt(b + at)
    if (other === EQUALS) return false
    if (one !== other) return one === EQUALS || one < other
  }
}
