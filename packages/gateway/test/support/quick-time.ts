import type { RealTime } from '../../src/rims/real-time.ts'

export interface QuickTime extends RealTime {
  /** Does once what is to be done again and again. */
  tick(): void
  goOn(milliseconds: number): void
  /** Sets this machine's clock, so far ahead of the right time. */
  setAhead(milliseconds: number): void
}

/** So that a server that stays away is given up after a few tries. */
const LEAST_PAUSE_MS = 3_000

/** Time in which every pause is over at once, and nothing repeats by itself. */
export function quickTime(): QuickTime {
  const repeated = new Set<() => void>()
  let now = 0
  let aheadMs = 0
  return {
    now: () => now,
    date: () => Date.now() + aheadMs,
    pause: async (milliseconds) => {
      now += Math.max(milliseconds, LEAST_PAUSE_MS)
    },
    every: (_, work) => {
      repeated.add(work)
      return () => repeated.delete(work)
    },
    tick: () => {
      for (const work of repeated) work()
    },
    goOn: (milliseconds) => {
      now += milliseconds
    },
    setAhead: (milliseconds) => {
      aheadMs = milliseconds
    },
  }
}
