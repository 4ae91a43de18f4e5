import type { Intent, Observation } from '@tallystick/client/ports'
import { isFinalStatus, type ReplyValues } from '@tallystick/core'
import { isAtCheckedStage, isUndecided, kept, sameObservation, withEvidence } from '../intents/states.ts'
import { isTooOld } from './absence.ts'
import { decideModification } from './modification.ts'
import { lateApproval, noticeOf } from './original-outcome.ts'
import { nextCheck } from './poll.ts'
import { isNoOpChange, isOfItsKind } from './shown-change.ts'
import { type Circumstances, type Decision, decided, observationOf, type StatusResult } from './status-result.ts'
import { mismatchOf, moneyOf, review } from './undecided.ts'
import { isGone } from './watch.ts'

/**
 * Decides what a status check means for an order whose opening is final: whether something has happened to it since, such as a
 * chargeback or a reversal that the merchant did not ask for here. The amount kept tells two otherwise equal ones apart.
 */
export function decideNotice(intent: Intent, result: StatusResult, at: Circumstances): Decision {
  const { now, exponents } = at
  if (result.kind !== 'found' || isAnother(intent, result.reply)) return again(intent, at, result)
  // A modification asked for here is reported by its own intent. What happens meanwhile is reported once that has ended.
  if (isHeld(at)) return again(intent, at)
  const { observed: before } = intent
  const observed = observationOf(result.reply, exponents, intent.currency)
  if (mayHaveArrivedLate(result, observed, at)) return again(intent, at)
  // Something is under way: ask again for its outcome. A payout that was only checked waits for its second step.
  if (!isFinalStatus(observed.status) && !isAtCheckedStage(observed)) return again(intent, at)
  if (before === undefined || sameObservation(before, observed)) {
    return decided(kept(intent, { observed, lookedAt: now, nextCheckAt: undefined }))
  }
  const evidence = withEvidence(intent, now, `${observed.transactionType ?? 'order'} ${observed.status}`)
  const paid = lateApproval(intent, observed, at.modifications)
  const mismatch = paid && mismatchOf(intent, result.reply, exponents)
  if (mismatch !== undefined) {
    const seen = `${observed.status} of ${moneyOf(result.reply)}, after it was ${intent.status}`
    return review({ ...intent, observed }, mismatch, seen, at)
  }
  const changed = kept(paid?.intent ?? intent, { observed, lookedAt: now, nextCheckAt: undefined, evidence })
  return decided(changed, paid?.outcomes ?? noticeOf(intent, before, observed, at.modifications))
}

/** Whether the status is asked for only because the order is watched. */
function isForWatch({ watchAt, nextCheckAt }: Intent): boolean {
  return watchAt !== undefined && nextCheckAt === undefined
}

/** Whether the status is that of another order under the same client order id. */
function isAnother({ orderId }: Intent, reply: ReplyValues<'status'>): boolean {
  return orderId !== undefined && orderId !== reply.orderId
}

/** Whether a modification that was sent from here is not decided yet. One that never left may stay undecided for ever. */
export function isHeld({ modifications }: Pick<Circumstances, 'modifications'>): boolean {
  return modifications.some((modification) => modification.holdsOrder && isPending(modification))
}

/** Whether the outcome of a modification that was sent is still to come, or to come again: it may have arrived late. */
function isPending(modification: Intent): boolean {
  return isUndecided(modification) && !isNoOpChange(modification)
}

/**
 * Whether a modification that was presumed absent may have made what the status shows: its own next status check reports that, or
 * has an operator decide. Were it reported here as well, an operator who takes it would have the same money reported twice.
 */
function mayHaveArrivedLate(result: StatusResult, observed: Observation, at: Circumstances): boolean {
  const isLate = (modification: Intent) =>
    modification.state === 'PRESUMED_ABSENT'
      ? modification.nextCheckAt !== undefined &&
        decideModification(modification, result, at).intent.state !== 'PRESUMED_ABSENT'
      : isPending(modification)
  return at.modifications.some((modification) => isOfItsKind(modification, observed) && isLate(modification))
}

/**
 * The status is asked again by the schedule, counted from the last callback or, if none came, from the payment: for thirty days,
 * and for as long as a modification is not decided. Not if it was asked only because the order is watched: that goes on.
 */
function again(intent: Intent, at: Circumstances, result?: StatusResult): Decision {
  const { now, fraction, modifications } = at
  const counted = { ...intent, sentAt: intent.wokenAt ?? intent.sentAt }
  // An order that the gateway has removed must not seem to be the one that it answered for last.
  if (isForWatch(intent)) return decided(kept(intent, { lookedAt: isGone(result) ? intent.lookedAt : now }))
  const isOver = isTooOld(counted, at) && !modifications.some(isPending)
  return decided(kept(intent, { lookedAt: now, nextCheckAt: isOver ? undefined : nextCheck(counted, now, fraction) }))
}
