import { type Clock, type VirtualClock, virtualClock } from '@tallystick/gateway'

/** The clock of a process that may be killed at any time: its killer knows its time, for the next process. */
export interface ToldClock extends Clock {
  advance: VirtualClock['advance']
  /** Sets it back while the process runs: its timers go on as they were. */
  setBack(milliseconds: number): void
}

/** @param tell called with the time before anything is done at that time */
export function toldClock(start: number, tell: (now: number) => void): ToldClock {
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
