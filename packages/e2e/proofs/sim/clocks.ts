import { setImmediate } from 'node:timers/promises'
import type { Clock } from '@tallystick/client'
import type { VirtualClock } from '@tallystick/gateway'
import type { Random } from '@tallystick/proof-kit'

interface Timer {
  readonly at: number
  readonly task: () => void | Promise<void>
}

/** A virtual clock that goes on only when nothing is left to do at its instant: no promise is overtaken by a timer. */
export interface SimClock extends VirtualClock {
  advance(milliseconds: number): Promise<void>
}

export function simClock(startMs = Date.UTC(2030, 0, 1)): SimClock {
  let now = startMs
  const timers: Timer[] = []

  /** Timers that are due at the same time run in the order in which they were set. */
  function schedule(delayMs: number, task: () => void | Promise<void>): () => void {
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

const MINUTE = 60_000
/**
 * How wrong a clock may be. Those of two machines differ by at most 2.8 seconds; that of a single machine may be set by minutes
 * or hours. So what is sent looks at most a day old, and is still checked every hour.
 */
const WRONG_BY_MS = { seconds: 1400, minutes: 10 * MINUTE, hours: 9 * 60 * MINUTE } as const
const MOST_TIMES_SET = 3
const SET_WITHIN_MS = 30 * MINUTE

export type WrongBy = keyof typeof WRONG_BY_MS

/** The clock of a machine, which is not quite right, and is set now and then. */
export function machineClock(time: Clock, wrongBy: WrongBy, random: Random): Clock {
  const draw = (by: WrongBy) => random.below(2 * WRONG_BY_MS[by]) - WRONG_BY_MS[by]
  let aheadMs = draw('seconds')
  for (let times = random.below(1 + MOST_TIMES_SET); times > 0; times--) {
    time.schedule(random.below(SET_WITHIN_MS), () => {
      aheadMs = draw(wrongBy)
    })
  }
  return { now: () => time.now() + aheadMs, schedule: time.schedule }
}

export function after(delayMs: number, { schedule }: Pick<Clock, 'schedule'>): Promise<void> {
  return new Promise((resolve) => void schedule(delayMs, resolve))
}
