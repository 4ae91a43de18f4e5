import type { RealTime } from '../../rims/real-time.ts'
import { dueTimes } from '../due-times.ts'
import type { Change } from '../store.ts'
import type { Jobs } from './pg-boss-jobs.ts'

/**
 * How often every process looks what is due, and what others have left, though nothing woke it: a job that is lost harms
 * nobody. How soon work goes on after a process died does not wait for it (`lease.ts`).
 */
const LOOKED_EVERY_MS = 5_000

/** Who has to look when something may be due. */
export interface WakeUps {
  onWake(look: () => void): () => void
  /** Has this process look at once. */
  wake(): void
  /** Sees to it that some process looks when what this change made due later is due. */
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
      // What is due at once is seen to by this process; where it dies, the others look within seconds.
      for (const dueAt of dueTimes(change)) if (dueAt > now) jobs.wakeIn(dueAt - now)
    },
    end: async () => {
      stop()
      listeners.clear()
      await jobs?.stop()
    },
  }
}
