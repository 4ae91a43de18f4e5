/** One parameter of a header, as it stood between its quotes. */
export type RawParameter = { readonly name: string; readonly raw: string }

const SCHEME = /^[ \t]*OAuth +/i
/** `name="value"` with optional white space, up to and with the comma after it; the last one ends the text. */
const PARAMETER = /[ \t]*[!#$%&'*+\-.^_`|~0-9A-Za-z]+[ \t]*=[ \t]*"(?:[\t !#-[\]-~]|\\[\t -~])*"[ \t]*(?:,|$)/gy

/** The text after the scheme `OAuth`, in whichever case it is written, or `undefined` for any other scheme. */
export function withoutScheme(text: string): string | undefined {
  const scheme = SCHEME.exec(text)
  return scheme === null ? undefined : text.slice(scheme[0].length)
}

/**
 * Splits the parameters of an `Authorization` header, or `undefined` when anything in it departs from the grammar:
 * a list of `name="value"` with a comma between, white space allowed around commas and equals signs and nowhere else.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-11.4 RFC 9110 section 11.4}
 */
export function splitParameters(text: string): RawParameter[] | undefined {
  const matches = Array.from(text.matchAll(PARAMETER), ([match]) => match)
  const isWhole = matches.join('').length === text.length
  if (!isWhole || matches.at(-1)?.endsWith(',') !== false) return undefined
  return matches.map((match) => ({
    name: match.slice(0, match.indexOf('=')).trim(),
    raw: match.slice(match.indexOf('"') + 1, match.lastIndexOf('"')),
  }))
}
