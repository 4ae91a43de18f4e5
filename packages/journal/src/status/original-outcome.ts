import type { Intent, IntentChange, NewOutcome, Observation } from '@tallystick/client'
import { CHECKED, chargedNothing, moved } from '../intents/states.ts'
import { missedBetween } from './downtime.ts'
import { namesOf } from './intent-names.ts'
import { mayHaveMade } from './modification-shown.ts'
import { changedNothing } from './no-op-change.ts'
import { noticeOf } from './notice-of.ts'
import { isFollowUp, isUnderWay, openingStatus } from './original-status.ts'
import { processedOf, reasonOf } from './reason-of.ts'
import type { Present } from './status-result.ts'

/** The changes to write for an opening that is final now. */
export type Named = Partial<Intent> & { readonly observed: Observation }

/** What follows for an opening that is final now. */
export function openingEnded(intent: Intent, named: Named, at: Present): IntentChange {
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
function endedAgain(intent: Intent, named: Named, at: Present): IntentChange {
  const final = moved(intent, 'FINAL', named)
  return { intent: final, outcomes: chargedNothing(final) ? [] : noticesOfPaid(final, named.observed, at) }
}

/**
 * If the merchant changed the order before its outcome was seen, the outcome is reported as it was before those changes, which
 * their own intents report. The next status check, due at once, finds what else has happened since.
 */
function endedBefore(intent: Intent, named: Named, { now, modifications }: Present): IntentChange | undefined {
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

/** The outcomes to report for an opening that is final now, from what was observed of its order. */
function openingOutcomes(
  intent: Intent,
  observed: Observation,
  at: Pick<Present, 'modifications'>,
): readonly NewOutcome[] {
  return [outcomeOf(intent, observed), ...followUpOf(intent, observed, at)]
}

/** The notices of a payment that the merchant was told had failed: that it was paid, and what has become of it since. */
export function noticesOfPaid(
  intent: Intent,
  observed: Observation,
  at: Pick<Present, 'modifications'>,
): readonly NewOutcome[] {
  return openingOutcomes(intent, observed, at).map((outcome) => ({ ...outcome, kind: 'notice' }))
}

/** What happened to the order before its opening was seen to be final, unless a modification's own intent may report it. */
function followUpOf(
  intent: Intent,
  observed: Observation,
  { modifications }: Pick<Present, 'modifications'>,
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
    // Of a status that shows a later operation, they are that one's.
    ...(isFollowUp(observed) ? {} : processedOf(observed)),
  }
}
