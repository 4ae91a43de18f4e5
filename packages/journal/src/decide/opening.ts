import type { Intent, IntentChange, NewOutcome, Observation } from '@tallystick/client'
import { changeShown, isFinalStatus, type ReplyValues, type Status } from '@tallystick/core'
import { withEvidence } from '../evidence.ts'
import { CHECKED, chargedNothing, isAtCheckedStage, moved } from '../states.ts'
import { isAbsenceProven, isAbsentLongEnough, isTooOld, mayCountAbsence, NO_ABSENCE, withAbsence } from './absence.ts'
import { changedNothing } from './changed-nothing.ts'
import { namesOf } from './intent-names.ts'
import { isOfOrder } from './is-of-order.ts'
import { type Circumstances, type Decision, decided, type Look, observationOf } from './look.ts'
import { mismatchOf, moneyOf } from './mismatch.ts'
import { missedBetween } from './missed-until.ts'
import { mayHaveMade } from './modification-shown.ts'
import { nextCheck } from './next-check.ts'
import { noticeOf } from './notice-of.ts'
import { reasonOf } from './reason-of.ts'
import { refusalConfirmed } from './refusal-confirmed.ts'
import { isJudged, later, otherOrder, review } from './undecided.ts'

/** Decides what a status check means for an operation that makes an order (docs/guides/unknown.md). */
export function decideOpening(intent: Intent, look: Look, at: Circumstances): Decision {
  switch (look.kind) {
    case 'found':
      return found(intent, look.reply, at)
    case 'other':
      return otherOrder(intent, `order ${look.orderId}`, at)
    case 'absent':
      return absent(intent, look.seen, at)
    case 'silent':
      return later(intent, look.seen, at)
  }
}

function found(intent: Intent, reply: ReplyValues<'status'>, at: Circumstances): Decision {
  const { now, fraction, exponents } = at
  const observed = observationOf(reply, exponents, intent.currency)
  const seen = `status ${reply.status}`
  const evidence = withEvidence(intent, now, seen)
  const told = { ...NO_ABSENCE, observed, lookedAt: now, evidence, rejection: undefined }
  const status = openingStatus(intent, observed)
  const mismatch = mismatchOf(intent, reply, exponents)
  if (mismatch === 'ORDER_DIFFERS' && isNameless(intent, reply)) return nameless(intent, reply, at)
  if (mismatch === 'ORDER_DIFFERS') return otherOrder(intent, `${seen} of order ${reply.orderId}`, at)
  if (isJudged(intent, observed)) return later(intent, seen, at)
  if (status === undefined) {
    const named = { ...told, orderId: reply.orderId, nextCheckAt: nextCheck(intent, now, fraction) }
    if (isTooOld(intent, now)) return review({ ...intent, orderId: reply.orderId, observed }, 'TOO_OLD', seen, at)
    return decided(moved(intent, 'ACCEPTED', named), [], isLate(intent) ? ['ARRIVED_LATE'] : [])
  }
  if (mismatch !== undefined) {
    return review({ ...intent, orderId: reply.orderId, observed }, mismatch, `${seen} of ${moneyOf(reply)}`, at)
  }
  const nextCheckAt = isUnderWay(observed) ? nextCheck(intent, now, fraction) : undefined
  const named = { ...told, orderId: reply.orderId, status, nextCheckAt }
  // Several orders may share the client order id, and only now it is known which of them is this intent's.
  const ofOrder = { ...at, modifications: at.modifications.filter((one) => isOfOrder(one, named)) }
  const { intent: final, outcomes } = ended(intent, named, ofOrder)
  return decided(final, outcomes, isLate(intent) ? ['ARRIVED_LATE'] : [])
}

/** Whether a status names an order, and nothing but the connection says that it is the one of the intent. */
function isNameless(intent: Intent, reply: ReplyValues<'status'>): boolean {
  return intent.orderId === undefined && reply.orderId !== undefined && reply.clientOrderId === undefined
}

/** It is the order of the intent, most likely: an operator who finds it at the gateway may take its status. */
function nameless(intent: Intent, reply: ReplyValues<'status'>, at: Circumstances): Decision {
  const { status, orderId } = reply
  const seen = `status ${status} of order ${orderId}, which names no client order id: ${moneyOf(reply)}`
  return otherOrder(intent, seen, at, { ...observationOf(reply, at.exponents, intent.currency), orderId })
}

/** The changes to write for an opening that is final now. */
type Named = Partial<Intent> & { readonly observed: Observation }

/** What follows for an opening that is final now. */
export function ended(intent: Intent, named: Named, at: Circumstances): IntentChange {
  if (intent.status !== undefined) return endedAgain(intent, named, at)
  const before = endedBefore(intent, named, at)
  if (before !== undefined) return before
  const final = moved(intent, 'FINAL', named)
  return { intent: final, outcomes: openingOutcomes(final, named.observed, at) }
}

/**
 * An opening that was final before, and went to review when it was shown as paid after all. The merchant was told that it failed,
 * so that is no news.
 */
function endedAgain(intent: Intent, named: Named, at: Circumstances): IntentChange {
  const final = moved(intent, 'FINAL', named)
  return { intent: final, outcomes: chargedNothing(final) ? [] : noticesOfPaid(final, named.observed, at) }
}

