/** The time as the gateway reads it, and the only way in which it waits. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /**
   * Runs the task once, after `delayMs` milliseconds. A virtual clock waits for its promise before it advances further. The returned
   * function cancels it.
   */
  schedule(delayMs: number, task: () => void | Promise<void>): () => void
}

/** The clock in whole milliseconds, as times are stored. Rounded down, so that what a timer was set for is due when it runs. */
export function inWholeMilliseconds(clock: Clock): Clock {
  return { now: () => Math.floor(clock.now()), schedule: (delayMs, task) => clock.schedule(delayMs, task) }
}

/** A clock that may be wrong for a while. */
export interface WatchedClock extends Clock {
  /** What time it is at least: of a time that the clock has jumped ahead to, only after an hour is it believed. */
  trusted(): number
}

/** Whether it is a clock that a test or a sandbox advances. */
export function isVirtual(clock: Clock | undefined): clock is VirtualClock {
  return clock !== undefined && 'advance' in clock
}

/** The clock of this machine was set. `code` is `CLOCK_SET`. */
class ClockSetError extends Error {
  override readonly name = 'ClockSetError'
  readonly code = 'CLOCK_SET'
}

/** A clock that is corrected a little at a time jumps by less. */
const JUMP_MS = 60_000
/** How long a clock that jumped ahead is in doubt: until then somebody sets it right, or means it. */
export const DOUBTED_FOR_MS = 3_600_000

interface ClockWatch {
  /** Milliseconds that only go up, as the clock does while nobody sets it. `undefined`: it may jump as it likes. */
  readonly uptime: (() => number) | undefined
  /** Called once for each jump, with the time that was believed until then, and the one that the clock said. */
  readonly onJump: (error: ClockSetError, believed: number, said: number) => void
}

/** Compares a clock with the time that passes, at each reading. */
export function watchedClock(clock: Clock, { uptime = clock.now, onJump }: ClockWatch): WatchedClock {
  let offset = clock.now() - uptime()
  let aheadMs = 0
  let doubtedUntil = 0

  function now(): number {
    const [at, up] = [clock.now(), uptime()]
    const by = at - up - offset
    offset = at - up
    if (Math.abs(by) < JUMP_MS) return at
    const believed = Math.round(at - by - trustedAhead(up))
    const ahead = Math.round(trustedAhead(up) + by)
    aheadMs = ahead < JUMP_MS ? 0 : ahead
    if (by > 0) doubtedUntil = up + DOUBTED_FOR_MS
    onJump(jumpError(by), believed, Math.round(at - by))
    return at
  }

  function trustedAhead(up: number): number {
    return up < doubtedUntil ? aheadMs : 0
  }

  return {
    now,
    schedule: (delayMs, task) => clock.schedule(delayMs, task),
    trusted: () => now() - trustedAhead(uptime()),
  }
}

function jumpError(by: number): ClockSetError {
  const seconds = Math.round(Math.abs(by) / 1000)
  return new ClockSetError(
    by > 0
      ? `The clock of this machine was set ${seconds} s ahead. What expires or is charged by it alone waits for an hour, unless it is set back: set it by NTP`
      : `The clock of this machine was set back by ${seconds} s. What was put off by the wrong time is done at the right one`,
  )
}

interface Timer {
  readonly at: number
  readonly task: () => void | Promise<void>
}

/** A clock that stands still until it is advanced: a test of a fortnight takes milliseconds. */
export interface VirtualClock extends Clock {
  /**
   * Advances by milliseconds, or by a text such as `'14d'`. Tasks that fall due on the way run in order, each at its own time
   * and to its end. Resolves when all of them have run.
   */
  advance(duration: Duration): Promise<void>
  /** Calls the listener before each `advance`, with the milliseconds. The function returned ends that. */
  onAdvance?(listener: (byMs: number) => void): () => void
}

/** A clock for tests, which moves only by `advance`. It starts at the beginning of 2030. */
export function virtualClock(startMs = Date.UTC(2030, 0, 1)): VirtualClock {
  let now = startMs
  const timers = new Set<Timer>()
  const heard = listening<number>()
  return {
    onAdvance: heard.listen,
    now: () => now,
    schedule: (delayMs, task) => {
      const timer = { at: now + delayMs, task }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance: async (duration) => {
      const byMs = milliseconds(duration)
      const end = now + byMs
      heard.tell(byMs)
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

function listening<Told>() {
  const listeners = new Set<(told: Told) => void>()
  return {
    tell: (told: Told) => {
      for (const listener of listeners) listener(told)
    },
    listen: (listener: (told: Told) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
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
  const heard = listening<number>()

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
    onAdvance: heard.listen,
    schedule: (delayMs, task) => {
      const timer = { at: now() + delayMs, task, cancel: () => {} }
      timers.add(timer)
      arm(timer)
      return () => disarm(timer)
    },
    advance: async (duration) => {
      const byMs = milliseconds(duration)
      const end = now() + byMs
      heard.tell(byMs)
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

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/**
 * Milliseconds, or a whole number with its unit: `'30s'`, `'15m'`, `'24h'`, `'14d'`, `'2w'`. The times of an endpoint are whole
 * milliseconds, and 36500 days at most; `settleAfter` alone may be 0.
 */
export type Duration = number | `${number}${keyof typeof UNITS}`

const DURATION = /^(\d+)(ms|[smhdw])$/

/** @throws TypeError when it is none, or below zero */
export function milliseconds(duration: Duration): number {
  if (typeof duration === 'number' && duration >= 0) return duration
  const [, count, unit] = DURATION.exec(String(duration)) ?? []
  if (count === undefined) {
    throw new TypeError(`A duration must be milliseconds from 0 on, or like 30s, 15m, 24h, 14d; it is ${duration}`)
  }
  return Number(count) * UNITS[unit as keyof typeof UNITS]
}
