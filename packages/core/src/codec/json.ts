import type { Pair } from './form.ts'

export interface JsonLimits {
  /** Objects and arrays within each other. */
  readonly maxDepth: number
  /** Members and elements in all. */
  readonly maxMembers: number
}

/** The signs that count outside of texts. */
const MARK = /["[\]{},]/g

/** A member of a JSON object as it stands in the document. */
type RawMember = readonly [name: string, value: string]

/**
 * The members at the top of a JSON object, cut by its brackets, commas and quotes alone; `undefined` beyond the limits, or if
 * it does not end where the text does. Cut before parsing, because parsing a deep or wide document with a reviver takes more
 * than linear time and keeps only the last of several members with one name, and because one value that is no JSON would cost
 * all others.
 */
export function membersOf(text: string, { maxDepth, maxMembers }: JsonLimits): readonly RawMember[] | undefined {
  const mark = new RegExp(MARK)
  const members: RawMember[] = []
  let [depth, count, start] = [0, 1, 0]
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [character] = found
    const at = found.index
    if (character === '"') mark.lastIndex = endOfText(text, at)
    else if (character === ',') count++
    else depth += character === '{' || character === '[' ? 1 : -1
    if (depth > maxDepth || count > maxMembers) return undefined
    const isEnd = depth === 0
    if ((character === ',' && depth === 1) || isEnd) {
      const part = text.slice(start, at)
      const member = memberIn(part)
      if (member !== undefined) members.push(member)
      else if (!isEnd || members.length > 0 || part.trim() !== '') return undefined
    }
    if (isEnd) return character === '}' && isBlankEnd(text.slice(at + 1)) ? members : undefined
    if (depth === 1 && (character === ',' || character === '{')) start = at + 1
  }
  return undefined
}

function memberIn(text: string): RawMember | undefined {
  const member = text.trim()
  const end = endOfText(member, 0)
  const value = member.slice(end).trimStart()
  if (!member.startsWith('"') || !value.startsWith(':')) return undefined
  return [member.slice(0, end), value.slice(1).trim()]
}

/** Some servers end a text with the null character of C. */
function isBlankEnd(text: string): boolean {
  return text.replaceAll('\0', '').trim() === ''
}

const DIGITS = /^[\da-f]{4}$/i

/** The characters of a JSON text whose escapes are wrong, or that has control characters: as they were meant. */
export function repairText(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(?:u(.{0,4})|(.))/gsu, (whole, code: string | undefined, sign = '') => {
    if (code === undefined) return ESCAPED[sign] ?? whole
    return DIGITS.test(code) ? String.fromCharCode(Number.parseInt(code, 16)) : whole
  })
}

const ESCAPED: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  "'": "'",
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Whether all of it is one text in quotes. */
export function isQuoted(value: string): boolean {
  return value.startsWith('"') && value.length > 1 && value.endsWith('"') && endOfText(value, 0) === value.length
}

/** Behind the quote that ends the text which begins here. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text[at - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return at + 1
  }
  return text.length
}

const QUOTE = 0x22
const COLON = 0x3a
const COMMA = 0x2c
const CLOSING = 0x7d
const BACKSLASH = 0x5c
const TAB = 0x9
const LINE_FEED = 0xa
const CARRIAGE_RETURN = 0xd
/** Lower codes are control characters. */
const SPACE = 0x20

/**
 * A fast path: the members of a flat JSON object of texts without escapes, as gateways write replies, in half of the time of
 * `JSON.parse` and the checks before it. It refuses nothing: for any other text, or a repeated name, it returns `undefined`,
 * and the plain reading, which is the reference in the tests, takes over. Drops white space at the ends of names and values.
 */
export function scanJson(text: string, maxMembers: number): readonly Pair[] | undefined {
  if (!text.startsWith('{')) return undefined
  const members: Pair[] = []
  for (let at = 1; members.length < maxMembers; at++) {
    const nameAt = behind(QUOTE, text, at)
    const nameEnd = endOfPlainText(text, nameAt)
    const valueAt = behind(QUOTE, text, behind(COLON, text, nameEnd + 1))
    const valueEnd = endOfPlainText(text, valueAt)
    if (valueEnd === -1) return undefined
    const name = text.slice(nameAt, nameEnd).trim()
    if (members.some(([other]) => other === name)) return undefined
    members.push([name, text.slice(valueAt, valueEnd).trim()])
    at = pastSpace(text, valueEnd + 1)
    const next = text.charCodeAt(at)
    if (next === CLOSING) return pastSpace(text, at + 1) === text.length ? members : undefined
    if (next !== COMMA) return undefined
  }
  return undefined
}

/** Where the text behind a sign begins, which may follow white space; -1 if something else is there. */
function behind(sign: number, text: string, at: number): number {
  const place = pastSpace(text, at)
  return text.charCodeAt(place) === sign ? place + 1 : -1
}

/** Where the quotation mark is that ends the plain text from `at` on; -1 if there is none. */
function endOfPlainText(text: string, at: number): number {
  if (at === -1) return -1
  for (let place = at; place < text.length; place++) {
    const code = text.charCodeAt(place)
    if (code === QUOTE) return place
    if (code < SPACE || code === BACKSLASH) return -1
  }
  return -1
}

/** Skips only what JSON counts as white space. */
function pastSpace(text: string, at: number): number {
  let place = at
  while (isSpace(text.charCodeAt(place))) place++
  return place
}

function isSpace(code: number): boolean {
  return code === SPACE || code === TAB || code === LINE_FEED || code === CARRIAGE_RETURN
}
