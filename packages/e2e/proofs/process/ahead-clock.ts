import type { Clock } from '@tallystick/client'

export interface AheadClock extends Clock {
  /** Sets it ahead by this much more. Timers that are set stay as they are. */
  goOn(milliseconds: number): void
}

/** The machine's clock, this much ahead. */
export function clockAhead(milliseconds: number): AheadClock {
  let ahead = milliseconds
  return {
    goOn: (more) => {
      ahead += more
    },
    now: () => Date.now() + ahead,
    schedule: (delayMs, task) => {
      const timer = setTimeout(task, delayMs)
      return () => clearTimeout(timer)
    },
  }
}
