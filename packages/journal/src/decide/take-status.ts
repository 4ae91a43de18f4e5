import type { Intent } from '@tallystick/client'
import { isFinalStatus } from '@tallystick/core'
import { moved } from '../states.ts'
import { lessBy } from './difference-of.ts'
import { keptAfter } from './kept-after.ts'
import type { Circumstances, Decision } from './look.ts'
import { modificationOutcome } from './modification-outcome.ts'
import { isUnchanged, keepsMore, mayLookAsBefore } from './modification-shown.ts'
import { endedBefore, type Named, openingOutcomes, openingStatus } from './opening.ts'

/**
 * What follows where a person takes the status that an intent in review was told, though it differs: it is read as that of any
 * other intent, but nothing is compared. `undefined`: it tells no outcome of the intent.
 */
export function takeStatus(intent: Intent, at: Circumstances): Taken | undefined {
  return intent.kind === 'modification' ? takeForModification(intent, at) : takeForOpening(intent, at)
}

/** Without events: nobody has to hear of what a person has decided. */
type Taken = Omit<Decision, 'events'>

function takeForOpening(intent: Intent, at: Circumstances): Taken | undefined {
  const { observed } = intent
  if (observed === undefined) return undefined
  const status = openingStatus(intent, observed)
  if (status === undefined) return undefined
  // While a person had it nobody looked: what has happened to the order since is asked for.
  const asked = { observed, wokenAt: at.now }
  // What was seen may be a change of the merchant's own, or come after one.
  return endedBefore(intent, asked, at) ?? endedAs(intent, { ...asked, status, nextCheckAt: at.now }, at)
}

function endedAs(intent: Intent, named: Named, at: Circumstances): Taken {
  const final = moved(intent, 'FINAL', named)
  return { intent: final, outcomes: openingOutcomes(final, named.observed, at) }
}

/**
 * Where the order changed by more than was asked for, the rest is another's: the payment is asked for that. Where it changed by
 * less, that is what the person takes, and what is told.
 */
function takeForModification(intent: Intent, { modifications }: Circumstances): Taken | undefined {
  const { before, observed } = intent
  if (observed === undefined || !isFinalStatus(observed.status)) return undefined
  if (isUnchanged(intent, observed) && !mayLookAsBefore(intent, observed)) return undefined
  const left = keptAfter(intent, observed, modifications)
  const isChangedSince = lessBy(left, observed.amount) !== undefined
  const after = isChangedSince ? { ...observed, amount: left } : observed
  const final = moved(intent, 'FINAL', { status: observed.status, observed: after, nextCheckAt: undefined })
  const outcome = modificationOutcome(final, after)
  const amount = keepsMore(observed, left) ? lessBy(before?.amount, observed.amount) : outcome.amount
  return { intent: final, outcomes: [{ ...outcome, amount }], isChangedSince }
}
