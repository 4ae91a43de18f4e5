/** Looks for secrets in whatever a program has put out, in every form that a program gives to bytes. */

/** What none of the output may contain. */
export interface Secret {
  readonly name: string
  readonly bytes: Uint8Array
  /**
   * So short that other digits may match by chance: a CVV. Its shortest forms count only outside of what is known to be
   * something else ({@link Channel.innocent}), and only where they were written ({@link Channel.written}).
   */
  readonly isShort?: boolean
}

/** One place where something was put out. */
export interface Channel {
  readonly name: string
  readonly bytes: Uint8Array
  /** Ids and numbers that are there by design, whose digits may match a CVV by chance. */
  readonly innocent?: readonly (string | RegExp)[]
  /** Not 0 for each byte that was written here, and is not left over from an earlier channel. Default: all bytes. */
  readonly written?: Uint8Array
}

/** `secret in channel, as form`. */
export type Finding = string

export function scan(channels: readonly Channel[], secrets: readonly Secret[]): readonly Finding[] {
  const wanted = secrets.flatMap((secret) => formsOf(secret))
  return channels.flatMap((channel) =>
    wanted.filter((form) => isIn(channel, form)).map(({ secret, form }) => `${secret} in ${channel.name}, as ${form}`),
  )
}

function isIn({ bytes, innocent = [], written }: Channel, { pattern, isAmbiguous }: Form): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!isAmbiguous) return all.includes(pattern)
  for (let at = all.indexOf(pattern); at >= 0; at = all.indexOf(pattern, at + 1)) {
    const isWritten = written?.subarray(at, at + pattern.length).some((byte) => byte !== 0) ?? true
    if (isWritten && !isInnocent(all, at, pattern, innocent)) return true
  }
  return false
}

/** Longer than any match of an innocent expression. */
const AROUND = 256

/** Each is searched for in the whole text, not in what the others leave of it: digits of an id may also be those of a digest. */
function isInnocent(all: Buffer, at: number, pattern: Buffer, innocent: readonly (string | RegExp)[]): boolean {
  const reach = Math.max(AROUND, ...innocent.map((known) => (typeof known === 'string' ? known.length : 0)))
  const begin = Math.max(0, at - reach)
  const [from, to] = [at - begin, at - begin + pattern.length]
  const around = all.toString('latin1', begin, at + pattern.length + reach)
  return innocent.some((known) => placesOf(known, around).some(([first, end]) => first < to && from < end))
}

function placesOf(known: string | RegExp, text: string): readonly (readonly [first: number, end: number])[] {
  if (typeof known !== 'string')
    return [...text.matchAll(known)].map(({ index, 0: found }) => [index, index + found.length])
  const places: (readonly [number, number])[] = []
  for (let at = text.indexOf(known); at >= 0; at = text.indexOf(known, at + 1)) places.push([at, at + known.length])
  return places
}

export interface Form {
  readonly secret: string
  readonly form: string
  readonly pattern: Buffer
  readonly isAmbiguous: boolean
}

/**
 * So short that random text contains it by chance: four digits, their four or five characters in base64, and their eight
 * hexadecimal digits, which are an eighth of a digest.
 */
const AMBIGUOUS = /^(?:.{1,5}|[0-9a-f]{8})$/is

/** A secret in all its forms. */
export function formsOf({ name, bytes, isShort = false }: Secret): readonly Form[] {
  return Object.entries(spellings(Buffer.from(bytes)))
    .map(([form, spelling]) => {
      const pattern = typeof spelling === 'string' ? Buffer.from(spelling, 'latin1') : spelling
      return { secret: name, form, pattern, isAmbiguous: isShort && AMBIGUOUS.test(pattern.toString('latin1')) }
    })
    .filter(({ pattern }, at, all) => all.findIndex((other) => other.pattern.equals(pattern)) === at)
}

