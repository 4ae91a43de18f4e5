import type { Parameter } from './parameter.ts'
import { percentEncode } from './percent-encode.ts'

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
