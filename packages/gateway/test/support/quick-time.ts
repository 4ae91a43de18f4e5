import type { RealTime } from '../../src/runtime/system.ts'

export interface QuickTime extends RealTime {
  /** Does all repeated work once, or only that of the given interval. */
  tick(everyMs?: number): void
  goOn(milliseconds: number): void
  /** Sets this machine's clock ahead of the right time. */
  setAhead(milliseconds: number): void
}

/** How much time a pause takes at least, so that the store gives up an absent server after a few tries. */
const LEAST_PAUSE_MS = 3_000

/** A time in which every pause is over at once, and repeated work is done only when a test asks for it. */
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
