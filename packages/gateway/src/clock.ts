/** Time as the gateway reads it, and the one way in which it waits. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs the task once, after so many milliseconds. The result cancels it. */
  schedule(delayMs: number, task: () => void): () => void
}

interface Timer {
  readonly at: number
  readonly task: () => void
}

/** A clock that stands still until it is told to go on: tests of a fortnight take milliseconds. */
export interface VirtualClock extends Clock {
  /** Goes on by so many milliseconds; what falls due on the way runs in order, at its own time. */
  advance(ms: number): void
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
    advance: (ms) => {
      const end = now + ms
      for (let due = earliest(timers, end); due !== undefined; due = earliest(timers, end)) {
        timers.delete(due)
        now = due.at
        due.task()
      }
      now = end
    },
  }
}

function earliest(timers: ReadonlySet<Timer>, end: number): Timer | undefined {
  const due = [...timers].filter(({ at }) => at <= end)
  return due.reduce<Timer | undefined>((first, timer) => (first && first.at <= timer.at ? first : timer), undefined)
}
