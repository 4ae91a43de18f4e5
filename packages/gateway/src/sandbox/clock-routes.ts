import * as z from 'zod'
import type { Clock, VirtualClock } from '../runtime/clock.ts'
import { type Duration, milliseconds } from '../runtime/duration.ts'
import { type Route, readBody, SandboxRequestError } from './route.ts'

const DURATION = 'milliseconds, or like 30s, 15m, 24h, 14d'

const Advance = z.strictObject({ duration: z.custom<Duration>(isDuration, `must be ${DURATION}`) })

/** The last time whose year has four digits. A date can be at most 8.64e15 ms, and what falls due later needs one too. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const TOO_LATE = 'duration: must end in the year 9999 or before'

export const CLOCK_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/clock$/,
    shown: '/__sandbox/clock',
    meaning: 'The time of the gateway. OAuth requests must be signed with it.',
    answer: async (_, { clock }) => ({ body: timeOf(clock) }),
  },
  {
    method: 'POST',
    path: /^\/clock\/advance$/,
    shown: '/__sandbox/clock/advance',
    takes: { duration: DURATION },
    isRecorded: true,
    meaning: 'Advances the time. What falls due on the way is done, in order, before the answer.',
    answer: async ({ body }, { clock, sandbox, settled }) => {
      const { duration } = readBody(Advance, body)
      if (!canAdvance(clock))
        throw new SandboxRequestError('the clock of this gateway cannot be advanced: it is not a virtual one')
      if (clock.now() + milliseconds(duration) > LATEST) throw new SandboxRequestError(TOO_LATE, 'duration')
      await sandbox.callbacksAnswered()
      await clock.advance(duration)
      await settled()
      return { body: timeOf(clock) }
    },
  },
]

function isDuration(value: unknown): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false
  try {
    return Number.isSafeInteger(milliseconds(value as Duration))
  } catch {
    return false
  }
}

function timeOf(clock: Clock) {
  const now = clock.now()
  return { now: new Date(now).toISOString(), seconds: Math.floor(now / 1000) }
}

function canAdvance(clock: Clock): clock is VirtualClock {
  return 'advance' in clock && typeof clock.advance === 'function'
}
