import { type Duration, milliseconds } from './duration.ts'

/** Work of a timer. One that takes time is waited for by a virtual clock before it goes on. */
export type ClockTask = () => void | Promise<void>

/** Time as the gateway reads it, and the one way in which it waits. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs the task once, after so many milliseconds. The result cancels it. */
  schedule(delayMs: number, task: ClockTask): () => void
}

interface Timer {
  readonly at: number
  readonly task: ClockTask
}

/** A clock that stands still until it is told to go on: tests of a fortnight take milliseconds. */
export interface VirtualClock extends Clock {
  /**
   * Goes on by so many milliseconds, or by a text such as `'14d'`; what falls due on the way runs in order, each at its
   * own time and to its end. Resolves when all that has run.
   */
  advance(duration: Duration): Promise<void>
}

export function virtualClock(startMs = Date.UTC(2030, 0, 1)): VirtualClock {
  let now = startMs
  const timers = new Set<Timer>()
  return {
    now: () => now,
    schedule: (delayMs, task) => {
      const timer = { at: now + delayMs, task }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance: async (duration) => {
      const end = now + milliseconds(duration)
      for (let due = earliest(timers, end); due !== undefined; due = earliest(timers, end)) {
        timers.delete(due)
        now = Math.max(now, due.at)
        const work = due.task()
        if (work !== undefined) await work
      }
      now = Math.max(now, end)
    },
  }
}

function earliest(timers: ReadonlySet<Timer>, end: number): Timer | undefined {
  let first: Timer | undefined
  for (const timer of timers) if (timer.at <= end && (first === undefined || timer.at < first.at)) first = timer
  return first
}
