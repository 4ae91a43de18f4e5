import type { Clock } from '@tallystick/client'
import type { Random } from '../../../../scripts/proof/random.ts'

const MINUTE = 60_000
/** The clocks of two machines are no further apart. */
const APART_MS = 2800
/** The clock of one that is alone may be set by so much, forward or back. */
const LONGEST_STEP_MS = 10 * MINUTE

/** The clock of a machine, which is not quite right; that of one that is alone is set now and then. */
export function machineClock(time: Clock, isAlone: boolean, random: Random): Clock {
  let aheadMs = random.below(APART_MS) - APART_MS / 2
  if (isAlone && random.below(4) === 0) {
    time.schedule(random.below(8 * MINUTE), () => {
      aheadMs += random.below(2 * LONGEST_STEP_MS) - LONGEST_STEP_MS
    })
  }
  return { now: () => time.now() + aheadMs, schedule: time.schedule }
}

export function after(delayMs: number, { schedule }: Pick<Clock, 'schedule'>): Promise<void> {
  return new Promise((resolve) => void schedule(delayMs, resolve))
}
