import type { Clock } from '@tallystick/client'

interface Timer {
  readonly at: number
  readonly task: () => void
}

export interface HandClock extends Clock {
  /** Goes on by so many milliseconds. Whatever follows from a timer without another one has happened before the next. */
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

/** Some turns of the event loop: a store that works by turns of its own has written. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise(setImmediate)
}
