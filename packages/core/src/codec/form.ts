import { MalformedFormError } from '../errors/payment-error.ts'
import { encodeForm, type WriteAll } from './encode-form.ts'
import { percentDecode, percentEncode } from './percent.ts'

/** A name and its value. Pairs, not records: what was signed is what arrived, in its order and with repetitions. */
export type Pair = readonly [name: string, value: string]

export interface FormLimits {
  /** The most pairs. The gateway accepts 200. */
  readonly maxPairs: number
  /** The most bytes of the encoded text. The gateway accepts 64 KiB. */
  readonly maxBytes: number
}

export const REQUEST_LIMITS: FormLimits = { maxPairs: 200, maxBytes: 65_536 }

/**
 * Reads `application/x-www-form-urlencoded` strictly: percent escapes must be whole and UTF-8, raw text must be
 * ASCII, names must not be empty. `+` is a space. Pairs keep their order and repetitions.
 *
 * @throws MalformedFormError which says what is wrong, and in which field; it never holds a value
 */
export function parseForm(text: string, limits: FormLimits = REQUEST_LIMITS): readonly Pair[] {
  if (text.length > limits.maxBytes) {
    throw new MalformedFormError('too-large', `The form is larger than ${limits.maxBytes} bytes; send less.`)
  }
  return scanForm(text, limits.maxPairs) ?? plainPairs(text, limits.maxPairs)
}

/**
 * Reads a form of the other side of which only some values decide anything. Those are read as strictly as by `parseForm`.
 * Every other one is kept as it can be: `%` without two digits behind it stays, and what is not UTF-8 becomes U+FFFD, the
 * replacement character. A value without a name is left out.
 *
 * @throws MalformedFormError
 */
export function parseOpenForm(text: string, limits: FormLimits, decides: (name: string) => boolean): readonly Pair[] {
  const { maxPairs, maxBytes } = limits
  if (text.length <= maxBytes) {
    const usual = scanForm(text, maxPairs)
    if (usual !== undefined) return usual
  }
  if (text.length > maxBytes) return parseForm(text, limits)
  const parts = text.split('&').filter((part) => part !== '' && !part.startsWith('='))
  if (parts.length > maxPairs) throw tooManyPairs(maxPairs)
  return parts.map((part): Pair => {
    const equals = part.indexOf('=')
    const name = decodeOpenly(equals < 0 ? part : part.slice(0, equals))
    if (decides(name.trim())) return plainPairs(part, 1)[0] ?? [name, '']
    return [name, equals < 0 ? '' : decodeOpenly(part.slice(equals + 1))]
  })
}

const ESCAPES = /(?:%[\da-f]{2})+/gi
/** The characters of UTF-8 by their length, or one byte alone. */
const CHARACTER = /%[0-7].|%[cd].%[89ab].|%e.%[89ab].%[89ab].|%f[0-7]%[89ab].%[89ab].%[89ab].|%../gi

function decodeOpenly(text: string): string {
  return text.split('+').join(' ').toWellFormed().replace(ESCAPES, decodeEscapes)
}

function decodeEscapes(escapes: string): string {
  try {
    return decodeURIComponent(escapes)
  } catch {
    return escapes.replace(CHARACTER, decodeCharacter)
  }
}

function decodeCharacter(escapes: string): string {
  try {
    return decodeURIComponent(escapes)
  } catch {
    return '\ufffd'
  }
}

/** The pairs of any form, or what is wrong with it. */
export function plainPairs(text: string, maxPairs: number): readonly Pair[] {
  const parts = text.split('&').filter((part) => part !== '')
  // Control characters are ASCII too: line feeds end the values of classic replies.
  const raw = parts.find((part) => /\P{ASCII}/u.test(part))
  if (raw !== undefined) {
    const message = `The form holds raw characters beyond ASCII${inField(raw)}; percent-encode them as UTF-8.`
    throw new MalformedFormError('not-ascii', message)
  }
  if (parts.length > maxPairs) throw tooManyPairs(maxPairs)
  return parts.map(parsePair)
}

