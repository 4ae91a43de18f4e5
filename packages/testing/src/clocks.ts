// Not the global timers, which a test may have replaced: these do not measure the time of the test.
import {
  clearTimeout as clearRealTimeout,
  setImmediate as setRealImmediate,
  setTimeout as setRealTimeout,
} from 'node:timers'
import type { Clock as ClientClock } from '@tallystick/client'
import { type Clock, type VirtualClock, virtualClock } from '@tallystick/gateway'
import { advancingClock } from '@tallystick/gateway/internal'

/**
 * A clock that stands still until a test advances it, for both halves: `startGateway({ clock })` and the `clock` of a
 * client. Timers that fall due on the way run in order, each at its own time.
 *
 * @param start its time: a `Date`, milliseconds since 1970, or a text such as `'2030-01-31T12:00:00Z'`. Default the first
 *   of January 2030
 * @throws TypeError if this is no date
 */
export function fakeClock(start: Date | number | string = '2030-01-01T00:00:00Z'): VirtualClock {
  const at = new Date(start).getTime()
  if (Number.isNaN(at))
    throw new TypeError(`fakeClock starts at a date, such as '2030-01-31T12:00:00Z', not at ${String(start)}`)
  return virtualClock(at)
}

/** The machine's time, which a test may advance. As in the gateway's own clock, its timers keep no process alive. */
export function machineClock(): VirtualClock {
  return advancingClock({
    now: () => Date.now(),
    schedule: (delayMs, task) => {
      const timer = setTimeout(() => void task(), delayMs).unref()
      return () => clearTimeout(timer)
    },
  })
}

/** Longer than any test: the timer never fires, it only keeps the process alive. */
const NEVER_MS = 2 ** 31 - 1

/** The clock of a gateway for a client: while the client waits, the process stays alive, as with the client's own clock. */
export function clientClock(clock: Clock): ClientClock {
  return {
    now: () => clock.now(),
    schedule: (delayMs, task) => {
      const presence = setRealTimeout(() => {}, NEVER_MS)
      const cancel = clock.schedule(delayMs, () => {
        clearRealTimeout(presence)
        task()
      })
      return () => {
        clearRealTimeout(presence)
        cancel()
      }
    },
  }
}

/** A clock without waits: each timer fires in the next turn of the event loop, at its own time and in order. */
export function instantClock(): ClientClock {
  const clock = fakeClock()
  return {
    now: () => clock.now(),
    schedule: (delayMs, task) => {
      const at = clock.now() + delayMs
      setRealImmediate(() => void clock.advance(Math.max(0, at - clock.now())))
      return clock.schedule(delayMs, task)
    },
  }
}
