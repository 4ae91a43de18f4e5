import { type Intent, LEAST_WAIT_MS, waitBeforeNextLook } from '@tallystick/client'

/** When the status is asked for next, by the schedule of docs/guides/unknown.md. */
export function nextCheck({ sentAt, createdAt }: Intent, now: number, fraction: number): number {
  return now + Math.max(LEAST_WAIT_MS, waitBeforeNextLook(now - (sentAt ?? createdAt), fraction))
}

/**
 * The next check of an intent that was looked at: sooner, where a callback came while the look was under way. One look
 * per order in two seconds at most.
 */
export function notLaterThanWoken(fresh: Intent, lookedSince: number, planned: number | undefined): number | undefined {
  const { wokenAt = Number.NEGATIVE_INFINITY } = fresh
  if (wokenAt < lookedSince) return planned
  return Math.min(planned ?? Number.POSITIVE_INFINITY, lookedSince + LEAST_WAIT_MS)
}
