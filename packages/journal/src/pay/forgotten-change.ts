import type { Intent, Observation } from '@tallystick/client/ports'
import { changeShown } from '@tallystick/core/internal'
import type { JournalParts } from '../context.ts'
import { moved, withEvidence } from '../intents/states.ts'
import { isOfItsKind } from '../status/shown-change.ts'
import { differenceOf, isOfOrder, lessBy } from '../status/status-result.ts'
import { hasForgotten } from './find-forgotten.ts'
import { FREE } from './settle.ts'

/** From one status of an order to the next, with nothing between them that this journal has done. */
interface Step {
  readonly from: Observation
  readonly to: Observation
}

/**
 * Before each request of a capture, void or return: these have no id of their own that could be asked for. If the order shows a
 * change that this journal has not made, as far as its store knows, it may be this one, made before the store was lost or after the
 * copy that it was restored from. Then a person decides.
 *
 * That the store has seen the change explains nothing: in a copy, a callback shows what was forgotten as the change of somebody else.
 *
 * @param openings the payments under the client order id of the order
 */
export async function reviewForgottenChange<Transaction>(
  intent: Intent,
  shown: Observation,
  openings: readonly Intent[],
  parts: JournalParts<Transaction>,
): Promise<'reviewed' | undefined> {
  const { store, clock, emit } = parts
  const opening = openings.find((one) => isOfOrder(intent, one))
  // A payout that was paid is withdrawn.
  if (intent.operation === 'payoutPay' || isSame(opened(shown, opening), shown)) return undefined
  if (!(await hasForgotten(parts))) return undefined
  const ofOrder = (await store.ofOrder(intent.clientOrderId)).filter((one) => isOfOrder(one, intent))
  const step = forgottenStep(intent, shown, opening, ofOrder)
  if (step === undefined) return undefined
  const seen =
    'the order was changed before, which this journal does not know: this may be the change that was asked for'
  const reviewed = moved(intent, 'REVIEW', {
    before: { ...step.from, amount: amountBefore(shown, step) },
    observed: shown,
    // If it was sent, then by a journal of which this store knows nothing.
    sentAt: undefined,
    ...FREE,
    nextCheckAt: undefined,
    reviewReason: 'CHANGED_OTHERWISE',
    evidence: withEvidence(intent, clock.now(), seen),
  })
  if (await store.update({ intent: reviewed, outcomes: [] })) emit({ type: 'REVIEW', intent: reviewed })
  return 'reviewed'
}

/** A step of the order that may be the change asked for. */
function forgottenStep(
  intent: Intent,
  shown: Observation,
  opening: Intent | undefined,
  ofOrder: readonly Intent[],
): Step | undefined {
  const steps = stepsOf(intent, shown, opening, ofOrder)
  const last = steps.at(-1)
  const isUnseen = last !== undefined && !isSame(last.from, last.to) && !isSame(opening?.observed, shown)
  // Several changes may have come at once, and undone each other in part.
  return isUnseen ? last : steps.findLast((step) => mayHide(intent, step))
}

/**
 * The steps of the order between the changes that this journal has made. Those before an earlier request for the same key were
 * looked at then, and what a person has decided about an attempt of the key holds.
 */
function stepsOf(
  intent: Intent,
  shown: Observation,
  opening: Intent | undefined,
  ofOrder: readonly Intent[],
): readonly Step[] {
  const changes = ofOrder.filter(({ kind, before }) => kind === 'modification' && before !== undefined)
  const lookedAt = changes.findLastIndex(({ businessKey }) => businessKey === intent.businessKey)
  let left = (to: Observation) => changes[lookedAt]?.observed ?? changes[lookedAt]?.before ?? opened(to, opening)
  const steps: Step[] = []
  for (const change of changes.slice(lookedAt + 1)) {
    if (change.state !== 'FINAL' || change.before === undefined) continue
    steps.push({ from: left(change.before), to: change.before })
    if (mayHideOthers(change)) steps.push({ from: change.before, to: change.observed ?? change.before })
    left = (to) => leftBy(change, to)
  }
  return [...steps, { from: left(shown), to: shown }]
}

/**
 * Whether a forgotten change, which a person has decided was made, may not have been the only one: all that the status tells may be of
 * several. A return of an amount is known to be alone if it is shown, and no more than that is gone.
 */
function mayHideOthers(change: Intent): boolean {
  const {
    operation,
    sentAt,
    before,
    observed,
    amounts: [asked],
  } = change
  if (sentAt !== undefined || observed === undefined) return false
  return (
    operation !== 'return' ||
    !isOfItsKind(change, observed) ||
    asked === undefined ||
    lessBy(before?.amount, observed.amount) !== asked
  )
}

/** The status of an order as it was before any change. */
function opened(shown: Observation, opening: Intent | undefined): Observation {
  const [asked, ...others] = opening?.amounts ?? []
  const amount = shown.initialAmount ?? (others.length === 0 ? asked : undefined) ?? shown.amount
  if (changeShown(shown) === undefined && amount === shown.amount) return shown
  const seen = opening?.observed
  if (seen !== undefined && changeShown(seen) === undefined && seen.amount === amount) return seen
  return { ...shown, status: 'approved', transactionType: undefined, amount }
}

/**
 * The status that a change has left. Some gateways show what is still held after a capture; so looks a later capture behind a return
 * of as much.
 */
function leftBy({ operation, before, observed, sentAt, amounts: [asked] }: Intent, to: Observation): Observation {
  if (observed === undefined) return to
  const isOwn = operation === 'capture' && sentAt !== undefined && !isLater(observed, to)
  const isRest = isOwn && to.amount !== undefined && to.amount === differenceOf(before?.amount, asked)
  return isRest ? { ...observed, amount: to.amount } : observed
}

/** Whether the change asked for may be in a step. A return of a part leaves at most as much less, or shows its own amount. */
function mayHide(intent: Intent, { from, to }: Step): boolean {
  if (isSame(from, to)) return isOfItsKind(intent, to) && isLater(from, to)
  const [asked] = intent.amounts
  if (intent.operation !== 'return' || asked === undefined) return true
  const taken = lessBy(from.amount, to.amount)
  // Gateways may always show the amount of the payment, or none.
  if (taken === undefined) return isOfItsKind(intent, to)
  return to.amount === asked || lessBy(asked, taken) === undefined
}

/** Whether two statuses show the same change. A stage goes on by itself. */
function isSame(one: Observation | undefined, other: Observation): boolean {
  return one?.status === other.status && one.transactionType === other.transactionType && one.amount === other.amount
}

/** Whether the gateway processed one after the other: two equal changes look the same but for that. */
function isLater({ processedAt: one }: Observation, { processedAt: other }: Observation): boolean {
  return one !== undefined && other !== undefined && one !== other
}

/** The amount before the change of a step, if it had been made last: what others took since is told already. */
function amountBefore({ amount }: Observation, { from, to }: Step): string | undefined {
  const taken = lessBy(from.amount, to.amount)
  return amount === undefined || taken === undefined ? from.amount : String(BigInt(amount) + BigInt(taken))
}
