import { cardBrand } from './card-brand.ts'
import { inAscii, withPlainDigits } from './in-ascii.ts'
import { passesLuhn } from './luhn.ts'

/** How many digits a card number has. */
const FEWEST_DIGITS = 12
const MOST_DIGITS = 19

/**
 * The fewest of one whose groups are parted as no form parts them: times, addresses of a network and versions are numbers in
 * groups, too.
 */
const FEWEST_PARTED_OTHERWISE = 13

/** How an escape begins in an address (also one inside of another), in JSON behind its backslash, and in logs of servers. */
const ESCAPE_BEGINS = '(?:%(?:25)*|u00|\\\\x)'

/** White space and punctuation as they are escaped. */
const ESCAPED_SIGN = `(?:${ESCAPE_BEGINS}(?:09|0[adAD]|2[0-9a-fA-F]|3[abAB]|5[fF]|7[cC]|[aA]0)|%(?:25)*[cC]2%(?:25)*[aA]0)`

/** `*` is what a number is masked with, and `%` begins what is escaped: with either of them a text could be read in two ways. */
const SEPARATOR = `(?:[^0-9A-Za-z*%]|${ESCAPED_SIGN})`

const NUMBER = `\\d(?:${SEPARATOR}{0,3}\\d){11,}`
const RUN = new RegExp(NUMBER, 'g')
/** The digits that an escape ends in are none of the number behind it. Escapes of digits are left alone. */
const RUN_BEHIND_ESCAPE = new RegExp(`${ESCAPE_BEGINS}(?!3\\d)[0-9a-fA-F]{2}|${NUMBER}`, 'g')
const GROUP = new RegExp(`(${SEPARATOR}*)(\\d+)`, 'g')

/** Most texts have none, and are asked this alone. */
const MAY_HAVE_DIGITS = /[\d\u0080-\uffff]/
const MAY_HAVE_ESCAPE = /%|u00|\\x/

/** How a form parts the digits of a card. */
const USUAL_SEPARATORS: ReadonlySet<string> = new Set([' ', '-', '+', '%20'])

/**
 * A text with every card number in it masked. For texts of the other side, which may quote what they were sent: digits, also in
 * groups with up to three characters of white space and punctuation between them, that pass the Luhn check. Groups that are
 * parted otherwise than by one space or hyphen must begin as the cards of a known brand do.
 */
export function maskCardNumbers(text: string): string {
  if (!MAY_HAVE_DIGITS.test(text)) return text
  const masked = maskedIn(text, inAscii)
  // By themselves first: a digit in full width beside a card number is none of its own.
  const digits = withPlainDigits(masked)
  return digits === masked ? masked : maskedIn(masked, (plain) => inAscii(withPlainDigits(plain)))
}

/** `plainOf` gives a text of the same length that has the digits, each where the text has it. */
function maskedIn(text: string, plainOf: (text: string) => string): string {
  const masked = maskedBy(RUN, text, plainOf(text))
  return MAY_HAVE_ESCAPE.test(masked) ? maskedBy(RUN_BEHIND_ESCAPE, masked, plainOf(masked)) : masked
}

function maskedBy(runs: RegExp, text: string, plain: string): string {
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
  /** Where it stands in its run. */
  readonly start: number
  readonly end: number
  /** What parts it from the one before it. */
  readonly separator: string
}

/** Where the card numbers of a run stand. Numbers that overlap are one: each digit of both is a card's. */
function cardsIn(run: string): ReadonlyArray<readonly [first: number, last: number]> {
  const groups = groupsOf(run)
  const cards: Array<[number, number]> = []
  for (const [at, { start }] of groups.entries()) {
    const end = cardEnd(groups, at)
    const before = cards.at(-1)
    if (end === undefined) continue
    if (before !== undefined && start < before[1]) before[1] = Math.max(before[1], end)
    else cards.push([start, end])
  }
  return cards
}

function groupsOf(run: string): readonly Group[] {
  return Array.from(run.matchAll(GROUP), ({ 0: whole, 1: separator = '', 2: digits = '', index }) => {
    const end = index + whole.length
    return { digits, separator, start: end - digits.length, end }
  })
}

/** Where the longest card number ends that begins with a group, of whole groups; other numbers may stand beside it. */
function cardEnd(groups: readonly Group[], first: number): number | undefined {
  let digits = ''
  let parted: Parted = 'usually'
  let longest: number | undefined
  for (let at = first; at < groups.length; at++) {
    const group = groups[at] as Group
    if (at > first) parted = partedUpTo(parted, groups, at, first)
    digits += group.digits
    if (parted === 'as times are' || digits.length > MOST_DIGITS) break
    if (isCard(digits, parted)) longest = group.end
  }
  return longest
}

/** How the groups of a number are parted. */
type Parted = 'usually' | 'otherwise' | 'as times are'

/** A time has groups of two digits with one sign and another between them, and a card has not. */
function partedUpTo(parted: Parted, groups: readonly Group[], at: number, first: number): Parted {
  const { separator } = groups[at] as Group
  if (parted === 'usually' && USUAL_SEPARATORS.has(separator)) return parted
  const inside = groups.slice(first + 1, at)
  const isOfPairs = inside.some(({ digits }) => digits.length === 2) || groups[first]?.digits.length === 2
  return isOfPairs && inside.some((group) => group.separator !== separator) ? 'as times are' : 'otherwise'
}

function isCard(digits: string, parted: Parted): boolean {
  if (digits.length < (parted === 'usually' ? FEWEST_DIGITS : FEWEST_PARTED_OTHERWISE)) return false
  return passesLuhn(digits) && (parted === 'usually' || cardBrand(digits) !== 'UNKNOWN')
}

/** First six and last four, as a card number is shown; numbers that overlap may have more digits than one card. */
function maskOf(digits: string): string {
  return digits.slice(0, 6) + '*'.repeat(digits.length - 10) + digits.slice(-4)
}

/** What is encoded between them has digits of its own. */
function digitsOf(piece: string): string {
  return groupsOf(piece)
    .map(({ digits }) => digits)
    .join('')
}
