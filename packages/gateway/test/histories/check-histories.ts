import fc from 'fast-check'
import { play } from './play.ts'
import { step } from './steps.ts'

/** What happened in a run. A run that tests nothing is noticed by it. */
export interface Seen {
  /** How often each kind of event happened. */
  readonly counts: Readonly<Record<string, number>>
  steps: number
}

/**
 * Plays random histories of a whole gateway, each on both stores, and compares them with the paper after every step and at
 * the end.
 *
 * @throws Error with the shortest history found that differs
 */
export async function checkHistories(options: { readonly runs: number; readonly seed?: number }): Promise<Seen> {
  const counts: Record<string, number> = {}
  const seen = { counts, steps: 0 }
  const histories = fc.array(step, { minLength: 25, maxLength: 60, size: 'max' })
  const property = fc.asyncProperty(histories, async (steps) => {
    for (const [what, often] of Object.entries(await play(steps))) counts[what] = (counts[what] ?? 0) + often
    seen.steps += steps.length
  })
  const { runs, ...rest } = options
  await fc.assert(property, { numRuns: runs, unbiased: true, ...rest })
  return seen
}
