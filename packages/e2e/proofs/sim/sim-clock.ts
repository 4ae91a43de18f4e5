import { setImmediate } from 'node:timers/promises'
import type { ClockTask, VirtualClock } from '@tallystick/gateway'

interface Timer {
  readonly at: number
  readonly task: ClockTask
}

/** A virtual clock that goes on only when nothing is left to do at its instant: no promise is overtaken by a timer. */
export interface SimClock extends VirtualClock {
  advance(milliseconds: number): Promise<void>
}

export function simClock(startMs = Date.UTC(2030, 0, 1)): SimClock {
  let now = startMs
  const timers: Timer[] = []

  /** Timers that are due at the same time run in the order in which they were set. */
  function schedule(delayMs: number, task: ClockTask): () => void {
    const timer = { at: now + delayMs, task }
    const behind = timers.findLastIndex(({ at }) => at <= timer.at)
    timers.splice(behind + 1, 0, timer)
    return () => {
      const at = timers.indexOf(timer)
      if (at >= 0) timers.splice(at, 1)
    }
  }

  return {
    now: () => now,
    schedule,
    advance: async (milliseconds) => {
      const end = now + milliseconds
      await setImmediate()
      for (let next = timers[0]; next !== undefined && next.at <= end; next = timers[0]) {
        timers.shift()
        now = next.at
        void next.task()
        // Everything that the task causes without a timer runs before this resolves.
        await setImmediate()
      }
      now = end
    },
  }
}
