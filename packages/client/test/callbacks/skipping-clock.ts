import type { Clock } from '../../src/index.ts'

/** A clock that runs each task at once, and goes forward by its delay. */
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
