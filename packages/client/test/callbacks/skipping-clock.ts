import type { Clock } from '../../src/index.ts'

/** A clock on which what waits goes on at once, and which goes forward by as much. */
export function skippingClock(): Clock {
  let now = 0
  return {
    now: () => now,
    schedule: (delayMs, task) => {
      let isOver = false
      queueMicrotask(() => {
        if (isOver) return
        now += delayMs
        task()
      })
      return () => {
        isOver = true
      }
    },
  }
}
