import type { Intent } from '@tallystick/client'
import { isFinalStatus, type ReplyValues } from '@tallystick/core'
import { withEvidence } from '../evidence.ts'
import { isAtCheckedStage, kept, sameObservation } from '../states.ts'
import { isTooOld } from './absence.ts'
import { changedNothing } from './changed-nothing.ts'
import { type Circumstances, type Decision, decided, type Look, observationOf } from './look.ts'
import { decideModification } from './modification.ts'
import { nextCheck } from './next-check.ts'
import { noticeOf } from './notice-of.ts'
import { paidAfterAll } from './paid-after-all.ts'

/**
 * Decides what a status check means for an order whose opening is final: whether something has happened to it since, such as a
 * chargeback or a reversal that the merchant did not ask for here. The amount kept tells two otherwise equal ones apart.
 */
export function decideNotice(intent: Intent, look: Look, at: Circumstances): Decision {
  const { now, exponents } = at
  if (look.kind !== 'found' || isAnother(intent, look.reply)) return again(intent, at)
  // A modification asked for here is reported by its own intent. What happens meanwhile is reported once that has ended.
  if (isHeld(at) || hasArrivedLate(look, at)) return again(intent, at)
  const { observed: before } = intent
  const observed = observationOf(look.reply, exponents, intent.currency)
  // Something is under way: ask again for its outcome. A payout that was only checked waits for its second step.
  if (!isFinalStatus(observed.status) && !isAtCheckedStage(observed)) return again(intent, at)
  if (before === undefined || sameObservation(before, observed)) {
    return decided(kept(intent, { observed, lookedAt: now, nextCheckAt: undefined }))
  }
  const evidence = withEvidence(intent, now, `${observed.transactionType ?? 'order'} ${observed.status}`)
  const paid = paidAfterAll(intent, observed, at.modifications)
  const told = kept(paid?.intent ?? intent, { observed, lookedAt: now, nextCheckAt: undefined, evidence })
  return decided(told, paid?.outcomes ?? noticeOf(intent, before, observed, at.modifications))
}

/** Whether the status is that of another order under the same client order id. */
function isAnother({ orderId }: Intent, reply: ReplyValues<'status'>): boolean {
  return orderId !== undefined && orderId !== reply.orderId
}

/** Whether a modification that was sent from here is not decided yet. One that never left may stay undecided for ever. */
export function isHeld({ modifications }: Pick<Circumstances, 'modifications'>): boolean {
  return modifications.some((modification) => modification.holdsOrder && !changedNothing(modification))
}

/** Whether the status shows a modification that was presumed absent: the next status check of that one reports it. */
function hasArrivedLate(look: Look, at: Circumstances): boolean {
  return at.modifications.some(
    (modification) =>
      modification.state === 'PRESUMED_ABSENT' &&
      modification.nextCheckAt !== undefined &&
      decideModification(modification, look, at).intent.state === 'FINAL',
  )
}

/**
 * The status is asked again by the schedule, counted from the last callback or, if none came, from the payment: for thirty days,
 * and for as long as a modification is not decided.
 */
function again(intent: Intent, at: Circumstances): Decision {
  const { now, fraction } = at
  const counted = { ...intent, sentAt: intent.wokenAt ?? intent.sentAt }
  const isOver = isTooOld(counted, now) && !isHeld(at)
  return decided(kept(intent, { lookedAt: now, nextCheckAt: isOver ? undefined : nextCheck(counted, now, fraction) }))
}