function spellings(bytes: Buffer): Readonly<Record<string, Buffer | string>> {
  const hex = bytes.toString('hex')
  return {
    raw: bytes,
    percent: hex.replace(/../g, '%$&'),
    PERCENT: hex.toUpperCase().replace(/../g, '%$&'),
    hex,
    HEX: hex.toUpperCase(),
    'hex with spaces': hex.replace(/..(?=.)/g, '$& '),
    'decimal list': bytes.join(),
    'decimal list with spaces': bytes.join(', '),
    utf16le: Buffer.from(bytes.toString('latin1'), 'utf16le'),
    utf16be: Buffer.from(bytes.toString('latin1'), 'utf16le').swap16(),
    ...base64Spellings(bytes, 'base64'),
    ...base64Spellings(bytes, 'base64url'),
    ...textSpellings(bytes.toString('latin1')),
  }
}

/** The part of the encoding that is the same whatever stands before and after, for each of the three offsets of the beginning. */
function base64Spellings(bytes: Buffer, encoding: 'base64' | 'base64url'): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [0, 1, 2].map((offset) => {
      const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString(encoding)
      const whole = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
      return [`${encoding} at ${offset}`, whole]
    }),
  )
}

function textSpellings(text: string): Readonly<Record<string, string>> {
  if (!/^[\x20-\x7e]+$/.test(text)) return {}
  const groups = text.match(/.{1,4}/g) ?? []
  return {
    'uri component': encodeURIComponent(text),
    JSON: JSON.stringify(text).slice(1, -1),
    'in groups': groups.join(' '),
    'in groups with dashes': groups.join('-'),
  }
}

/**
 * Names, digests, instants and addresses that are in the output of a gateway by design, and may contain any four digits by
 * chance. Ids of 15 digits are listed one by one: what stands beside one of them is not a part of it.
 */
export function innocentIn(texts: readonly string[]): readonly (string | RegExp)[] {
  const ids = new Set(texts.flatMap((text) => text.match(/(?<!\d)[1-9]\d{14}(?!\d)/g) ?? []))
  return [
    ...ids,
    ...approvalCodes([...ids]),
    ...MADE_IN_TEXT,
    /(?<="milliseconds":)\d+(?=[,}])/g,
    /(?<='content-length': ')\d+(?=')/g,
  ]
}

/**
 * The simulator's codes: the last six digits of its transactions. They match only where they stand alone, because they may
 * also be within the hexadecimal digits of a CVV by chance.
 */
export function approvalCodes(transactions: readonly string[]): readonly RegExp[] {
  if (transactions.length === 0) return []
  return [new RegExp(`(?<!\\d)(?:${transactions.map((id) => id.slice(-6)).join('|')})(?!\\d)`, 'g')]
}

/** Which port is free is chance. Some addresses stand in the query of another one. */
export const LOCAL_PORT = /127\.0\.0\.1(?::|%3A)\d+/g

export const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Recognized by their form alone, for texts where each stands apart. In the pages of a file, others may be right beside it. */
export const MADE_IN_TEXT: readonly RegExp[] = [
  LOCAL_PORT,
  // Instants, in milliseconds and in seconds.
  /(?<!\d)1\d{12}(?!\d)/g,
  /(?<!\d)1\d{9}(?!\d)/g,
  UUID,
  // SHA-1, SHA-256 and sealed bytes.
  /[0-9a-f]{40,}/g,
  // Ids of cards, of processes and nonces.
  /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/g,
  // Ids of orders: those of these tests, and those that a client makes.
  /[ft][0-9a-f]{24}z/g,
  /(?<![0-9a-z])t[0-9a-v]{25}(?![0-9a-z])/g,
  // The ids in a base string, where those with many digits are masked as card numbers are.
  /(?<=expected: (?:shop|253))(?:[ft][0-9a-f*]{24}z)?(?:\d{6}\*{5,}\d{4})?/g,
  /(?<=-id%3D)\d{6}\*{5,}\d{4}/g,
  /(?<=client_orderid%3D)[ft][0-9a-f*]{24}z/g,
  // Positions in a stack.
  /(?<=\.[cm]?[jt]s:)\d+:\d+/g,
]
