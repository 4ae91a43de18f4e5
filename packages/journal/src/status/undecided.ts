import type { Intent, Observation, ReviewReason } from '@tallystick/client'
import { exponentOf, fromMinorUnits } from '@tallystick/core'
import { withEvidence } from '../intents/evidence.ts'
import { kept, moved, sameObservation } from '../intents/states.ts'
import { isTooOld } from './absence.ts'
import { nextCheck } from './next-check.ts'
import { type Circumstances, type Decision, decided } from './status-result.ts'

/** The status can decide nothing, and is not asked again. */
export function decidesNothing(intent: Intent, { now }: Circumstances): Decision {
  return decided(kept(intent, { lookedAt: now, nextCheckAt: undefined }))
}

/** Nothing is decided: the status is asked again for thirty days. Then an operator decides, unless it is presumed absent. */
export function later(intent: Intent, seen: string, at: Circumstances): Decision {
  const { now, fraction } = at
  const told = { lookedAt: now, evidence: withEvidence(intent, now, seen) }
  if (!isTooOld(intent, at)) return decided(kept(intent, { ...told, nextCheckAt: nextCheck(intent, now, fraction) }))
  if (intent.state === 'PRESUMED_ABSENT') return decided(kept(intent, { ...told, nextCheckAt: undefined }))
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
