import { CONTROL_CHARACTER } from '../control-character.ts'

/** The part in which two texts differ: where it starts in both, and where it ends in each. */
export type DifferingPart = { readonly start: number; readonly endOfExpected: number; readonly endOfReceived: number }

const CONTEXT = 32

/** What two texts do not share at their beginning and at their end; `undefined` when they are equal. */
export function differingPart(expected: string, received: string): DifferingPart | undefined {
  if (expected === received) return undefined
  const shorter = Math.min(expected.length, received.length)
  let start = 0
  while (expected[start] === received[start]) start++
  let tail = 0
  while (tail < shorter - start && expected.at(-1 - tail) === received.at(-1 - tail)) tail++
  return { start, endOfExpected: expected.length - tail, endOfReceived: received.length - tail }
}

/** Three lines: an excerpt of each text around the part, and carets under it. Equal texts have no third line. */
export function sideBySide(expected: string, received: string, part: DifferingPart | undefined): string {
  const start = Math.max(0, (part?.start ?? 0) - CONTEXT)
  const lead = start > 0 ? '…' : ''
  const lines = [
    `expected: ${lead}${excerpt(expected, start, part?.endOfExpected)}`,
    `received: ${lead}${excerpt(received, start, part?.endOfReceived)}`,
  ]
  return part === undefined ? lines.join('\n') : [...lines, carets(part, 10 + lead.length - start)].join('\n')
}

/** Line breaks would tear the columns apart. */
function excerpt(text: string, start: number, end = 0): string {
  const stop = end + CONTEXT
  return text.slice(start, stop).replace(new RegExp(CONTROL_CHARACTER, 'g'), '␠') + (stop < text.length ? '…' : '')
}

function carets({ start, endOfExpected, endOfReceived }: DifferingPart, shift: number): string {
  const width = Math.max(endOfExpected, endOfReceived) - start
  return ' '.repeat(start + shift) + '^'.repeat(width)
}
