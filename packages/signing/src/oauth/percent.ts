import { SigningError } from '../errors.ts'

const RESERVED = /[^A-Za-z0-9\-._~]/
/** Reserved by RFC 3986, left alone by `encodeURIComponent`. */
const LEFT_OVER = /[!'()*]/
const EACH_LEFT_OVER = /[!'()*]/g

/**
 * Percent-encodes the UTF-8 bytes of a text: everything but `A-Z a-z 0-9 - . _ ~` becomes `%XX` with upper-case digits,
 * so a space is `%20` and `! ' ( ) *` are encoded too.
 *
 * @throws {SigningError} `BAD_TEXT` for a lone surrogate, which has no UTF-8 form (find where the text was cut in the
 *   middle of a character); `BAD_ARGUMENT` for anything that is not a text.
 * @see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.6 RFC 5849 section 3.6}; specification part 5.2
 */
export function percentEncode(text: string): string {
  if (typeof text !== 'string') {
    throw new SigningError('BAD_ARGUMENT', 'names and values of parameters must be texts')
  }
  if (!RESERVED.test(text)) return text
  const encoded = encodeWellFormed(text)
  // Most texts have none, and asking is cheaper than replacing.
  return LEFT_OVER.test(encoded) ? encoded.replace(EACH_LEFT_OVER, percentEncodeAscii) : encoded
}

function encodeWellFormed(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    throw new SigningError('BAD_TEXT', 'the text holds a lone surrogate, which has no UTF-8 form')
  }
}

function percentEncodeAscii(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/**
 * Undoes percent-encoding, once and strictly: `undefined` for a `%` that two hexadecimal digits do not follow and for
 * bytes that are not UTF-8 (overlong forms and surrogates included). A `+` stays a `+`.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.6 RFC 5849 section 3.6}
 */
export function percentDecode(text: string): string | undefined {
  // Most names and values hold no escape, and asking is cheaper than decoding.
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
