import type { Clock } from '../../src/index.ts'

/** A clock that is advanced by hand, on purpose, so that it never counts as set. After each timer it waits until everything is quiet, since the task itself may never end. */
export function handClock(start: number, quiet: () => Promise<void>) {
  let now = start
  const timers = new Set<{ readonly at: number; readonly task: () => void | Promise<void> }>()
  const nextUntil = (end: number) =>
    [...timers]
      .filter(({ at }) => at <= end)
      .reduce<(typeof timers extends Set<infer T> ? T : never) | undefined>(
        (first, timer) => (first === undefined || timer.at < first.at ? timer : first),
        undefined,
      )
  const clock: Clock = {
    now: () => now,
    schedule: (delayMs, task) => {
      const timer = { at: now + delayMs, task }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  }
  return {
    ...clock,
    advance: async (milliseconds: number) => {
      const end = now + milliseconds
      for (let due = nextUntil(end); due !== undefined; due = nextUntil(end)) {
        timers.delete(due)
        now = Math.max(now, due.at)
        void due.task()
        await quiet()
      }
      now = end
    },
  }
}
