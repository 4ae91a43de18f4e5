import { setTimeout as pause } from 'node:timers/promises'

/**
 * Time that no test sets, for what happens between processes and their server: how long an answer is waited for, and
 * whether the others still count on this one.
 */
export interface RealTime {
  /** Milliseconds that only go up. */
  now(): number
  /** What time it is by this machine's clock, which may be set: milliseconds since 1970. */
  date(): number
  pause(milliseconds: number): Promise<unknown>
  /** Does the work again and again. The result ends that; the process may end before. */
  every(milliseconds: number, work: () => void): () => void
}

export const realTime: RealTime = {
  now: () => performance.now(),
  date: () => Date.now(),
  pause: (milliseconds) => pause(milliseconds),
  every: (milliseconds, work) => {
    const timer = setInterval(work, milliseconds).unref()
    return () => clearInterval(timer)
  },
}
