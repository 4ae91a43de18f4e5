import { percentEncode } from '../oauth/percent.ts'

/** The text in lower and in upper case: what programs make of a GUID or of an e-mail address. */
export function inOtherCases(text: string): string[] {
  return [text.toLowerCase(), text.toUpperCase()]
}

/** For a key that was changed so. */
export const KEEP_CASE_OF_KEY =
  'the key was changed to lower or upper case: use each letter of it as it was given to you'

/** Longer lists than those of any formula are not tried: seven have 5,040 orders. */
const MAX_LENGTH = 7

/** All orders of a short list; none of a longer one. */
export function* permutations<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  if (items.length > MAX_LENGTH) return
  if (items.length === 0) yield []
  for (const [at, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(at, 1))) yield [item, ...rest]
  }
}

/** What is written of a GUID in its other format, or by a form that takes digits alone. */
export function withoutHyphens(text: string): string[] {
  return text.includes('-') ? [text.replaceAll('-', '')] : []
}

/** For a key that was changed so. */
export const KEEP_HYPHENS_OF_KEY = 'the hyphens of the key are a part of it: use it as it was given to you'

/** As a file of settings, a shell or JSON has a text. */
export function inQuotes(text: string): string[] {
  return [`"${text}"`, `'${text}'`]
}

/** For a key that has them. */
export const UNQUOTE_KEY = 'the key has quotes around it, which belong to the file that it is from: take them off'

/** White space that files, editors and forms leave at an end of a value. */
const STRAY = [' ', '\n', '\r\n', '\t']

/** The text with white space gained or lost at its ends, without the text itself. */
export function withExtraSpace(text: string): string[] {
  const gained = STRAY.flatMap((space) => [text + space, space + text, space + text + space])
  return [text.trim(), text.trimStart(), text.trimEnd(), ...gained].filter((variant) => variant !== text)
}

/** For a key that has it. */
export const TRIM_KEY = 'the key has white space at an end, at one of the two sides: trim it where it is configured'

/** For a value that was signed as another text than it was sent as. */
export function trimFirst(name: string): string {
  return `${name} was signed with other white space at its ends than it was sent with: trim it, then sign and send the same`
}

/** Ways to encode that are taken for RFC 3986's. */

type Encoding = (text: string) => string

/** JavaScript's own: `! ' ( ) *` stay as they are. */
export const encodeComponent: Encoding = (text) => encodeURIComponent(text)

/** Right except for `+` instead of `%20`. */
export const encodeWithPlus: Encoding = (text) => percentEncode(text).replaceAll('%20', '+')

/** As PHP's `urlencode` does it. */
export const encodeAsPhp: Encoding = (text) => encodeTilde(text).replaceAll('%20', '+')

/** As `URLSearchParams` and Java's `URLEncoder` do it. */
export const encodeAsForm: Encoding = (text) => new URLSearchParams([['', text]]).toString().slice(1)

/** As older libraries do it, which follow RFC 1738. */
export const encodeTilde: Encoding = (text) => percentEncode(text).replaceAll('~', '%7E')

/** As .NET's `HttpUtility.UrlEncode` writes its digits. */
export const encodeInLowerCase: Encoding = (text) =>
  percentEncode(text).replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase())

export const encodeDoubly: Encoding = (text) => percentEncode(percentEncode(text))

export const encodeNothing: Encoding = (text) => text

/** What the usual functions make of a value that should stay as it is. None of them fails. */
export const VALUE_ENCODINGS = [percentEncode, encodeComponent, encodeAsForm, encodeInLowerCase].map(
  (encode): Encoding =>
    (text) =>
      encode(text.toWellFormed()),
)
