import { Pan } from './pan.ts'

/** The most digits that a card number has. */
const MOST_DIGITS = 19

/**
 * A text with every card number in it masked. For texts of the other side, which may quote what they were sent:
 * runs of digits, also grouped by spaces or hyphens, that pass the Luhn check.
 */
export function maskCardNumbers(text: string): string {
  return text.replace(/\d(?:[ -]?\d){11,}/g, maskRun)
}

/** Other numbers may stand beside the card's in a run, so whole groups of digits are tried from each one on. */
function maskRun(run: string): string {
  const groups = run.split(/(?<=[ -])/)
  const digits = groups.map(digitsOf)
  let end = 0
  const pieces = groups.map((group, at) => {
    if (at < end) return ''
    const length = cardLength(digits, at)
    end = at + length
    return length === 0 ? group : maskPiece(groups.slice(at, end).join(''))
  })
  return pieces.join('')
}

/**
 * How many groups, counted from `first`, make up a card number; the longest, or 0 when none do. Every group has a
 * digit, so a number has no more groups than digits.
 */
function cardLength(groups: readonly string[], first: number): number {
  let digits = ''
  let longest = 0
  for (const [index, group] of groups.slice(first, first + MOST_DIGITS).entries()) {
    digits += group
    if (digits.length > MOST_DIGITS) break
    if (Pan.isPan(digits)) longest = index + 1
  }
  return longest
}

/** The mask, and the separator behind the number. */
function maskPiece(piece: string): string {
  return new Pan(digitsOf(piece)).masked + piece.slice(piece.search(/[ -]?$/))
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}
