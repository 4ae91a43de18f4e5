import type { Evidence } from '@tallystick/client/internal'
import type { Intent, IntentChange, IntentState, JournalStore, Observation } from '@tallystick/client/ports'
import { isFinalStatus, redact } from '@tallystick/core'
import { changeShown } from '@tallystick/core/internal'

/**
 * The states that may follow each state of an intent (docs/guides/unknown.md). A write that is not in the table is a bug in this
 * package and throws before it reaches the store.
 */
export const INTENT_TRANSITIONS: Readonly<Record<IntentState, readonly IntentState[]>> = {
  // Never sent: sent now, or withdrawn. A journal that was lost has sent it: found at the gateway.
  PREPARED: ['SENDING', 'REJECTED', 'UNKNOWN', 'REVIEW'],
  SENDING: ['ACCEPTED', 'REJECTED', 'NOT_SENT', 'UNKNOWN', 'FINAL', 'REVIEW'],
  // Proven not to have left: the one state from which the same request is sent again. A later one has, which a copy does not know.
  NOT_SENT: ['SENDING', 'REJECTED', 'UNKNOWN', 'REVIEW'],
  ACCEPTED: ['FINAL', 'REVIEW'],
  // A status that shows an order refutes the refusal.
  REJECTED: ['ACCEPTED', 'FINAL', 'REVIEW'],
  // Sent again only if the gateway answers a repeat with the first result.
  UNKNOWN: ['ACCEPTED', 'REJECTED', 'FINAL', 'PRESUMED_ABSENT', 'REVIEW', 'SENDING'],
  // Paid after all, but with other money.
  FINAL: ['REVIEW'],
  // It arrived after all.
  PRESUMED_ABSENT: ['ACCEPTED', 'FINAL', 'REVIEW'],
  // By an operator, or by the reply for a stored card that was believed to be lost.
  REVIEW: ['UNKNOWN', 'FINAL', 'PRESUMED_ABSENT'],
}

/** The intent as the next write has it, moved to this state. */
export function moved(intent: Intent, state: IntentState, changes: Partial<Intent> = {}): Intent {
  if (state !== intent.state && !INTENT_TRANSITIONS[intent.state].includes(state)) {
    throw new Error(`An intent does not go from ${intent.state} to ${state} (${intent.intentId})`)
  }
  const next = { ...intent, ...changes, state, version: intent.version + 1 }
  return {
    ...next,
    // Once it has left, it is never sent again.
    ...(next.input !== undefined && !isUnsent(next) && state !== 'SENDING' && { input: undefined }),
    holdsKey: intent.holdsKey && !chargedNothing(next),
    holdsOrder: intent.holdsOrder && isUndecided(next),
  }
}

/** The intent as the next write has it, in its present state. */
export function kept(intent: Intent, changes: Partial<Intent>): Intent {
  return moved(intent, intent.state, changes)
}

/** Whether not one byte of the request ever left. */
export function isUnsent({ state }: Pick<Intent, 'state'>): boolean {
  return state === 'PREPARED' || state === 'NOT_SENT'
}

/**
 * Whether the intent has ended without a charge, as far as is known now: then it frees its key. One that was presumed absent or
 * refused may turn out to exist all the same. Then this is no longer so, but the key stays free.
 */
export function chargedNothing(intent: Intent): boolean {
  const { state, status, observed } = intent
  if (state === 'FINAL') return status === CHECKED ? isUnpaid(observed) : status !== 'approved'
  return state === 'PRESUMED_ABSENT' || (state === 'REJECTED' && !isUnconfirmed(intent))
}

/** Whether the payment was approved and not all of it was refunded, as far as is known. */
export function isPaid(intent: Intent): boolean {
  const { state, status, observed } = intent
  return isOpening(intent) && state === 'FINAL' && status === 'approved' && asksMoney(intent) && !keepsNothing(observed)
}

/** Verifying a card charges nothing: twice is no double charge, and there is nothing to refund. */
export function asksMoney({ amounts }: Pick<Intent, 'amounts'>): boolean {
  return amounts.length > 0
}

/** Whether all of it was refunded. */
export function keepsNothing(observed: Observation | undefined): boolean {
  return observed?.amount === '0'
}

