import { LEAST_WAIT_MS, pollInterval } from '@tallystick/client/internal'
import type { Intent } from '@tallystick/client/ports'

/** How far apart the clocks of two machines may be, as the README says. */
export const CLOCKS_APART_MS = 3000

/** Whether a stored time lies further ahead than that: then it was written before the clock was set back. */
export function isAhead(at: number | undefined, now: number): boolean {
  return at !== undefined && at > now + CLOCKS_APART_MS
}

/** When the next status check is due, by the schedule of docs/guides/unknown.md. */
export function nextCheck(
  { sentAt, createdAt }: Pick<Intent, 'sentAt' | 'createdAt'>,
  now: number,
  fraction: number,
): number {
  return now + Math.max(LEAST_WAIT_MS, pollInterval(now - (sentAt ?? createdAt), fraction))
}

/** When the status was last checked. A time in the future was written before the clock was set back and says nothing. */
export function lastCheckAt({ lookedAt = Number.NEGATIVE_INFINITY }: Intent, now: number): number {
  return isAhead(lookedAt, now) ? Number.NEGATIVE_INFINITY : lookedAt
}

/**
 * The next check of an intent after a status check: sooner if a callback came since the intent was read for it. Only whether
 * `wokenAt` has changed counts, because the clocks of two machines differ. An order is checked at most once in two seconds.
 */
export function notLaterThanWoken(fresh: Intent, asked: WhenAsked, planned: number | undefined): number | undefined {
  if (fresh.wokenAt === asked.intent.wokenAt) return planned
  return Math.min(planned ?? Number.POSITIVE_INFINITY, asked.since + LEAST_WAIT_MS)
}

/** An intent as it was read for a status check, and when that check began. */
interface WhenAsked {
  readonly intent: Pick<Intent, 'wokenAt'>
  readonly since: number
}
