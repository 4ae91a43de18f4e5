import { type Clock, type VirtualClock, virtualClock } from '@tallystick/gateway'

/** The machine's clock, this much ahead. */
export function clockAhead(milliseconds: number): Clock {
  return {
    now: () => Date.now() + milliseconds,
    schedule: (delayMs, task) => {
      const timer = setTimeout(() => void task(), delayMs)
      return () => clearTimeout(timer)
    },
  }
}

/** A virtual clock that tells its time to another process, which knows it when this one is killed. */
export interface ScriptedClock extends Pick<VirtualClock, 'now' | 'schedule' | 'advance'> {
  /** Sets it back while the process runs: its timers go on as they were. */
  setBack(milliseconds: number): void
}

/** @param tell called with the time before anything is done at that time */
export function scriptedClock(start: number, tell: (now: number) => void): ScriptedClock {
  const clock = virtualClock(start)
  let back = 0
  const now = () => clock.now() - back
  return {
    now,
    schedule: (delayMs, task) =>
      clock.schedule(delayMs, () => {
        tell(now())
        return task()
      }),
    advance: async (duration) => {
      await clock.advance(duration)
      tell(now())
    },
    setBack: (milliseconds) => {
      back += milliseconds
      tell(now())
    },
  }
}
