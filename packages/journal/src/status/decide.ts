import type { Intent } from '@tallystick/client/ports'
import { isFinalStatus } from '@tallystick/core'
import { hasStatus, isOpening, moved } from '../intents/states.ts'
import { asOfNow } from './absence.ts'
import { decideModification, modificationOutcome } from './modification.ts'
import { decideNotice } from './notice.ts'
import { decideOpening } from './original.ts'
import { openingEnded, openingStatus } from './original-outcome.ts'
import { remainingAfter } from './remaining-amount.ts'
import { isUnchanged, keepsMore, mayLookAsBefore } from './shown-change.ts'
import { type Circumstances, type Decision, lessBy, type Present, type StatusResult } from './status-result.ts'
import { decidesNothing } from './undecided.ts'
import { watchAtOf } from './watch.ts'

/** Decides what a status check means for an intent. Pure: the model and the simulation of the proofs run it as well. */
export function decideStatus(asked: Intent, result: StatusResult, at: Circumstances): Decision {
  const decision = decide(asOfNow(asked, at.now), result, at)
  return { ...decision, intent: { ...decision.intent, watchAt: watchAtOf(asked, decision.intent, result, at) } }
}

function decide(intent: Intent, result: StatusResult, at: Circumstances): Decision {
  if (!hasStatus(intent)) return decidesNothing(intent, at)
  switch (intent.state) {
    // Nothing to decide: nothing was sent, the answer to the request is awaited, or an operator decides.
    case 'PREPARED':
    case 'NOT_SENT':
    case 'SENDING':
    case 'REVIEW':
      return decidesNothing(intent, at)
    case 'FINAL':
      return isOpening(intent) ? decideNotice(intent, result, at) : decidesNothing(intent, at)
    case 'ACCEPTED':
    case 'REJECTED':
    case 'UNKNOWN':
    case 'PRESUMED_ABSENT':
      return intent.kind === 'modification' ? decideModification(intent, result, at) : decideOpening(intent, result, at)
  }
}

/**
 * What follows if an operator takes the last observed status of an intent in review, though it differs: it is read like that of
 * any other intent, but not compared with the request. `undefined`: it shows no outcome of the intent.
 */
export function takeStatus(intent: Intent, at: Present): Taken | undefined {
  return intent.kind === 'modification' ? takeForModification(intent, at) : takeForOpening(intent, at)
}

/** Without events: the operator who decided needs no report of it. */
type Taken = Omit<Decision, 'events'>

function takeForOpening(intent: Intent, at: Present): Taken | undefined {
  const { observed } = intent
  if (observed === undefined) return undefined
  const status = openingStatus(intent, observed)
  if (status === undefined) return undefined
  // Nobody checked the status while the intent was in review: ask for what has happened to the order since.
  const { orderId = observed.orderId } = intent
  return openingEnded(intent, { observed, status, orderId, wokenAt: at.now, nextCheckAt: at.now }, at)
}

/**
 * If the order changed by more than was asked for, something else took the rest: a status check of the payment finds it. If it
 * changed by less, that smaller amount is what the operator takes and what is reported.
 */
function takeForModification(intent: Intent, { modifications }: Present): Taken | undefined {
  const { before, observed } = intent
  if (observed === undefined || !isFinalStatus(observed.status)) return undefined
  if (isUnchanged(intent, observed) && !mayLookAsBefore(intent, observed)) return undefined
  const left = remainingAfter(intent, observed, modifications)
  const isChangedSince = lessBy(left, observed.amount) !== undefined
  const after = isChangedSince ? { ...observed, amount: left } : observed
  const final = moved(intent, 'FINAL', { status: observed.status, observed: after, nextCheckAt: undefined })
  const outcome = modificationOutcome(final, after)
  const amount = keepsMore(observed, left) ? lessBy(before?.amount, observed.amount) : outcome.amount
  return { intent: final, outcomes: [{ ...outcome, amount }], isChangedSince }
}
