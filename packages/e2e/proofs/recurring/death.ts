import type { Random } from '@tallystick/proof-kit'

/** How a process of the gateway ends: by SIGKILL, with few exceptions. */
export type Death =
  /** Before it executes that statement: it kills itself there, since no other process could aim so precisely. */
  | { readonly at: 'statement'; readonly number: number }
  /** With that call of the bank, or that callback, on its way: it arrives, or is lost. */
  | { readonly at: 'call' | 'callback'; readonly number: number; readonly arrives: boolean }
  /** This long after that call of the bank, wherever it is by then. */
  | { readonly at: 'moment'; readonly number: number; readonly laterMs: number }
  /** After that call, when nothing is left to do. */
  | { readonly at: 'rest'; readonly number: number; readonly inPeace: boolean }

/** About how many statements a process executes for each charge. */
export const STATEMENTS = 40
const LONGEST_MS = 30
/** One in this many dies while it takes up what the last one left. */
const EARLY = 6
const EARLY_CALLS = 20

/** @param share charges that a process makes, on average */
export function randomDeath(random: Random, share: number): Death {
  const number = 1 + random.below(random.below(EARLY) === 0 ? Math.min(EARLY_CALLS, 2 * share) : 2 * share)
  const luck = random.below(100)
  if (luck < 30) return { at: 'statement', number: 1 + random.below(STATEMENTS * number) }
  if (luck < 70) return { at: luck < 55 ? 'call' : 'callback', number, arrives: random.below(2) === 0 }
  if (luck < 90) return { at: 'moment', number, laterMs: random.below(LONGEST_MS) }
  return { at: 'rest', number, inPeace: luck < 95 }
}
