import type { RealTime } from '../../runtime/real-time.ts'
import { dueTimes } from '../due-times.ts'
import type { Change } from '../store.ts'
import type { Jobs } from './pg-boss-jobs.ts'

/**
 * How often every process looks for what is due and what others have left, even if nothing woke it: a lost job does no harm.
 * Taking over the work of a process that died does not wait for this (`lease.ts`).
 */
const LOOKED_EVERY_MS = 5_000

/** Makes processes look when something may be due. */
export interface WakeUps {
  onWake(look: () => void): () => void
  /** Makes this process look at once. */
  wake(): void
  /** Makes some process look when what this change has scheduled for later is due. */
  announce(change: Change, now: number): void
  end(): Promise<void>
}

export function wakeUps(time: RealTime, startJobs: ((wake: () => void) => Jobs) | undefined): WakeUps {
  const listeners = new Set<() => void>()
  const wake = () => {
    for (const look of listeners) look()
  }
  const stop = time.every(LOOKED_EVERY_MS, wake)
  const jobs = startJobs?.(wake)
  return {
    onWake: (look) => {
      listeners.add(look)
      return () => listeners.delete(look)
    },
    wake,
    announce: (change, now) => {
      if (jobs === undefined) return
      // This process does what is due at once; if it dies, the others look within seconds.
      for (const dueAt of dueTimes(change)) if (dueAt > now) jobs.wakeIn(dueAt - now)
    },
    end: async () => {
      stop()
      listeners.clear()
      await jobs?.stop()
    },
  }
}
