import type { Clock } from '@tallystick/client'

interface Timer {
  readonly at: number
  readonly task: () => void
}

export interface HandClock extends Clock {
  /** Moves on by this many milliseconds. Everything that a timer causes without another timer happens before the next one. */
  goOn(milliseconds: number): Promise<void>
  /** How many timers are set. */
  readonly timers: () => number
}

/** A clock that stands until it is moved. */
export function handClock(startMs = 1_900_000_000_000): HandClock {
  let now = startMs
  const timers = new Set<Timer>()
  const nextUntil = (end: number) =>
    [...timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)[0]
  return {
    now: () => now,
    schedule: (delayMs, task) => {
      const timer = { at: now + delayMs, task }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    timers: () => timers.size,
    goOn: async (milliseconds) => {
      const end = now + milliseconds
      await quiet()
      for (let next = nextUntil(end); next !== undefined; next = nextUntil(end)) {
        timers.delete(next)
        now = next.at
        next.task()
        await quiet()
      }
      now = end
    },
  }
}

/** Waits some turns of the event loop, enough for a store that needs several to write. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise(setImmediate)
}
