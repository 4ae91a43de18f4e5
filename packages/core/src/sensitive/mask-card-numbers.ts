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
  let masked = ''
  for (let at = 0; at < groups.length; ) {
    const length = cardLength(digits, at)
    const piece = groups.slice(at, at + Math.max(length, 1)).join('')
    masked += length === 0 ? piece : maskPiece(piece)
    at += Math.max(length, 1)
  }
  return masked
}

/** How many groups, counted from `first`, make up a card number; the longest, or 0 when none do. */
function cardLength(groups: readonly string[], first: number): number {
  let digits = ''
  let longest = 0
  for (let at = first; at < groups.length && digits.length < MOST_DIGITS; at++) {
    digits += groups[at] ?? ''
    if (Pan.isPan(digits)) longest = at - first + 1
  }
  return longest
}

/** The mask, and the separator behind the number. */
function maskPiece(piece: string): string {
  return new Pan(digitsOf(piece)).masked + piece.slice(piece.search(/[ -]?$/))
}

function digitsOf(text: string): string {
  return text.replace(/\D+/g, '')
}
