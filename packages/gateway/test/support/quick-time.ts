import type { RealTime } from '../../src/rims/real-time.ts'

export interface QuickTime extends RealTime {
  /** Does once what is to be done again and again; of this interval alone, where one is given. */
  tick(everyMs?: number): void
  goOn(milliseconds: number): void
  /** Sets this machine's clock, so far ahead of the right time. */
  setAhead(milliseconds: number): void
}

/** So that a server that stays away is given up after a few tries. */
const LEAST_PAUSE_MS = 3_000

/** Time in which every pause is over at once, and nothing repeats by itself. */
export function quickTime(): QuickTime {
  const repeated = new Set<{ readonly everyMs: number; readonly work: () => void }>()
  let now = 0
  let aheadMs = 0
  return {
    now: () => now,
    date: () => Date.now() + aheadMs,
    pause: async (milliseconds) => {
      now += Math.max(milliseconds, LEAST_PAUSE_MS)
    },
    every: (everyMs, work) => {
      const each = { everyMs, work }
      repeated.add(each)
      return () => repeated.delete(each)
    },
    tick: (wanted) => {
      for (const { everyMs, work } of repeated) if (wanted === undefined || everyMs === wanted) work()
    },
    goOn: (milliseconds) => {
      now += milliseconds
    },
    setAhead: (milliseconds) => {
      aheadMs = milliseconds
    },
  }
}
