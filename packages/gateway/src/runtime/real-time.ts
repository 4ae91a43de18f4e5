import { setTimeout as pause } from 'node:timers/promises'

/**
 * Time that no test sets, for what happens between processes and their server: how long to wait for an answer, and whether
 * this process still counts as alive.
 */
export interface RealTime {
  /** Milliseconds that only go up. */
  now(): number
  /** The time of this machine's clock, which may be set: milliseconds since 1970. */
  date(): number
  pause(milliseconds: number): Promise<unknown>
  /** Does the work again and again, until the function returned is called. Does not keep the process alive. */
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
