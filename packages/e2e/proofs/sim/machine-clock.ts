import type { Clock } from '@tallystick/client'
import type { Random } from '@tallystick/proof-kit'

const MINUTE = 60_000
/**
 * How wrong a clock may be. Those of two machines differ by at most 2.8 seconds; that of a single machine may be set by minutes
 * or hours. So what is sent looks at most a day old, and is still checked every hour.
 */
const WRONG_BY_MS = { seconds: 1400, minutes: 10 * MINUTE, hours: 9 * 60 * MINUTE } as const
/** How often it is set. */
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
