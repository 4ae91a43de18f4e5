import { type Intent, LEAST_WAIT_MS, waitBeforeNextLook } from '@tallystick/client'
import { isAhead } from './ahead.ts'

/** When the status is asked for next, by the schedule of docs/guides/unknown.md. */
export function nextCheck({ sentAt, createdAt }: Intent, now: number, fraction: number): number {
  return now + Math.max(LEAST_WAIT_MS, waitBeforeNextLook(now - (sentAt ?? createdAt), fraction))
}

/** When it was last looked at. What lies ahead was written before the clock was set back, and tells nothing. */
export function lastLookAt({ lookedAt = Number.NEGATIVE_INFINITY }: Intent, now: number): number {
  return isAhead(lookedAt, now) ? Number.NEGATIVE_INFINITY : lookedAt
}

/**
 * The next check of an intent that was looked at: sooner, where a callback came since it was read for that. By what is written
 * and not by when, because the clocks of two machines are apart. One look per order in two seconds at most.
 */
export function notLaterThanWoken(fresh: Intent, asked: WhenAsked, planned: number | undefined): number | undefined {
  if (fresh.wokenAt === asked.intent.wokenAt) return planned
  return Math.min(planned ?? Number.POSITIVE_INFINITY, asked.since + LEAST_WAIT_MS)
}

/** An intent as it was read for a question, and when that was asked. */
interface WhenAsked {
  readonly intent: Pick<Intent, 'wokenAt'>
  readonly since: number
}
