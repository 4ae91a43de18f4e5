import { Cvv, type Masked } from './masked.ts'
import { Pan } from './pan.ts'

/** Browsers read a numeric one without its semicolon too. */
const ENTITY = '&(?:amp;){0,4}(?:#0*(\\d{1,7})(?!\\d);?|#x0*([\\da-f]{1,6})(?![\\da-f]);?|[a-z]\\w{1,30};)'
const ESCAPE =
  '%(?:25){0,4}([\\da-f]{2})|\\\\{1,4}(?:u\\{0*([\\da-f]{1,6})\\}|u([\\da-f]{4})|x([\\da-f]{2})|0([67][0-7]))'

/** An entity or an escape, which has digits of its own; else digits, or one character that may be one. */
const PIECE = `${ENTITY}|${ESCAPE}|\\d+|\\p{N}`
const TAG = '<[a-z/!][^<>]{0,500}>'

/** How a page is read: as it shows, without its tags, comments and the like; and as it is written, with what is in these. */
const READINGS = [new RegExp(`${TAG}|${PIECE}`, 'giu'), new RegExp(PIECE, 'giu')] as const

/** Found in every text that has a digit, or hides one, which is not written as it is. */
const SPELLED = /&#|&[a-z]\w{1,30};|%[\da-f]{2}|\\|<[a-z/!]|(?!\d)\p{N}/iu

/** A place in a text. */
interface Span {
  readonly start: number
  readonly end: number
}

/** Digits that one piece of a text spells. A text of a megabyte may be all digits: there is one of these for many of them. */
interface Run extends Span {
  readonly digits: string
  /** Where its digits begin among all digits of the text. */
  readonly at: number
  /** Whether they are written as they are, each in one character. */
  readonly isPlain: boolean
}

/** What may be between two digits of one number, as it is written. */
const LONGEST_GAP = 600

/**
 * A text of the other side without the card numbers and CVVs that were sent to it, however it spells them: decoded first (entities,
 * tags, escapes, digits of any script), then compared, as a page shows it and as it is written. A card number keeps its first six and last four digits. The rest of the text stays
 * as it is, so that a reply can still be read.
 */
export function maskSent(text: string, sent: readonly Masked[]): string {
  const pans = sent.filter((each) => each instanceof Pan)
  if (pans.length === 0) return text
  const numbers = pans.map((pan) => pan.reveal())
  return without(
    text,
    readingsOf(text).flatMap((reading) => placesOf(numbers, text, reading)),
  )
}

/** Where the digits of these numbers are that must not be shown. */
function placesOf(numbers: readonly string[], text: string, reading: RegExp): readonly Span[] {
  const plain = digitsIn(text, reading)
  if (!numbers.some((number) => plain.includes(number))) return []
  const runs = [...runsIn(text, reading)]
  const hidden: Span[] = []
  for (const number of numbers) {
    for (let at = plain.indexOf(number); at >= 0; at = plain.indexOf(number, at + 1)) {
      const found = Array.from(number, (_, index) => spanOf(at + index, runs))
      if (isInOnePlace(found)) hidden.push(...found.slice(6, -4))
    }
  }
  return hidden
}

/** A sentence without the CVVs that were sent: three digits of their own. In anything longer they would be found by chance. */
export function withoutSentCvv(sentence: string, sent: readonly Masked[]): string {
  const cvvs = sent.flatMap((each) => (each instanceof Cvv ? [each.reveal()] : []))
  const mayHold = SPELLED.test(sentence) ? cvvs.length > 0 : cvvs.some((cvv) => sentence.includes(cvv))
  if (!mayHold) return sentence
  const hidden: Span[] = []
  for (const reading of readingsOf(sentence)) {
    const plain = digitsIn(sentence, reading)
    if (!cvvs.some((cvv) => plain.includes(cvv))) continue
    const runs = [...runsIn(sentence, reading)]
    for (const { from, to } of groupsOf(runs, plain.length)) {
      if (!cvvs.includes(plain.slice(from, to))) continue
      for (let at = from; at < to; at++) hidden.push(spanOf(at, runs))
    }
  }
  return without(sentence, hidden)
}

/** Both ways to read a text, or one of them where they are the same. */
function readingsOf(text: string): readonly RegExp[] {
  return SPELLED.test(text) ? READINGS : READINGS.slice(0, 1)
}

/** All digits of a text. Of a megabyte of them that are written as they are there is little garbage. */
function digitsIn(text: string, reading: RegExp): string {
  if (!SPELLED.test(text)) return text.replace(/\D+/g, '')
  const parts: string[] = []
  for (const { digits } of runsIn(text, reading)) parts.push(digits)
  return parts.join('')
}

function* runsIn(text: string, reading: RegExp): Generator<Run> {
  let at = 0
  for (const found of text.matchAll(reading)) {
    const { 0: piece, index: start } = found
    const isPlain = isDecimal(piece)
    const digits = isPlain ? piece : digitsOf(found)
    if (digits === '') continue
    yield { digits, at, isPlain, start, end: start + piece.length }
    at += digits.length
  }
}

/** The digits that a tag, an entity, an escape or a character of another script stands for. */
function digitsOf(found: RegExpExecArray): string {
  const [piece, decimal, ...hex] = found
  if (/^\p{N}$/u.test(piece)) return plainDigits(piece)
  const octal = hex.pop()
  const code =
    octal === undefined
      ? Number.parseInt(decimal ?? hex.find((each) => each !== undefined) ?? '', decimal === undefined ? 16 : 10)
      : Number.parseInt(octal, 8)
  return code <= 0x10ffff ? plainDigits(String.fromCodePoint(code)) : ''
}

function isDecimal(piece: string): boolean {
  const code = piece.charCodeAt(0)
  return code >= 0x30 && code <= 0x39
}

/** The place of the n-th digit of the text. */
function spanOf(n: number, runs: readonly Run[]): Span {
  let [low, high] = [0, runs.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((runs[middle]?.at ?? 0) <= n) low = middle
    else high = middle
  }
  const { at, isPlain, start, end } = runs[low] ?? { at: 0, isPlain: true, start: 0, end: 0 }
  return isPlain ? { start: start + n - at, end: start + n - at + 1 } : { start, end }
}

/** The ASCII digits of a character: `4` of `４`, of `④` and of the Arabic `٤`. */
function plainDigits(character: string): string {
  const plain = character.normalize('NFKC')
  if (/^\d+$/.test(plain)) return plain
  if (!/^\p{Nd}$/u.test(plain)) return ''
  // The digits of a script follow each other in Unicode, from 0 on.
  const code = plain.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}

function isInOnePlace(digits: readonly Span[]): boolean {
  return digits.every(({ start }, at) => start - (digits[at - 1]?.end ?? start) <= LONGEST_GAP)
}

/** Digits that follow each other without anything between them, as numbers of the first one and of the one after the last. */
function groupsOf(runs: readonly Run[], count: number): readonly { readonly from: number; readonly to: number }[] {
  const starts = runs.filter(({ start }, index) => runs[index - 1]?.end !== start).map(({ at }) => at)
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? count }))
}

function without(text: string, hidden: readonly Span[]): string {
  if (hidden.length === 0) return text
  let [masked, end] = ['', 0]
  for (const digit of hidden.toSorted((one, other) => one.start - other.start)) {
    if (digit.start < end) continue
    masked += `${text.slice(end, digit.start)}*`
    end = digit.end
  }
  return masked + text.slice(end)
}