/** Whether a checked payout has come to nothing since: its check has expired, or it was declined. */
function isUnpaid(observed: Observation | undefined): boolean {
  if (observed === undefined || changeShown(observed) !== undefined) return false
  return isFinalStatus(observed.status) && observed.status !== 'approved'
}

/** Only an opening makes an order under a client order id of its own. */
export function isOpening({ kind }: { readonly kind: string }): boolean {
  return kind === 'opening'
}

/** Whether there is a status to ask for. Storing a card has none: the status of its order is about the payment. */
export function hasStatus({ kind }: Pick<Intent, 'kind'>): boolean {
  return kind !== 'card'
}

/**
 * Whether the outcome is still to come. One modification of an order is under way at a time: one that is decided frees the order
 * for the next, even if it turns out to be undecided again, because it was presumed absent and may have arrived late.
 */
export function isUndecided(intent: Intent): boolean {
  const { state } = intent
  if (state === 'REJECTED') return isUnconfirmed(intent)
  return state !== 'FINAL' && state !== 'PRESUMED_ABSENT'
}

/** Whether it is a refusal that does not count yet: the status has not confirmed it. */
export function isUnconfirmed({ state, nextCheckAt }: Intent): boolean {
  return state === 'REJECTED' && nextCheckAt !== undefined
}

/** The status of a payout-check that went well. */
export const CHECKED = 'checked'

/** Whether a payout is checked and not paid yet: the gateway shows it as `processing` at this stage, in upper or lower case. */
export function isAtCheckedStage({ orderStage }: Observation): boolean {
  return orderStage?.toLowerCase() === 'payout_checked'
}

/** Whether the intent itself has this name, at the shop or at the gateway. */
export function isNamed({ intentId, businessKey, clientOrderId, orderId, reference }: Intent, name: string): boolean {
  return [intentId, businessKey, clientOrderId, orderId, reference].includes(name)
}

/** Whether two statuses look the same in what shows a change of the order. */
export function sameObservation(one: Observation, other: Observation): boolean {
  return (
    one.status === other.status &&
    one.transactionType === other.transactionType &&
    one.amount === other.amount &&
    isSameStage(one, other)
  )
}

/** Gateways move the stage of an order when they settle it. Only where a status names no type may that alone tell of a change. */
function isSameStage(one: Observation, other: Observation): boolean {
  const isTyped = one.transactionType !== undefined
  return isTyped ? isAtCheckedStage(one) === isAtCheckedStage(other) : one.orderStage === other.orderStage
}

/** Enough to see what happened. The first entries stay, because they show how it began. */
const FIRST = 5
const LAST = 15
const LONGEST = 500

/** The evidence with what was seen now. What is seen again and again is noted once, with its last time. */
export function withEvidence({ evidence }: Pick<Intent, 'evidence'>, at: number, text: string): readonly Evidence[] {
  const seen = noted(text)
  const others = evidence.at(-1)?.seen === seen && evidence.length > 1 ? evidence.slice(0, -1) : evidence
  const all = [...others, { at, seen }]
  return all.length <= FIRST + LAST ? all : [...all.slice(0, FIRST), ...all.slice(-LAST)]
}

/** A text of the gateway, as it is kept. It may quote the request: card data and controls are masked before it is written. */
export function noted(text: string): string {
  return redact(text).slice(0, LONGEST)
}

/** How often other processes may be faster. Each time one of them makes progress. */
const MOST_TRIES = 100

/**
 * Writes what `decide` makes of the newest version of an intent, and starts again if another process was faster. `undefined`:
 * there is nothing to write.
 *
 * @param known the version that is most likely the newest, which need not be read then: nothing is written if it is not
 */
export async function updateIntent<Change extends readonly IntentChange[] | undefined>(
  store: Pick<JournalStore, 'find' | 'update'>,
  intentId: string,
  decide: (intent: Intent) => Change | Promise<Change>,
  known?: Intent,
): Promise<Change> {
  let newest = known
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const change = await decide(newest ?? (await newestOf(store, intentId)))
    if (change === undefined || (await store.update(...change))) return change
    newest = undefined
  }
  throw new Error(`Other processes keep changing the intent ${intentId}`)
}

/** An intent as the store has it now. */
export async function newestOf(store: Pick<JournalStore, 'find'>, intentId: string): Promise<Intent> {
  const intent = await store.find(intentId)
  if (intent === undefined) throw new Error(`There is no intent ${intentId}`)
  return intent
}
