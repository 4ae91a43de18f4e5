/** Looks for secrets in whatever a program has put out, in every form that a program gives to bytes. */

/** What must be nowhere. */
export interface Secret {
  readonly name: string
  readonly bytes: Uint8Array
  /**
   * Digits that few others are like, but some: a CVV. Its raw form counts only outside of what is known to be something
   * else ({@link Channel.innocent}).
   */
  readonly isShort?: boolean
}

/** One place where something was put out. */
export interface Channel {
  readonly name: string
  readonly bytes: Uint8Array
  /** Ids and numbers that are there by design, in which digits are like a CVV by chance. */
  readonly innocent?: readonly (string | RegExp)[]
}

/** `secret in channel, as form`. */
export type Finding = string

export function scan(channels: readonly Channel[], secrets: readonly Secret[]): readonly Finding[] {
  const wanted = secrets.flatMap((secret) => formsOf(secret))
  return channels.flatMap((channel) =>
    wanted.filter((form) => isIn(channel, form)).map(({ secret, form }) => `${secret} in ${channel.name}, as ${form}`),
  )
}

function isIn({ bytes, innocent = [] }: Channel, { pattern, isAmbiguous }: Form): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!isAmbiguous) return all.includes(pattern)
  for (let at = all.indexOf(pattern); at >= 0; at = all.indexOf(pattern, at + 1)) {
    if (!isInnocent(all, at, pattern, innocent)) return true
  }
  return false
}

/** More than any innocent text is long. */
const AROUND = 128

function isInnocent(all: Buffer, at: number, pattern: Buffer, innocent: readonly (string | RegExp)[]): boolean {
  const begin = Math.max(0, at - AROUND)
  const around = all.toString('latin1', begin, at + pattern.length + AROUND)
  const cleared = innocent.reduce<string>((rest, known) => rest.replaceAll(known, blank), around)
  return !cleared.startsWith(pattern.toString('latin1'), at - begin)
}

/** Blanked and not cut out: the rest stays where it is. */
function blank(text: string): string {
  return ' '.repeat(text.length)
}

export interface Form {
  readonly secret: string
  readonly form: string
  readonly pattern: Buffer
  readonly isAmbiguous: boolean
}

/** A secret in all its forms. */
export function formsOf({ name, bytes, isShort = false }: Secret): readonly Form[] {
  return Object.entries(spellings(Buffer.from(bytes)))
    .map(([form, pattern]) => ({
      secret: name,
      form,
      pattern: typeof pattern === 'string' ? Buffer.from(pattern, 'latin1') : pattern,
      isAmbiguous: isShort && form === 'raw',
    }))
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

/** What stays the same of it whatever stands before and after, at each of the three places that it may begin at. */
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
 * Names, digests, instants and addresses that are in what a gateway has told by design, in which four digits come
 * together by chance. Ids of 15 digits are known one by one: what stands beside one of them is not a part of it.
 */
export function innocentIn(texts: readonly string[]): readonly (string | RegExp)[] {
  const ids = new Set(texts.flatMap((text) => text.match(/(?<!\d)[1-9]\d{14}(?!\d)/g) ?? []))
  return [
    ...ids,
    // The simulator's approval code.
    ...[...ids].map((orderId) => orderId.slice(-6)),
    /(?<!\d)1\d{12}(?!\d)/g,
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    // SHA-1 and SHA-256. In a database file other values stand right beside them; stored values are scanned one by one, too.
    /[0-9a-f]{40,}/g,
    // Ids of cards and nonces.
    /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/g,
    /[ft][0-9a-f]{24}z/g,
    /127\.0\.0\.1:\d+/g,
  ]
}