/**
 * If the merchant changed the order before its outcome was seen, the outcome is reported as it was before those changes, which
 * their own intents report. The next status check, due at once, finds what else has happened since.
 */
function endedBefore(intent: Intent, named: Named, { now, modifications }: Circumstances): IntentChange | undefined {
  const made = modifications.filter((modification) => !changedNothing(modification))
  const shown = made.map(({ before }) => before).find((before) => isOpened(intent, before))
  if (shown === undefined) return undefined
  const status = openingStatus(intent, shown)
  const done = modifications.filter(({ state }) => state === 'FINAL')
  const observed = done.at(-1)?.observed ?? shown
  const final = moved(intent, 'FINAL', { ...named, status, observed, nextCheckAt: now })
  const outcomes = [...openingOutcomes(final, shown, { modifications: [] }), ...missedBetween(final, shown, done)]
  return { intent: final, outcomes }
}

/** Whether the payment had succeeded by then, so that there was something to change. */
function isOpened(intent: Intent, shown: Observation | undefined): boolean {
  const status = shown && openingStatus(intent, shown)
  return status === 'approved' || status === CHECKED
}

/**
 * The final status of the operation that opened the order; `undefined` while there is none. If the status shows a capture or a
 * reversal, the opening was approved.
 */
export function openingStatus({ operation }: Intent, observed: Observation): Status | undefined {
  if (isFollowUp(observed)) return 'approved'
  if (operation === 'payoutCheck' && isAtCheckedStage(observed)) return CHECKED
  return isFinalStatus(observed.status) ? observed.status : undefined
}

function isFollowUp(observed: Observation): boolean {
  return changeShown(observed) !== undefined
}

/** Whether an operation that is not decided yet is changing the order. */
export function isUnderWay(observed: Observation): boolean {
  return isFollowUp(observed) && !isFinalStatus(observed.status)
}

/** The outcomes to report for an opening that is final now, from what was observed of its order. */
function openingOutcomes(
  intent: Intent,
  observed: Observation,
  at: Pick<Circumstances, 'modifications'>,
): readonly NewOutcome[] {
  return [outcomeOf(intent, observed), ...followUpOf(intent, observed, at)]
}

/** The notices of a payment that the merchant was told had failed: that it was paid, and what has become of it since. */
export function noticesOfPaid(
  intent: Intent,
  observed: Observation,
  at: Pick<Circumstances, 'modifications'>,
): readonly NewOutcome[] {
  return openingOutcomes(intent, observed, at).map((outcome) => ({ ...outcome, kind: 'notice' }))
}

/** What happened to the order before its opening was seen to be final, unless a modification's own intent may report it. */
function followUpOf(
  intent: Intent,
  observed: Observation,
  { modifications }: Pick<Circumstances, 'modifications'>,
): readonly NewOutcome[] {
  if (!isFollowUp(observed) || isUnderWay(observed)) return []
  if (modifications.some((modification) => mayHaveMade(modification, observed, modifications))) return []
  return noticeOf(intent, { ...observed, amount: openedWith(intent, observed) }, observed, modifications)
}

/**
 * The amount of the payment itself, which was compared with the one asked for, or which an operator takes as it is. If the
 * request offered several, only the status tells which was taken.
 */
function openedWith({ amounts: [offered, ...others] }: Intent, { initialAmount }: Observation): string | undefined {
  return initialAmount ?? (others.length === 0 ? offered : undefined)
}

function outcomeOf(intent: Intent, observed: Observation): NewOutcome {
  const { currency, status = '' } = intent
  const opened = openedWith(intent, observed)
  return {
    kind: 'outcome',
    ...namesOf(intent),
    status,
    transactionType: isFollowUp(observed) ? undefined : observed.transactionType,
    amount: isFollowUp(observed) ? opened : (observed.amount ?? opened),
    currency: observed.currency ?? currency,
    kept: isFollowUp(observed) ? opened : observed.amount,
    ...reasonOf({ status }, observed),
  }
}

function isLate({ state }: Intent): boolean {
  return state === 'PRESUMED_ABSENT'
}

/** The gateway says that it knows no such order now. */
function absent(intent: Intent, seen: string, at: Circumstances): Decision {
  const { now, lastAnswerAt } = at
  // An order that the gateway once named is never absent, whatever it says later, even if an operator has asked again.
  if (intent.state === 'ACCEPTED' || intent.orderId !== undefined) return later(intent, seen, at)
  const told = { ...withAbsence(intent, now), lookedAt: now, evidence: withEvidence(intent, now, seen) }
  if (intent.state === 'REJECTED') return refusalConfirmed(intent, told)
  if (!mayCountAbsence(intent, now, lastAnswerAt)) return later(intent, seen, at)
  const counted = { ...intent, ...told }
  if (intent.state === 'UNKNOWN' && isAbsentLongEnough(counted, now) && isAbsenceProven(counted, lastAnswerAt)) {
    const nextCheckAt = nextCheck(intent, now, at.fraction)
    return decided(moved(intent, 'PRESUMED_ABSENT', { ...told, nextCheckAt }), [], ['PRESUMED_ABSENT'])
  }
  return later(counted, seen, at)
}
