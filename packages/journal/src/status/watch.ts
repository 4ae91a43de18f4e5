import type { Intent } from '@tallystick/client/ports'
import { isFinalStatus } from '@tallystick/core'
import { asksMoney, chargedNothing, isOpening } from '../intents/states.ts'
import type { Circumstances, StatusResult } from './status-result.ts'

const DAY = 86_400_000
const LEAST_WAIT_MS = DAY
const LONGEST_WAIT_MS = 30 * DAY
const JITTER = 0.2
/** No watch is planned further ahead than this: a later time was written before the clock was set back. */
export const LONGEST_WATCH_WAIT_MS = LONGEST_WAIT_MS * (1 + JITTER)

interface Watched {
  /** When it was paid, or first heard of. */
  readonly since: number
  /** When its status was asked for before. */
  readonly lookedAt: number | undefined
  /** Whether the gateway has answered now, and nothing is under way at the order. */
  readonly isAnswered: boolean
}

/**
 * When the status of an approved order is asked for next: after a quarter of its age, a day at least and thirty days at most, for
 * as long as chargebacks come. Not every gateway calls about them, and none without a `notifyUrl` (gaps part 6).
 */
export function nextWatch(
  { since, lookedAt, isAnswered }: Watched,
  { now, fraction, watchMs = 0 }: Pick<Circumstances, 'now' | 'fraction' | 'watchMs'>,
): number | undefined {
  if (watchMs === 0) return undefined
  const age = Math.max(0, now - since)
  // If nobody asked for long, the clock may be years ahead: it is asked once more, by when the clock was set right or is meant.
  const isGap = lookedAt !== undefined && now - lookedAt > 2 * LONGEST_WATCH_WAIT_MS
  if (age >= watchMs && !isGap) return undefined
  const wait = Math.min(Math.max(age / 4, LEAST_WAIT_MS), LONGEST_WAIT_MS)
  const planned = (isAnswered ? wait : Math.max(wait / 4, LEAST_WAIT_MS)) * (1 + JITTER * (2 * fraction - 1))
  // The last time is at the end.
  return now + (age < watchMs ? Math.min(planned, watchMs - age) : planned)
}

/** When an intent is watched next, after a status check. `before`: as it was asked. Only a payment that took money is watched. */
export function watchAtOf(before: Intent, after: Intent, result: StatusResult, at: Circumstances): number | undefined {
  const isWatched = isOpening(after) && after.state === 'FINAL' && asksMoney(after) && !chargedNothing(after)
  if (!isWatched) return undefined
  const { sentAt: since = after.createdAt } = after
  const isAnswered = result.kind === 'found' ? isFinalStatus(result.reply.status) : isGone(result)
  return nextWatch({ since, lookedAt: isGone(result) ? undefined : before.lookedAt, isAnswered }, at)
}

/** Whether the gateway no longer knows the order. That is asked for no more often, and no longer. */
export function isGone(result: StatusResult | undefined): boolean {
  return result?.kind === 'absent' || result?.kind === 'other'
}
