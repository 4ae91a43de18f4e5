import type { Clock } from '../src/index.ts'

/** A clock that stands still, and runs each task at once. */
export function standingClock(now: number): Clock {
  return {
    now: () => now,
    schedule: (_delayMs, task) => {
      queueMicrotask(task)
      return () => {}
    },
  }
}

export interface SteppedClock extends Clock {
  /** How long each wait was to be, in order. */
  readonly waits: readonly number[]
  /** How many timers are set. */
  readonly timers: () => number
  /** Goes on to the next timer and runs it. */
  step(): Promise<void>
  /** Goes on by so many milliseconds, and runs each task that is due on the way. */
  advance(milliseconds: number): Promise<void>
}

interface Timer {
  readonly at: number
  readonly task: () => void
}

/** A clock that goes on only when a test moves it. */
export function steppedClock(start = 0): SteppedClock {
  let now = start
  const waits: number[] = []
  const timers = new Set<Timer>()
  const next = () => [...timers].sort((one, other) => one.at - other.at)[0]
  async function runNext(): Promise<void> {
    const timer = next()
    if (timer === undefined) return
    timers.delete(timer)
    now = Math.max(now, timer.at)
    timer.task()
    await settled()
  }
  return {
    waits,
    timers: () => timers.size,
    now: () => now,
    schedule: (delayMs, task) => {
      const timer = { at: now + delayMs, task }
      waits.push(delayMs)
      timers.add(timer)
      return () => timers.delete(timer)
    },
    step: async () => {
      await settled()
      await runNext()
    },
    advance: async (milliseconds) => {
      const end = now + milliseconds
      await settled()
      for (let due = next(); due !== undefined && due.at <= end; due = next()) await runNext()
      now = end
    },
  }
}

/** Waits until everything that needs no timer has run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}
