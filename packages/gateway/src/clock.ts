import { type Duration, milliseconds } from './duration.ts'

/** What a timer runs. A virtual clock waits for the promise before it advances further. */
export type ClockTask = () => void | Promise<void>

/** The time as the gateway reads it, and the only way in which it waits. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs the task once, after `delayMs` milliseconds. The returned function cancels it. */
  schedule(delayMs: number, task: ClockTask): () => void
}

/** The clock in whole milliseconds, as times are stored. Rounded down, so that what a timer was set for is due when it runs. */
export function inWholeMilliseconds(clock: Clock): Clock {
  return { now: () => Math.floor(clock.now()), schedule: (delayMs, task) => clock.schedule(delayMs, task) }
}

interface Timer {
  readonly at: number
  readonly task: ClockTask
}

/** A clock that stands still until it is advanced: a test of a fortnight takes milliseconds. */
export interface VirtualClock extends Clock {
  /**
   * Advances by milliseconds, or by a text such as `'14d'`. Tasks that fall due on the way run in order, each at its own time
   * and to its end. Resolves when all of them have run.
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

function earliest<Each extends Timer>(timers: ReadonlySet<Each>, end: number): Each | undefined {
  let first: Each | undefined
  for (const timer of timers) if (timer.at <= end && (first === undefined || timer.at < first.at)) first = timer
  return first
}

interface ArmedTimer extends Timer {
  /** Cancels it on the clock below. */
  cancel: () => void
}

/** A clock that runs as the one below it does, and can also be advanced: for sandboxes. */
export function advancingClock(below: Clock): VirtualClock {
  let ahead = 0
  const timers = new Set<ArmedTimer>()
  /** For each `advance` under way, the work that it still waits for. Timers that fire by themselves meanwhile add theirs. */
  const awaited = new Set<Promise<void>[]>()
  const now = () => below.now() + ahead

  function arm(timer: ArmedTimer): void {
    timer.cancel = below.schedule(Math.max(0, timer.at - now()), () => {
      timers.delete(timer)
      const work = timer.task()
      if (work !== undefined) for (const works of awaited) works.push(work)
      return work
    })
  }

  function disarm(timer: ArmedTimer): void {
    timers.delete(timer)
    timer.cancel()
  }

  return {
    now,
    schedule: (delayMs, task) => {
      const timer = { at: now() + delayMs, task, cancel: () => {} }
      timers.add(timer)
      arm(timer)
      return () => disarm(timer)
    },
    advance: async (duration) => {
      const end = now() + milliseconds(duration)
      const goOnTo = (at: number) => {
        ahead += Math.max(0, at - now())
      }
      const works: Promise<void>[] = []
      awaited.add(works)
      try {
        for (let due = earliest(timers, end); due !== undefined; due = earliest(timers, end)) {
          disarm(due)
          goOnTo(due.at)
          const work = due.task()
          if (work !== undefined) works.push(work)
          for (let next = works.shift(); next !== undefined; next = works.shift()) await next
        }
      } finally {
        awaited.delete(works)
      }
      goOnTo(end)
      for (const timer of timers) {
        timer.cancel()
        arm(timer)
      }
    },
  }
}
