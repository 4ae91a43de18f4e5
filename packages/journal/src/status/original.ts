import type { Intent, IntentChange } from '@tallystick/client/ports'
import type { ReplyValues } from '@tallystick/core'
import { moved, withEvidence } from '../intents/states.ts'
import { isAbsenceProven, isAbsentLongEnough, isTooOld, mayCountAbsence, NO_ABSENCE, withAbsence } from './absence.ts'
import { isUnderWay, type Named, openingEnded, openingStatus } from './original-outcome.ts'
import { nextCheck } from './poll.ts'
import {
  type Circumstances,
  type Decision,
  decided,
  isOfOrder,
  observationOf,
  type StatusResult,
} from './status-result.ts'
import { isJudged, later, mismatchOf, moneyOf, otherOrder, refusalConfirmed, review } from './undecided.ts'

/** Decides what a status check means for an operation that makes an order (docs/guides/unknown.md). */
export function decideOpening(intent: Intent, result: StatusResult, at: Circumstances): Decision {
  switch (result.kind) {
    case 'found':
      return found(intent, result.reply, at)
    case 'other':
      return otherOrder(intent, `order ${result.orderId}`, at)
    case 'absent':
      return absent(intent, result.seen, at)
    case 'silent':
      return later(intent, result.seen, at)
  }
}

function found(intent: Intent, reply: ReplyValues<'status'>, at: Circumstances): Decision {
  const { now, exponents } = at
  const { orderId } = reply
  const seen = `status ${reply.status}`
  const mismatch = mismatchOf(intent, reply, exponents)
  if (mismatch === 'ORDER_DIFFERS') {
    return isNameless(intent, reply)
      ? nameless(intent, reply, at)
      : otherOrder(intent, `${seen} of order ${orderId}`, at)
  }
  const observed = observationOf(reply, exponents, intent.currency)
  if (isJudged(intent, observed)) return later(intent, seen, at)
  const status = openingStatus(intent, observed)
  if (status === undefined && isTooOld(intent, at)) return review({ ...intent, orderId, observed }, 'TOO_OLD', seen, at)
  if (status !== undefined && mismatch !== undefined) {
    return review({ ...intent, orderId, observed }, mismatch, `${seen} of ${moneyOf(reply)}`, at)
  }
  const evidence = withEvidence(intent, now, seen)
  const named = { ...NO_ABSENCE, orderId, observed, lookedAt: now, evidence, rejection: undefined }
  const { intent: after, outcomes } =
    status === undefined ? accepted(intent, named, at) : final(intent, { ...named, status }, at)
  return decided(after, outcomes, isLate(intent) ? ['ARRIVED_LATE'] : [])
}

/** The gateway knows the order, and has not decided on it yet. */
function accepted(intent: Intent, named: Partial<Intent>, { now, fraction }: Circumstances): IntentChange {
  const nextCheckAt = nextCheck(intent, now, fraction)
  return { intent: moved(intent, 'ACCEPTED', { ...named, nextCheckAt }), outcomes: [] }
}

function final(intent: Intent, named: Named, at: Circumstances): IntentChange {
  const nextCheckAt = isUnderWay(named.observed) ? nextCheck(intent, at.now, at.fraction) : undefined
  // Several orders may share the client order id, and only now it is known which of them is this intent's.
  const modifications = at.modifications.filter((one) => isOfOrder(one, named))
  return openingEnded(intent, { ...named, nextCheckAt }, { ...at, modifications })
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

function isLate({ state }: Intent): boolean {
  return state === 'PRESUMED_ABSENT'
}

/** The gateway says that it knows no such order now. */
function absent(intent: Intent, seen: string, at: Circumstances): Decision {
  const { now, lastAnswerAt } = at
  // An order that the gateway once named is never absent, whatever it says later, even if an operator has asked again.
  if (intent.state === 'ACCEPTED' || intent.orderId !== undefined) return later(intent, seen, at)
  const changes = { ...withAbsence(intent, now), lookedAt: now, evidence: withEvidence(intent, now, seen) }
  if (intent.state === 'REJECTED') return refusalConfirmed(intent, changes)
  if (!mayCountAbsence(intent, now, lastAnswerAt)) return later(intent, seen, at)
  const counted = { ...intent, ...changes }
  if (intent.state === 'UNKNOWN' && isAbsentLongEnough(counted, now) && isAbsenceProven(counted, lastAnswerAt)) {
    const nextCheckAt = nextCheck(intent, now, at.fraction)
    return decided(moved(intent, 'PRESUMED_ABSENT', { ...changes, nextCheckAt }), [], ['PRESUMED_ABSENT'])
  }
  return later(counted, seen, at)
}
