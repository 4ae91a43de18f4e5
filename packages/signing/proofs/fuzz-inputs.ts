import type { Random } from '../test/random.ts'

/** A text in the grammar of a parser and next to it: pieces of what it reads, cut, repeated and spoiled. */
export function anyInput(pieces: readonly string[], random: Random): string {
  const parts = Array.from({ length: random.below(12) }, () => anyPiece(pieces, random))
  return parts.join('')
}

const NOISE = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '%',
  '%zz',
  '%C0%AF',
  '%ED%A0%80',
  '%F4%90%80%80',
  '%00',
  '\u0000',
  '\ud800',
  '\udfff',
  '😀',
  'é',
  '\u2028',
  '\r\n',
  ' ',
  '"',
  '\\',
  ',',
  '=',
  '&',
  '+',
]

function anyPiece(pieces: readonly string[], random: Random): string {
  const piece = random.below(3) === 0 ? random.pick(NOISE) : random.pick(pieces)
  const shape = random.below(10)
  if (shape === 0) return piece.slice(0, random.below(piece.length + 1))
  if (shape === 1) return piece.repeat(random.below(5))
  if (shape === 2) return String.fromCharCode(random.below(0x10000))
  return piece
}
