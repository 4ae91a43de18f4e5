import type { Delivery } from '../store/delivery.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The waits before the second and later attempts, in milliseconds; after the last, one a day (gaps part 13). */
const WAITS: readonly number[] = [
  ...[5, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12, 12].map((hours) => hours * HOUR),
]

const MAX_ATTEMPTS = 30
const JITTER = 0.2

/** How long after the first attempt the last may be made. */
export const LAST_AFTER_MS = 14 * DAY

/** The longest that a delivery waits, by how often it was sent: a claim lasts a minute. The last is for all above. */
export const LONGEST_WAITS: readonly number[] = [0, ...WAITS, DAY].map((wait) => Math.max(MINUTE, wait * (1 + JITTER)))

export interface AttemptsSoFar {
  /** How many attempts were made. */
  readonly made: number
  /** Milliseconds since the first. */
  readonly elapsedMs: number
  /** From 0 to 1: places the wait within 20 % either side. */
  readonly fraction: number
}

/**
 * How many milliseconds to wait before the next attempt, or `undefined` if there is none: at most 30 in 14 days (gaps part 6
 * and 13).
 */
export function nextWait({ made, elapsedMs, fraction }: AttemptsSoFar): number | undefined {
  if (made >= MAX_ATTEMPTS || elapsedMs >= LAST_AFTER_MS) return undefined
  const wait = (WAITS[made - 1] ?? DAY) * (1 - JITTER + 2 * JITTER * fraction)
  return Math.min(Math.round(wait), LAST_AFTER_MS - elapsedMs)
}

/** Why a delivery was given up or refused. */
export function givenUpBecause({ state, made, firstAt = Infinity, givenUpAt = 0 }: Delivery): string {
  if (state === 'refused') return 'refused by 410'
  if (made >= MAX_ATTEMPTS) return `${made} attempts`
  return givenUpAt - firstAt >= LAST_AFTER_MS ? '14 days' : 'no address any more'
}
