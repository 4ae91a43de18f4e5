import type { Intent } from '@tallystick/client/ports'
import { isAhead } from './poll.ts'
import type { Circumstances } from './status-result.ts'

const MINUTE = 60_000

/** How long a request may still be on its way after its sender has given up on it. */
const QUARANTINE_MS = 15 * MINUTE
/** How often the gateway must say that there is no such order before it is believed. */
const LEAST_ABSENCES = 3
/** The least time from the first to the last of these answers. */
const LEAST_SPREAD_MS = 15 * MINUTE

/** How long the journal watches an intent that has no outcome or is presumed absent. */
const WATCH_MS = 30 * 24 * 60 * MINUTE

/** An intent with one more signed answer that there is no such order, or that the order is unchanged. */
export function withAbsence(
  { absences, firstAbsenceAt }: Intent,
  now: number,
): Pick<Intent, 'absences'> & Partial<Intent> {
  return { absences: absences + 1, firstAbsenceAt: firstAbsenceAt ?? now }
}

/** The intent for a status check made now, with times that still mean something after the clock was set forward or back. */
export function asOfNow(intent: Intent, now: number): Intent {
  return withoutLateness(sinceSetBack(intent, now), now)
}

/**
 * Times in the future were written before the clock was set back. How long ago that was cannot be known, so the schedule, the
 * quarantine and the count of absences start over.
 */
function sinceSetBack(intent: Intent, now: number): Intent {
  const notAhead = (at: number | undefined) => (isAhead(at, now) ? now : at)
  const [sentAt, wokenAt] = [notAhead(intent.sentAt), notAhead(intent.wokenAt)]
  return { ...intent, sentAt, wokenAt, ...(isAhead(intent.firstAbsenceAt, now) && NO_ABSENCE) }
}

/**
 * Only the planned waits between status checks count towards the time of absence. If the clock was set forward or the journal
 * was down, the check is late by that much, and nobody asked in that time.
 */
function withoutLateness(intent: Intent, now: number): Intent {
  const { firstAbsenceAt, lookedAt = now, nextCheckAt = lookedAt } = intent
  if (firstAbsenceAt === undefined) return intent
  const late = Math.max(0, now - Math.max(lookedAt, nextCheckAt))
  return { ...intent, firstAbsenceAt: firstAbsenceAt + late }
}

export const NO_ABSENCE = { absences: 0, firstAbsenceAt: undefined } as const

/** Whether the order was absent often and long enough, and its request cannot still be on its way (docs/guides/unknown.md). */
export function isAbsentLongEnough(intent: Intent, now: number): boolean {
  const { sentAt = now, deadlineMs, absences, firstAbsenceAt = now } = intent
  const isOver = now > sentAt + deadlineMs + QUARANTINE_MS
  return isOver && absences >= LEAST_ABSENCES && now - firstAbsenceAt >= LEAST_SPREAD_MS
}

/**
 * Whether this absence may be counted. A first one may not while the endpoint's last answer about an existing order lies in the
 * future, as it does after the clock was set back: later, that old answer would seem to prove the absence.
 */
export function mayCountAbsence({ firstAbsenceAt }: Intent, now: number, lastAnswerAt = now): boolean {
  return firstAbsenceAt !== undefined || lastAnswerAt <= now
}

/** Whether the same endpoint knew another order since the first absence: one that knows none at all proves nothing. */
export function isAbsenceProven({ firstAbsenceAt }: Intent, lastAnswerAt: number | undefined): boolean {
  return firstAbsenceAt !== undefined && lastAnswerAt !== undefined && lastAnswerAt >= firstAbsenceAt
}

export function isTooOld(
  { sentAt, createdAt }: Pick<Intent, 'sentAt' | 'createdAt'>,
  { now, aheadMs = 0 }: Pick<Circumstances, 'now' | 'aheadMs'>,
): boolean {
  return now - aheadMs - (sentAt ?? createdAt) >= WATCH_MS
}
