import { cardBrand, isCardByDigits, Pan } from './pan.ts'

/** How many digits a card number has. */
const FEWEST_DIGITS = 12
const MOST_DIGITS = 19

/**
 * The fewest digits of a number with separators that no form uses: times, network addresses and versions are also numbers in
 * groups.
 */
const FEWEST_PARTED_OTHERWISE = 13

/** How an escape begins: in an address (also one inside of another), in JSON behind the backslash, and in server logs. */
const ESCAPE_BEGINS = '(?:%(?:25)*|u00|\\\\x)'

/** Escaped white space and punctuation. */
const ESCAPED_SIGN = `(?:${ESCAPE_BEGINS}(?:09|0[adAD]|2[0-9a-fA-F]|3[abAB]|5[fF]|7[cC]|[aA]0)|%(?:25)*[cC]2%(?:25)*[aA]0)`

/** Not `*`, which masks numbers, nor `%`, which begins an escape: with either a text could be read in two ways. */
const SEPARATOR = `(?:${ESCAPED_SIGN}|[^0-9A-Za-z*%])`

const NUMBER = `\\d(?:${SEPARATOR}{0,3}\\d){11,}`
const RUN = new RegExp(NUMBER, 'g')
/** The last digits of an escape do not belong to the number behind it. Escapes of digits are left alone. */
const RUN_BEHIND_ESCAPE = new RegExp(`${ESCAPE_BEGINS}(?!3\\d)[0-9a-fA-F]{2}|${NUMBER}`, 'g')
/** Of more digits than a card of American Express has. */
const LONG_NUMBER = /\d{16}/
const LONG_NUMBERS = /\d{16,}/g
const GROUP = new RegExp(`(${SEPARATOR}*)(\\d+)`, 'g')
const SEPARATORS = new RegExp(`${SEPARATOR}+`, 'g')

const MAY_HAVE_ESCAPE = /%|u00|\\x/

/** The separators that a form uses between the digits of a card. */
const USUAL_SEPARATORS: ReadonlySet<string> = new Set([' ', '-', '+', '%20'])

/**
 * Masks every card number in a text. For texts of the other side, which may quote the request: digits that pass the Luhn check, or are of a range without one,
 * also in groups with up to three characters of white space and punctuation between them. If a separator is not one space or
 * hyphen, the number must begin as the cards of a known brand do.
 *
 * So must one that directly adjoins other digits, as in a longer number: of those it is found if it has 16 digits, or 15 for American
 * Express, all without separators. One in 50 places of a long number looks like that by chance. A time in milliseconds and an order id
 * are too short for it.
 */
export function maskCardNumbers(text: string): string {
  if (!mayHaveCard(text)) return text
  const masked = maskedIn(text, inAscii)
  // ASCII digits first: a full-width digit beside a card number does not belong to it.
  const digits = withPlainDigits(masked)
  return digits === masked ? masked : maskedIn(masked, (plain) => inAscii(withPlainDigits(plain)))
}

/** Whether a text has as many digits as a card number, or characters that may look like some. Most have neither. */
function mayHaveCard(text: string): boolean {
  let digits = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x80) return true
    if (code >= 0x30 && code <= 0x39 && ++digits === FEWEST_DIGITS) return true
  }
  return false
}

/** `plainOf` returns a text of the same length with the digits in the same places. */
function maskedIn(text: string, plainOf: (text: string) => string): string {
  const masked = maskedBy(RUN, text, plainOf(text))
  const behindEscapes = MAY_HAVE_ESCAPE.test(masked) ? maskedBy(RUN_BEHIND_ESCAPE, masked, plainOf(masked)) : masked
  // Last, because the digits of an escape directly adjoin a number too.
  return LONG_NUMBER.test(behindEscapes)
    ? maskedBy(LONG_NUMBERS, behindEscapes, plainOf(behindEscapes), cardsInside)
    : behindEscapes
}

function maskedBy(runs: RegExp, text: string, plain: string, cardsIn = cardsAmong): string {
  let masked = ''
  let end = 0
  for (const { 0: run, index } of plain.matchAll(runs)) {
    for (const [first, last] of cardsIn(run)) {
      masked += text.slice(end, index + first) + maskOf(digitsOf(run.slice(first, last)))
      end = index + last
    }
  }
  return end === 0 ? text : masked + text.slice(end)
}

interface Group {
  readonly digits: string
  /** Its place in its run. */
  readonly start: number
  readonly end: number
  /** What separates it from the one before it. */
  readonly separator: string
}

/**
 * The places of the card numbers in a run. Numbers that overlap become one, so that each digit of both is masked. A run may have a
 * megabyte: only as many of its groups are held as one number can have.
 */
