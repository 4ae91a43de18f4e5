import type { Clock } from '@tallystick/client'
import type { Intent, IntentChange, JournalStore, NewOutcome, Observation } from '@tallystick/client/ports'
import { changeShown } from '@tallystick/core/internal'
import type { JournalListener } from '../events.ts'
import { isOpening, isPaid, isUndecided, kept } from '../intents/states.ts'
import { lateApproval, missedUntil } from '../status/original-outcome.ts'
import { type Decision, isOfOrder } from '../status/status-result.ts'

interface Parts {
  readonly store: Pick<JournalStore, 'ofOrder'>
  readonly clock: Pick<Clock, 'now'>
}

type Change = IntentChange & Partial<Decision>

/** The modifications of the intent's order. */
export async function modificationsOf(intent: Intent, store: Parts['store']): Promise<readonly Intent[]> {
  return modificationsAmong(await store.ofOrder(intent.clientOrderId), intent)
}

/** The same, of intents with its client order id. */
export function modificationsAmong(ofId: readonly Intent[], intent: Intent): readonly Intent[] {
  return ofId.filter((other) => other.kind === 'modification' && isOfOrder(other, intent))
}

/** The change of an intent, and what to write with it for the opening of its order if a modification ends with this change. */
export async function withOpening<C extends Change>(
  before: Intent,
  change: C,
  parts: Parts,
): Promise<readonly [C, ...IntentChange[]]> {
  const { intent: after } = change
  const isDone = before.state !== 'FINAL' && after.state === 'FINAL'
  const hasEnded = isDone || (isUndecided(before) && !isUndecided(after))
  if (!hasEnded || after.kind !== 'modification') return [change]
  const ofOrder = (await parts.store.ofOrder(after.clientOrderId)).filter((other) => isOfOrder(after, other))
  const opening = ofOrder.find(isOpening)
  if (opening === undefined) return [change]
  // A process that ends the opening at this moment has read the modification as it was: one of the two has to read again.
  if (opening.state !== 'FINAL') return [change, unchanged(opening)]
  const modifications = ofOrder.filter(({ kind }) => kind === 'modification')
  const shown = isDone ? after.before : after.observed
  // While the modification held the order, no other change of it was reported. The opening does not wait for one presumed absent.
  const missed = before.holdsOrder ? missedUntil(opening, opening.observed, shown, modifications) : []
  const reported = isDone ? after.observed : missed.length > 0 ? shown : undefined
  const paid = missed.length > 0 && shown ? lateApproval(opening, shown, []) : undefined
  const withMissed = { ...change, outcomes: [...(paid?.outcomes ?? missed), ...change.outcomes] }
  return [withMissed, ...openingChanges(paid?.intent ?? opening, reported, change.isChangedSince === true, parts)]
}

/** Only the version changes: a process that was about to write the intent has to read it again. */
function unchanged(intent: Intent): IntentChange {
  return { intent: kept(intent, {}), outcomes: [] }
}

/**
 * Notes on the opening what an ended modification has done or shown, so that it is not reported again. If something else may have
 * changed the order meanwhile, its status is checked now.
 */
function openingChanges(
  opening: Intent,
  observed: Observation | undefined,
  isChangedSince: boolean,
  { clock }: Parts,
): readonly IntentChange[] {
  const now = clock.now()
  const changes = {
    // `lookedAt` is now, since the answer to an earlier question is older than what is written here.
    ...(observed && { observed, lookedAt: now }),
    ...((isChangedSince || opening.nextCheckAt !== undefined) && { wokenAt: now, nextCheckAt: now }),
  }
  return Object.keys(changes).length === 0 ? [] : [{ intent: kept(opening, changes), outcomes: [] }]
}

/** Reports business keys of which more than one attempt was paid: an operator has to refund all but one. */
export async function suspectDoubleCharges(
  written: readonly IntentChange[],
  { store, emit }: { readonly store: Pick<JournalStore, 'attemptsOf'>; readonly emit: JournalListener },
): Promise<void> {
  const reported = written.flatMap(({ outcomes }) => outcomes)
  const isNews = ({ intentId }: Intent) => reported.some((one) => one.intentId === intentId && isOfPayment(one))
  for (const { intent } of written) {
    if (!isPaid(intent) || !isNews(intent)) continue
    const paid = (await store.attemptsOf(intent.businessKey)).filter(isPaid)
    if (paid.length > 1) emit({ type: 'DOUBLE_CHARGE_SUSPECTED', intents: paid })
  }
}

/**
 * Whether an outcome says how the payment itself ended: its outcome, or a notice that it was paid after all, before which nothing
 * was kept. Later changes of its order do not count; some gateways show them as the payment with a smaller amount.
 */
function isOfPayment({ kind, transactionType, amount, kept: left }: NewOutcome): boolean {
  return changeShown({ transactionType }) === undefined && (kind === 'outcome' || amount === left)
}
