import type { Intent, Observation, ReviewReason } from '@tallystick/client/ports'
import { type Exponents, fromMinorUnits, type ReplyValues } from '@tallystick/core'
import { changeShown, exponentOf } from '@tallystick/core/internal'
import { minorUnitsOf } from '../intents/operation-facts.ts'
import { kept, moved, sameObservation, withEvidence } from '../intents/states.ts'
import { isTooOld } from './absence.ts'
import { nextCheck } from './poll.ts'
import { type Circumstances, type Decision, decided } from './status-result.ts'

/** The status can decide nothing, and is not asked again. */
export function decidesNothing(intent: Intent, { now }: Circumstances): Decision {
  return decided(kept(intent, { lookedAt: now, nextCheckAt: undefined }))
}

/** Nothing is decided: the status is asked again for thirty days. Then an operator decides, unless it is presumed absent. */
export function later(intent: Intent, seen: string, at: Circumstances): Decision {
  const { now, fraction } = at
  const changes = { lookedAt: now, evidence: withEvidence(intent, now, seen) }
  if (!isTooOld(intent, at)) return decided(kept(intent, { ...changes, nextCheckAt: nextCheck(intent, now, fraction) }))
  if (intent.state === 'PRESUMED_ABSENT') return decided(kept(intent, { ...changes, nextCheckAt: undefined }))
  return review(intent, 'TOO_OLD', seen, at)
}

/**
 * The gateway answers with another order: an operator has to look at it, unless one has done so before.
 *
 * @param observed its status, if it may be the intent's own: then the operator may take it, and is asked again if it changes
 */
export function otherOrder(intent: Intent, seen: string, at: Circumstances, observed?: Observation): Decision {
  const isKnown = observed === undefined || isSameOrder(intent.observed, observed)
  if (wasJudged(intent) && intent.reviewReason === 'ORDER_DIFFERS' && isKnown) return later(intent, seen, at)
  return review({ ...intent, ...(observed && { observed }) }, 'ORDER_DIFFERS', seen, at)
}

function isSameOrder(shown: Observation | undefined, observed: Observation): boolean {
  return shown !== undefined && shown.orderId === observed.orderId && sameObservation(shown, observed)
}

/** Whether an operator has seen exactly this status and decided that nothing was charged: shown again, it changes nothing. */
export function isJudged(intent: Intent, observed: Observation): boolean {
  const { reviewReason, observed: shown } = intent
  if (!wasJudged(intent) || reviewReason === 'ORDER_DIFFERS' || shown === undefined) return false
  const { initialAmount, currency } = observed
  return sameObservation(shown, observed) && shown.initialAmount === initialAmount && shown.currency === currency
}

/** Whether it is presumed absent by an operator's decision. */
function wasJudged({ state, reviewReason }: Intent): boolean {
  return state === 'PRESUMED_ABSENT' && reviewReason !== undefined
}

/** An operator has to look at it. */
export function review(intent: Intent, reviewReason: ReviewReason, seen: string, at: Circumstances): Decision {
  const { now } = at
  const evidence = withEvidence(intent, now, `${reviewReason}: ${seen}${askedOf(intent, at)}`)
  const changes = { reviewReason, evidence, lookedAt: now, nextCheckAt: undefined }
  return decided(moved(intent, 'REVIEW', changes), [], ['REVIEW'])
}

/** The amounts asked for, so that the operator can compare them with what was seen. */
function askedOf({ amounts, currency }: Intent, { exponents }: Circumstances): string {
  if (amounts.length === 0) return ''
  const exponent = exponentOf(currency, exponents)
  const asked = amounts.map((minor) => fromMinorUnits(minor, exponent))
  return `; asked for: ${asked.join(' or ')} ${currency ?? ''}`.trimEnd()
}

/**
 * Why a status cannot be the outcome of an intent: another order, another amount, another currency. Otherwise the control of a
 * callback and the status of a wrong order would pass (CVE-2026-9189).
 *
 * The client has refused a status with another client order id already. One that names none is taken if the gateway's id is
 * known; if the reply that had it was lost, nothing else would tie the status to the intent.
 */
export function mismatchOf(
  { orderId, amounts, currency }: Intent,
  reply: ReplyValues<'status'>,
  exponents: Exponents,
): ReviewReason | undefined {
  const isNamed = orderId === undefined ? reply.clientOrderId !== undefined : orderId === reply.orderId
  if (reply.orderId === undefined || !isNamed) return 'ORDER_DIFFERS'
  if (amounts.length === 0) return undefined
  if (reply.currency !== undefined && reply.currency !== currency) return 'AMOUNT_DIFFERS'
  const isAsked = (amount: string) => {
    const minor = minorUnitsOf(amount, reply.currency ?? currency, exponents)
    return minor !== undefined && amounts.includes(minor)
  }
  return amountsOf(reply).every(isAsked) ? undefined : 'AMOUNT_DIFFERS'
}

/** The money of a status, for the operator. */
export function moneyOf({ amount = '', initialAmount = amount, currency = '' }: ReplyValues<'status'>): string {
  const amounts = amount === initialAmount ? amount : `${initialAmount} (now ${amount})`
  return `${amounts} ${currency}`.trim()
}

/** The amount asked for, as the gateway has it, and the amount taken, unless the status shows a change, which alters it. */
function amountsOf(reply: ReplyValues<'status'>): readonly string[] {
  const { status, amount, initialAmount = amount } = reply
  const taken = status === 'approved' && changeShown(reply) === undefined ? amount : undefined
  return [initialAmount, taken].filter((each) => each !== undefined)
}

/**
 * The status has confirmed that a refused request created nothing. `pay` makes the first check itself and returns what it finds.
 * If that check learned nothing, `pay` has returned `unknown`, and whoever waits for the outcome is notified now; and so it is if
 * the journal itself has sent it.
 */
export function refusalConfirmed(intent: Intent, changes: Partial<Intent>): Decision {
  const confirmed = kept(intent, { ...changes, nextCheckAt: undefined })
  return decided(confirmed, [], intent.lookedAt === undefined ? [] : ['REFUSED'])
}
