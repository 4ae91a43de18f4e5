import { Cvv } from './cvv.ts'
import type { Masked } from './masked.ts'
import { Pan } from './pan.ts'

const ENTITY = '&(?:amp;){0,4}(?:#0*(\\d{1,7})|#x0*([\\da-f]{1,6})|[a-z]\\w{1,30});'
const ESCAPE = '%(?:25){0,4}([\\da-f]{2})|\\\\{1,4}(?:u\\{0*([\\da-f]{1,6})\\}|u([\\da-f]{4})|x([\\da-f]{2}))'

/** A tag, an entity or an escape, which has digits of its own; else one character that may be a digit. */
const PIECE = new RegExp(`<[a-z/!][^<>]{0,500}>|${ENTITY}|${ESCAPE}|\\p{N}`, 'giu')

interface Digit {
  readonly digit: string
  readonly start: number
  readonly end: number
}

/** What may be between two digits of one number, as it is written. */
const LONGEST_GAP = 600

/**
 * A text of the other side without the card numbers and CVVs that were sent to it, however it spells them: decoded first (entities,
 * tags, escapes, digits of any script), then compared. A card number keeps its first six and last four digits. The rest of the text stays
 * as it is, so that a reply can still be read.
 */
export function maskSent(text: string, sent: readonly Masked[]): string {
  const pans = sent.filter((each) => each instanceof Pan)
  if (pans.length === 0) return text
  const digits = digitsIn(text)
  const plain = digits.map(({ digit }) => digit).join('')
  const hidden = new Set<Digit>()
  for (const pan of pans) {
    const number = pan.reveal()
    for (let at = plain.indexOf(number); at >= 0; at = plain.indexOf(number, at + 1)) {
      const found = digits.slice(at, at + number.length)
      if (isInOnePlace(found)) for (const digit of found.slice(6, -4)) hidden.add(digit)
    }
  }
  return without(text, [...hidden])
}

/** A sentence without the CVVs that were sent: three digits of their own. In anything longer they would be found by chance. */
export function withoutSentCvv(sentence: string, sent: readonly Masked[]): string {
  const cvvs = sent.flatMap((each) => (each instanceof Cvv ? [each.reveal()] : []))
  if (cvvs.length === 0) return sentence
  const hidden = groupsOf(digitsIn(sentence)).filter((group) => cvvs.includes(group.map(({ digit }) => digit).join('')))
  return without(sentence, hidden.flat())
}

function digitsIn(text: string): readonly Digit[] {
  return [...text.matchAll(PIECE)].flatMap((found): Digit[] => {
    const { 0: piece, index } = found
    const [decimal, ...hex] = found.slice(1)
    const code =
      decimal === undefined ? Number.parseInt(hex.find((each) => each !== undefined) ?? '', 16) : Number(decimal)
    const isCoded = piece.length > 1 && !/^\p{N}$/u.test(piece)
    const character = isCoded ? (code <= 0x10ffff ? String.fromCodePoint(code) : '') : piece
    const end = index + piece.length
    return Array.from(plainDigits(character), (digit) => ({ digit, start: index, end }))
  })
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

function isInOnePlace(digits: readonly Digit[]): boolean {
  return digits.every(({ start }, at) => start - (digits[at - 1]?.end ?? start) <= LONGEST_GAP)
}

/** Digits that follow each other without anything between them. */
function groupsOf(digits: readonly Digit[]): readonly (readonly Digit[])[] {
  const groups: Digit[][] = []
  for (const digit of digits) {
    const last = groups.at(-1)
    if (last !== undefined && last.at(-1)?.end === digit.start) last.push(digit)
    else groups.push([digit])
  }
  return groups
}

function without(text: string, hidden: readonly Digit[]): string {
  let [masked, end] = ['', 0]
  for (const digit of hidden.toSorted((one, other) => one.start - other.start)) {
    if (digit.start < end) continue
    masked += `${text.slice(end, digit.start)}*`
    end = digit.end
  }
  return masked + text.slice(end)
}