function cardsAmong(run: string): ReadonlyArray<readonly [first: number, last: number]> {
  const cards: Array<[number, number]> = []
  const groups = groupsOf(run)
  const ahead: Group[] = []
  let held = 0
  for (;;) {
    while (held <= MOST_DIGITS) {
      const { value } = groups.next()
      if (value === undefined) break
      ahead.push(value)
      held += value.digits.length
    }
    const [first] = ahead
    if (first === undefined) return cards
    const end = cardEnd(ahead)
    if (end !== undefined) add(cards, first.start, end)
    ahead.shift()
    held -= first.digits.length
  }
}

function* groupsOf(run: string): Generator<Group, undefined> {
  for (const { 0: whole, 1: separator = '', 2: digits = '', index } of run.matchAll(GROUP)) {
    const end = index + whole.length
    yield { digits, separator, start: end - digits.length, end }
  }
}

/** Where the longest card number ends that begins with the first group. It has whole groups; other numbers may be beside it. */
function cardEnd(groups: readonly Group[]): number | undefined {
  let digits = ''
  let parted: Parted = 'usually'
  let longest: number | undefined
  for (const [at, group] of groups.entries()) {
    if (isGatewayId(group.digits)) break
    if (at > 0) parted = partedUpTo(parted, groups, at)
    digits += group.digits
    if (parted === 'as times are' || digits.length > MOST_DIGITS) break
    if (isCard(digits, parted)) longest = group.end
  }
  return longest
}

function add(cards: Array<[number, number]>, start: number, end: number): void {
  const before = cards.at(-1)
  if (before !== undefined && start < before[1]) before[1] = Math.max(before[1], end)
  else cards.push([start, end])
}

/** The card numbers in a longer number. */
function cardsInside(number: string): ReadonlyArray<readonly [first: number, last: number]> {
  const cards: Array<[number, number]> = []
  for (let at = 0; at < number.length; at++) {
    const brand = cardBrand(number.slice(at, at + 6))
    const digits = number.slice(at, at + (brand === 'AMEX' ? 15 : 16))
    if (brand !== 'UNKNOWN' && Pan.isPan(digits) && digits.length > 14) add(cards, at, at + digits.length)
  }
  return cards
}

/**
 * An id of our gateway: an operator types it into a command, so it is never masked, nor taken for a part of a number. No card has
 * 15 digits that begin with 9: the schemes with 15 digits begin with 1, 2 and 3, and national ones that begin with 9 have 16 or 19.
 */
function isGatewayId(digits: string): boolean {
  return digits.length === 15 && digits.startsWith('9')
}

/** How the groups of a number are separated. */
type Parted = 'usually' | 'otherwise' | 'as times are'

/** Unlike a card number, a time has groups of two digits with different separators between them. */
function partedUpTo(parted: Parted, groups: readonly Group[], at: number): Parted {
  const { separator } = groups[at] as Group
  if (parted === 'usually' && USUAL_SEPARATORS.has(separator)) return parted
  const inside = groups.slice(1, at)
  const isOfPairs = inside.some(({ digits }) => digits.length === 2) || groups[0]?.digits.length === 2
  return isOfPairs && inside.some((group) => group.separator !== separator) ? 'as times are' : 'otherwise'
}

function isCard(digits: string, parted: Parted): boolean {
  if (digits.length < (parted === 'usually' ? FEWEST_DIGITS : FEWEST_PARTED_OTHERWISE)) return false
  return isCardByDigits(digits) && (parted === 'usually' || cardBrand(digits) !== 'UNKNOWN')
}

/** First six and last four, as a card number is shown; numbers that overlap may have more digits than one card. */
function maskOf(digits: string): string {
  return digits.slice(0, 6) + '*'.repeat(digits.length - 10) + digits.slice(-4)
}

/** Escaped separators have digits of their own, which are left out. */
function digitsOf(piece: string): string {
  return piece.replace(SEPARATORS, '')
}

const NOT_ASCII = /[\u0080-\uffff]/g
const LETTER = String.raw`\p{L}`
const DIGIT = String.raw`\p{N}`

let letterOrNumber: RegExp | undefined

/** Made at first use: for a literal V8 would load Unicode's tables at every import. */
function isLetterOrNumber(character: string): boolean {
  letterOrNumber ??= new RegExp(`[${LETTER}${DIGIT}]`, 'u')
  return letterOrNumber.test(character)
}

/**
 * A text of the same length in which characters that look like ASCII signs are replaced by these (NFKC: a no-break space by a
 * space), letters and digits of other alphabets by `x`, and everything else by a space.
 */
export function inAscii(text: string): string {
  return text.replace(NOT_ASCII, (character) => {
    if (isLetterOrNumber(character)) return 'x'
    const plain = character.normalize('NFKC')
    return plain.length === 1 && plain < '\u0080' ? plain : ' '
  })
}

/** A text of the same length in which characters that look like digits are replaced by these (NFKC: `４` by 4). */
export function withPlainDigits(text: string): string {
  return text.replace(NOT_ASCII, (character) => {
    const plain = character.normalize('NFKC')
    return /^\d$/.test(plain) ? plain : character
  })
}
