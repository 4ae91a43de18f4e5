import { Pan } from './pan.ts'

/** The most digits that a card number has, and so the most groups that it can be written in. */
const MOST_GROUPS = 19

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
  let masked = ''
  for (let at = 0; at < groups.length; ) {
    const length = cardLength(groups.slice(at, at + MOST_GROUPS))
    const piece = groups.slice(at, at + Math.max(length, 1)).join('')
    masked += length === 0 ? piece : maskPiece(piece)
    at += Math.max(length, 1)
  }
  return masked
}

/** How many groups, counted from the first, make up a card number; the longest, or 0 when none do. */
function cardLength(groups: readonly string[]): number {
  let digits = ''
  let longest = 0
  for (const [index, group] of groups.entries()) {
    digits += digitsOf(group)
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
