import type { Evidence, Intent } from '@tallystick/client'
import { redact } from '@tallystick/core'

/** Enough to see what happened. The first entries stay, because they show how it began. */
const FIRST = 5
const LAST = 15
const LONGEST = 500

/** The evidence with what was seen now. What is seen again and again is noted once, with its last time. */
export function withEvidence({ evidence }: Pick<Intent, 'evidence'>, at: number, text: string): readonly Evidence[] {
  const seen = noted(text)
  const others = evidence.at(-1)?.seen === seen && evidence.length > 1 ? evidence.slice(0, -1) : evidence
  const all = [...others, { at, seen }]
  return all.length <= FIRST + LAST ? all : [...all.slice(0, FIRST), ...all.slice(-LAST)]
}

/** A text of the gateway, as it is kept. It may quote the request: card data and controls are masked before it is written. */
export function noted(text: string): string {
  return redact(text).slice(0, LONGEST)
}
