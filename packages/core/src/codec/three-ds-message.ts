import type { Pair } from './form.ts'

/**
 * A message of an issuer (CRes, PaRes, session data, MD) as it was before it passed through forms, addresses and line breaks. All are
 * base64 or base64url, in which no space and no percent sign stands: a space was a `+` of a form that was not encoded, or a fold.
 */
export function issuerMessage(text: string): string {
  const sent = unescaped(text)
    .replace(/[\t\r\n]+ */g, '')
    .trim()
  return isBase64(sent) ? withoutSpaces(sent) : sent
}

function isBase64(text: string): boolean {
  return /^[\w+/= -]*$/.test(text)
}

/** Forms were encoded twice on some ways. */
function unescaped(text: string): string {
  let read = text
  for (let times = 0; times < 2 && /%[\da-f]{2}/i.test(read); times++) {
    try {
      read = decodeURIComponent(read)
    } catch {
      return read
    }
  }
  return read
}

/** Lines of a fold are of one length, 64 or 76; any other space was a `+`. */
function withoutSpaces(text: string): string {
  const lines = text.split(/ +/)
  const [{ length } = ''] = lines
  const isFold =
    length >= 60 &&
    length % 4 === 0 &&
    lines.every((line, at) => line.length === length || (at === lines.length - 1 && line.length < length))
  return isFold ? lines.join('') : text.replaceAll(' ', '+')
}

/** The same for comparing: without padding, in the letters of base64url and in lower case. */
export function comparableMessage(text: string): string {
  return issuerMessage(text)
    .replace(/(?<!=)=+$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .toLowerCase()
}

/**
 * The fields that a browser brought from an issuer, by their names in lower case (conflict C8). Of one that came twice, the first
 * that is not empty.
 */
export function issuerFields(pairs: readonly Pair[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of pairs) {
    const lower = name.toLowerCase()
    if (!fields.get(lower)) fields.set(lower, value)
  }
  return fields
}