function tooManyPairs(maxPairs: number): MalformedFormError {
  return new MalformedFormError('too-many-pairs', `The form has more than ${maxPairs} pairs; send fewer.`)
}

function parsePair(part: string): Pair {
  const equals = part.indexOf('=')
  const name = equals < 0 ? part : part.slice(0, equals)
  const value = equals < 0 ? '' : part.slice(equals + 1)
  if (name === '') throw new MalformedFormError('empty-name', 'The form has a value without a name; name it.')
  try {
    return [decode(name), decode(value)]
  } catch {
    const message = `The form has a percent escape${inField(part)} that is cut or not UTF-8; encode it again.`
    throw new MalformedFormError('invalid-percent', message)
  }
}

/** @throws URIError */
function decode(text: string): string {
  // Replacing takes more than linear time for very many `+`.
  return decodeURIComponent(text.split('+').join(' '))
}

function inField(part: string): string {
  const equals = part.indexOf('=')
  return equals > 0 && mayBeShown(part.slice(0, equals)) ? ` in ${part.slice(0, equals)}` : ''
}

/** Whether a message may hold the name: anything may stand in its place, such as a card number. */
function mayBeShown(name: string): boolean {
  return /^[a-z](?!.*\d{4})[\w-]{0,39}$/i.test(name)
}

/** Writes pairs as a form with the percent-encoding of RFC 3986: a space is `%20`, `!*'()` are escaped too. */
export function serializeForm(pairs: readonly Pair[]): string {
  return writeForm((write) => {
    for (const [name, value] of pairs) if (!write(name, value)) return false
    return true
  })
}

/** As {@link serializeForm}, but makes no pairs unless the form is long. */
export function writeForm(writeAll: WriteAll): string {
  return encodeForm(writeAll) ?? plainForm(pairsOf(writeAll))
}

/** What is written, as pairs. */
export function pairsOf(writeAll: WriteAll): readonly Pair[] {
  const pairs: Pair[] = []
  writeAll((name, value) => {
    pairs.push([name, value])
    return true
  })
  return pairs
}

/** Any pairs, encoded one by one. */
export function plainForm(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&')
}

/**
 * The pairs as a record in which each name stands once.
 *
 * @throws MalformedFormError `repeated-name` when a name comes twice
 */
export function singleValues(pairs: readonly Pair[]): ReadonlyMap<string, string> {
  const values = new Map(pairs)
  if (values.size < pairs.length) {
    const names = pairs.map(([name]) => name)
    const twice = names.find((name, at) => names.indexOf(name) < at && mayBeShown(name))
    const field = twice === undefined ? 'a field' : `the field ${twice}`
    throw new MalformedFormError('repeated-name', `The form names ${field} twice; send each field once.`)
  }
  return values
}

/**
 * A fast path: the pairs of a form in one walk from `&` to `&`, in half of the time that `plainPairs` takes. For forms as
 * programs write them. It refuses nothing: for anything empty, too large or wrong it returns `undefined`, and `plainPairs`
 * reads the form or says what is wrong.
 */
export function scanForm(text: string, maxPairs: number): readonly Pair[] | undefined {
  if (/\P{ASCII}/u.test(text)) return undefined
  const pairs: Pair[] = []
  for (let start = 0; start < text.length; ) {
    const ampersand = text.indexOf('&', start)
    const end = ampersand < 0 ? text.length : ampersand
    const equals = text.indexOf('=', start)
    // Checked before the next search, so that no part of the text is searched twice.
    if (equals <= start || equals > end || pairs.length === maxPairs) return undefined
    try {
      pairs.push([decodePlain(text.slice(start, equals)), decodePlain(text.slice(equals + 1, end))])
    } catch {
      return undefined
    }
    start = end + 1
  }
  return pairs
}

function decodePlain(text: string): string {
  return percentDecode(text.includes('+') ? text.split('+').join(' ') : text)
}
