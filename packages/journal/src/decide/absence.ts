import type { Intent } from '@tallystick/client'
import { isAhead } from './ahead.ts'

const MINUTE = 60_000

/** How long a request may be on its way after its sender has given it up. */
export const QUARANTINE_MS = 15 * MINUTE
/** How many times the gateway must have said that there is no such order before it is believed. */
const LEAST_ABSENCES = 3
/** How long these answers must lie apart, from the first to the last. */
const LEAST_SPREAD_MS = 15 * MINUTE

/** How long an intent without an outcome, and one that is presumed absent, is watched. */
export const WATCH_MS = 30 * 24 * 60 * MINUTE

/** An intent with one more signed answer that there is no such order, or that the order is unchanged. */
export function withAbsence(
  { absences, firstAbsenceAt }: Intent,
  now: number,
): Pick<Intent, 'absences'> & Partial<Intent> {
  return { absences: absences + 1, firstAbsenceAt: firstAbsenceAt ?? now }
}

/** An intent for a look that is taken now, by times that still tell something after the clock was set, forward or back. */
export function asOfNow(intent: Intent, now: number): Intent {
  return withoutLateness(sinceSetBack(intent, now), now)
}

/**
 * Times that lie ahead were written before the clock was set back. How long ago they were cannot be known: the schedule, the
 * quarantine and the absences begin anew.
 */
function sinceSetBack(intent: Intent, now: number): Intent {
  const notAhead = (at: number | undefined) => (isAhead(at, now) ? now : at)
  const [sentAt, wokenAt] = [notAhead(intent.sentAt), notAhead(intent.wokenAt)]
  return { ...intent, sentAt, wokenAt, ...(isAhead(intent.firstAbsenceAt, now) && NO_ABSENCE) }
}

/**
 * Only waits that were planned count towards the time for which it was absent: where the clock was set forward meanwhile, or
 * the journal was down, the look is late by that, and nobody asked in that time.
 */
function withoutLateness(intent: Intent, now: number): Intent {
  const { firstAbsenceAt, lookedAt = now, nextCheckAt = lookedAt } = intent
  if (firstAbsenceAt === undefined) return intent
  const late = Math.max(0, now - Math.max(lookedAt, nextCheckAt))
  return { ...intent, firstAbsenceAt: firstAbsenceAt + late }
}

export const NO_ABSENCE = { absences: 0, firstAbsenceAt: undefined } as const

/** Whether it was absent often and long enough, and its request cannot be on its way any more (docs/guides/unknown.md). */
export function isAbsentLongEnough(intent: Intent, now: number): boolean {
  const { sentAt = now, deadlineMs, absences, firstAbsenceAt = now } = intent
  const isOver = now > sentAt + deadlineMs + QUARANTINE_MS
  return isOver && absences >= LEAST_ABSENCES && now - firstAbsenceAt >= LEAST_SPREAD_MS
}

/**
 * Whether an absence may be counted from now on. Not while its endpoint seems to have told of an order later than now, as it does
 * after the clock was set back: once that time has come, an answer from before would seem to prove what was absent since.
 */
export function mayCountAbsence({ firstAbsenceAt }: Intent, now: number, lastAnswerAt = now): boolean {
  return firstAbsenceAt !== undefined || lastAnswerAt <= now
}

/** Whether in that time the same endpoint told of an order that exists: one that knows none at all proves nothing. */
export function isAbsenceProven({ firstAbsenceAt }: Intent, lastAnswerAt: number | undefined): boolean {
  return firstAbsenceAt !== undefined && lastAnswerAt !== undefined && lastAnswerAt >= firstAbsenceAt
}

export function isTooOld({ sentAt, createdAt }: Intent, now: number): boolean {
  return now - (sentAt ?? createdAt) >= WATCH_MS
}
