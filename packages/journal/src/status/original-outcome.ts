import type { Intent, IntentChange, NewOutcome, Observation } from '@tallystick/client/ports'
import { isFinalStatus, type Status } from '@tallystick/core'
import { changeShown } from '@tallystick/core/internal'
import { CHECKED, chargedNothing, isAtCheckedStage, moved, sameObservation } from '../intents/states.ts'
import { keptWhenReported } from './remaining-amount.ts'
import { couldBe, isNoOpChange } from './shown-change.ts'
import { differenceOf, namesOf, type Present, processedOf, reasonOf } from './status-result.ts'

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
  const made = modifications.filter((modification) => !isNoOpChange(modification))
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
function noticesOfPaid(
  intent: Intent,
  observed: Observation,
  at: Pick<Present, 'modifications'>,
): readonly NewOutcome[] {
  const payment: NewOutcome = { ...outcomeOf(intent, observed), kind: 'notice', isLatePayment: true }
  return [payment, ...followUpOf(intent, observed, at)]
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

/** Whether the status may show what this modification did: then its own intent reports it. */
function mayHaveMade(modification: Intent, observed: Observation, modifications: readonly Intent[]): boolean {
  const { state, status } = modification
  if (isNoOpChange(modification) || (state === 'FINAL' && status !== observed.status)) return false
  return couldBe(modification, observed, false, modifications)
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

/**
 * The final status of the operation that opened the order; `undefined` while there is none. If the status shows a capture or a
 * reversal, the opening was approved.
 */
export function openingStatus({ operation }: Intent, observed: Observation): Status | undefined {
  if (isFollowUp(observed)) return 'approved'
  if (operation === 'payoutCheck' && isAtCheckedStage(observed)) return CHECKED
  return isFinalStatus(observed.status) ? observed.status : undefined
}

/** Whether a status shows a change of the order: a capture, a reversal and the like. */
function isFollowUp(observed: Observation): boolean {
  return changeShown(observed) !== undefined
}

/** Whether an operation that is not decided yet is changing the order. */
export function isUnderWay(observed: Observation): boolean {
  return isFollowUp(observed) && !isFinalStatus(observed.status)
}

/**
 * What happened to an order between the last report to the merchant and a status that was asked for a modification: the snapshot
 * taken before it was sent, or the last status check of one that changed nothing. Not every chargeback comes with a callback.
 */
export function missedUntil(
  opening: Intent,
  reported: Observation | undefined,
  shown: Observation | undefined,
  modifications: readonly Intent[],
): readonly NewOutcome[] {
  if (reported === undefined || shown === undefined || sameObservation(reported, shown)) return []
  return isFinalStatus(shown.status) ? noticeOf(opening, reported, shown, modifications) : []
}

/**
 * What happened to an order between the modifications that have ended, as far as their snapshots show it.
 *
 * @param shown what the status showed before the first of them
 */
function missedBetween(opening: Intent, shown: Observation, ended: readonly Intent[]): readonly NewOutcome[] {
  return ended.flatMap((one, index) => missedUntil(opening, ended[index - 1]?.observed ?? shown, one.before, ended))
}

/** The notice of a change of the order. `modifications`: the changes that the merchant has asked for. */
export function noticeOf(
  intent: Intent,
  before: Observation,
  observed: Observation,
  modifications: readonly Intent[],
): readonly NewOutcome[] {
  const notice: NewOutcome = {
    kind: 'notice',
    ...namesOf(intent),
    status: observed.status,
    transactionType: observed.transactionType,
    amount: differenceOf(keptWhenReported(before, observed, modifications), observed.amount),
    currency: observed.currency ?? intent.currency,
    kept: observed.amount,
    ...reasonOf(observed, observed),
    ...processedOf(observed),
  }
  return [notice]
}

/**
 * What follows if the status shows a payment as approved after the merchant was told that it failed. An order should never leave
 * a final status; if a gateway lets it, the customer was charged, perhaps by the next attempt as well. Notices report the
 * payment, of which nothing was kept before, and what has become of it since. `undefined`: that is not the case.
 */
export function lateApproval(
  opening: Intent,
  shown: Observation,
  modifications: readonly Intent[],
): IntentChange | undefined {
  if (!chargedNothing(opening) || shown.status !== 'approved') return undefined
  const paid = { ...opening, status: shown.status }
  return { intent: paid, outcomes: noticesOfPaid(paid, shown, { modifications }) }
}
