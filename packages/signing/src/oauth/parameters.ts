import { SigningError } from '../errors.ts'
import { percentDecode, percentEncode } from './percent.ts'

/**
 * One decoded name and value. Lists of pairs, never records, carry parameters: names repeat, and every repetition is
 * signed.
 */
export type Parameter = readonly [name: string, value: string]

/** Form encoding is ASCII without white space; everything else travels as `%XX` or `+`. */
const NOT_VISIBLE_ASCII = /[^!-~]/

/**
 * Decodes `application/x-www-form-urlencoded` text, a query or a body, into pairs in the order of the text. Strict: what
 * cannot be decoded is refused, not replaced. `+` is a space, a name without `=` has the value `''`, empty pieces between two
 * `&` are skipped.
 *
 * @throws {SigningError} `BAD_TEXT` for a bad percent escape, bytes that are not UTF-8, white space, control characters
 *   and characters outside ASCII: answer a request like that with a refusal.
 * @see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.4.1.3.1 RFC 5849 section 3.4.1.3.1}
 */
export function decodeParameters(text: string): Parameter[] {
  const parameters = readParameters(text)
  if (parameters === undefined) throw new SigningError('BAD_TEXT', 'the text is not well-formed form encoding')
  return parameters
}

/** As {@link decodeParameters}, with `undefined` in place of the error. */
export function readParameters(text: string): Parameter[] | undefined {
  if (typeof text !== 'string' || NOT_VISIBLE_ASCII.test(text)) return undefined
  const parameters: Parameter[] = []
  // Split and join: `replaceAll` takes more than linear time on a megabyte of plus signs (V8 14).
  for (const piece of text.split('+').join(' ').split('&')) {
    if (piece === '') continue
    const equals = piece.indexOf('=')
    const name = percentDecode(equals === -1 ? piece : piece.slice(0, equals))
    const value = equals === -1 ? '' : percentDecode(piece.slice(equals + 1))
    if (name === undefined || value === undefined) return undefined
    parameters.push([name, value])
  }
  return parameters
}

/**
 * The parameter string of the signature base string: names and values percent-encoded, sorted by encoded name and then
 * by encoded value, in the order of their bytes, and joined as `name=value` with `&`. Repetitions are kept.
 *
 * Nothing is left out here; {@link signatureBaseString} drops `oauth_signature`.
 *
 * @throws {SigningError} `BAD_TEXT` or `BAD_ARGUMENT`, as {@link percentEncode}.
 * @see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.4.1.3.2 RFC 5849 section 3.4.1.3.2}; specification
 *   part 5.2, base string steps 2 to 4
 */
export function normalizeParameters(parameters: readonly Parameter[]): string {
  return parameters
    .map(([name, value]): Parameter => [percentEncode(name), percentEncode(value)])
    .sort(byNameThenValue)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

function byNameThenValue([nameA, valueA]: Parameter, [nameB, valueB]: Parameter): number {
  return compareTexts(nameA, nameB) || compareTexts(valueA, valueB)
}

/** Encoded text is ASCII, so the order of code units that `<` follows is the order of bytes. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
