import type { CallOptions } from '@tallystick/client'
import type { Intent, Observation } from '@tallystick/client/ports'
import { isFinalStatus, isPaymentError, NotSentError } from '@tallystick/core'
import { LEASE_MS } from '../background/lease.ts'
import type { JournalParts } from '../context.ts'
import { announce } from '../events.ts'
import { endpointOf } from '../intents/endpoint.ts'
import type { JournaledOperation } from '../intents/operation-facts.ts'
import { isAtCheckedStage, isOpening, isUnconfirmed, isUnsent, kept, moved, withEvidence } from '../intents/states.ts'
import type { Reconciler } from '../reconcile/reconciler.ts'
import { isUnderWay } from '../status/original-outcome.ts'
import { observationOf } from '../status/status-result.ts'
import { findForgotten } from './find-forgotten.ts'
import { reviewForgottenChange } from './forgotten-change.ts'
import type { Asked } from './intent.ts'
import { type Standing, standingOf } from './result.ts'
import { type AnyResult, lost, writeResult } from './settle.ts'
import { withdraw, withdrawIfPaid, withdrawIfShownAsPaid } from './withdraw.ts'

/** How often an intent is sent that never left, or whose repeat gets the first answer (docs/guides/unknown.md). */
const MOST_SENDS = 5
const NEVER_LEFT = `given up: it never left in ${MOST_SENDS} times`
const NO_REPLY = `given up: it was sent ${MOST_SENDS} times, and there was no reply`

/** What sending needs besides the intent and its request. */
export interface Sending<Transaction> {
  readonly parts: JournalParts<Transaction>
  readonly reconciler: Pick<Reconciler, 'check'>
  /** The earlier attempts, as they were read: the intent is sent only if none of them has changed since. */
  readonly earlier: readonly Intent[]
}

/**
 * Marks the intent as being sent, sends it once, and writes the result. Gives how it stands then; `undefined` if another process
 * was faster, with this attempt or an earlier one, or if the intent was sent too often already and is given up.
 */
export async function send<K extends JournaledOperation, Transaction>(
  intent: Intent,
  asked: Asked<K>,
  { parts, reconciler, earlier }: Sending<Transaction>,
): Promise<Standing | undefined> {
  // A card whose first reply was lost: it may be stored already.
  const isRepeat = intent.state === 'UNKNOWN'
  if (isUsedUp(intent)) {
    await giveUp(intent, parts)
    return undefined
  }
  const withdrawn = await withdrawIfPaid(intent, parts)
  if (withdrawn !== undefined) return standingOf(withdrawn)
  const forgotten = await findForgotten({ intent, asked, attempts: [...earlier, intent], parts, reconciler })
  if (forgotten === 'taken-over') return undefined
  if (isPaymentError(forgotten)) return { outcome: 'notSent', intent, error: forgotten }
  // The openings are read before the snapshot and written with the mark: a change reported meanwhile would be missing from the
  // snapshot, and count as another one.
  const openings = intent.kind === 'modification' ? await openingsOf(intent, parts) : []
  const before = intent.kind === 'modification' ? await snapshot(intent, parts) : undefined
  if (isPaymentError(before)) return { outcome: 'notSent', intent, error: before }
  const paidBefore = before && (await withdrawIfShownAsPaid(intent, before, openings, parts))
  if (paidBefore !== undefined) return standingOf(paidBefore)
  if (before && (await reviewForgottenChange(intent, before, openings, parts)) !== undefined) return undefined
  const marked = await markAsSent({ ...intent, before }, [...earlier, ...openings], parts)
  if (marked === undefined) return undefined
  const { intent: sending, isInTime } = marked
  parts.sends.set(intent.clientOrderId, 'sending')
  const { result, intent: settledIntent } = await parts.leases.during(intent.intentId, async () => {
    try {
      const result = isInTime ? await exchange(sending, asked, parts) : tooLate(sending)
      return { result, intent: await writeResult(sending, { result, isRepeat }, parts) }
    } finally {
      parts.sends.delete(intent.clientOrderId)
    }
  })
  return await conclude(settledIntent, result, reconciler)
}

/** Whether it was sent as often as it may be: asked for once more, it is given up. */
export function isUsedUp({ sends }: Pick<Intent, 'sends'>): boolean {
  return sends >= MOST_SENDS
}

/** Ends an intent that was sent in vain as often as it may be, unless another process has changed it since. */
async function giveUp<Transaction>(intent: Intent, parts: JournalParts<Transaction>): Promise<void> {
  if (isUnsent(intent)) await withdraw(intent, NEVER_LEFT, parts)
  else await toReview(intent, parts)
}

/** A request repeated in vain may have taken effect: an operator has to find out. */
async function toReview<Transaction>(intent: Intent, { store, clock, emit }: JournalParts<Transaction>): Promise<void> {
  const now = clock.now()
  const evidence = withEvidence(intent, now, NO_REPLY)
  const change = lost({ ...intent, evidence }, now, { repeatsGetFirstAnswer: false })
  if (await store.update(change)) announce(change, emit)
}

function tooLate({ operation, clientOrderId }: Intent): AnyResult {
  const seen = 'the journal could not write in time that it is being sent'
  return { outcome: 'notSent', error: new NotSentError({ operation, clientOrderId, seen }) }
}

async function openingsOf<Transaction>(
  { clientOrderId }: Intent,
  { store }: JournalParts<Transaction>,
): Promise<readonly Intent[]> {
  return (await store.ofOrder(clientOrderId)).filter(isOpening)
}

/** Sends, once. */
async function exchange<K extends JournaledOperation, Transaction>(
  intent: Intent,
  { input }: Asked<K>,
  { client, deadlineMs }: JournalParts<Transaction>,
): Promise<AnyResult> {
  const { clientOrderId, operation } = intent
  const call = client[operation] as (input: unknown, options: CallOptions) => Promise<AnyResult>
  try {
    return await call({ ...input, clientOrderId }, { timeoutMs: deadlineMs, ...endpointOf(intent) })
  } catch (error) {
    // The client throws only before it sends: for a missing key or a wrong option.
    const seen = error instanceof Error ? error.message : 'the client threw'
    return { outcome: 'notSent', error: new NotSentError({ operation, clientOrderId, seen }) }
  }
}

/** Has a refusal confirmed by the status. Gives how the intent stands then. */
async function conclude(intent: Intent, result: AnyResult, reconciler: Pick<Reconciler, 'check'>): Promise<Standing> {
  if (isUnconfirmed(intent)) {
    const { intent: checked } = await reconciler.check(intent)
    return withError(standingOf(checked), result)
  }
  return result.outcome === 'accepted'
    ? withReply(standingOf(intent), result.reply)
    : withError(standingOf(intent), result)
}

function withReply(standing: Standing, reply: unknown) {
  const isNews = standing.outcome === 'accepted' || standing.outcome === 'final'
  return isNews ? { ...standing, reply } : standing
}

function withError(standing: Standing, result: AnyResult) {
  return result.outcome !== 'accepted' && TELLING.has(standing.outcome)
    ? { ...standing, error: result.error }
    : standing
}

const TELLING: ReadonlySet<Standing['outcome']> = new Set(['rejected', 'notSent', 'unknown'])

/** If the write took longer, the process does not send: others may soon take the intent over. */
const LATEST_MS = LEASE_MS / 2
/** How often the mark is written at most, if a handler keeps the database busy for long. */
const MOST_MARKS = 5

/**
 * Marks the intent as being sent from now on, and marks it again if the write took too long to send after it. The earlier
 * attempts are written with it, unchanged: if one of them has changed meanwhile, nothing is written.
 *
 * `undefined`: nothing was written, because another process works on the intent or an earlier attempt has changed. If that
 * happens when the mark is written again, `isInTime` is false.
 */
async function markAsSent<Transaction>(
  intent: Intent,
  earlier: readonly Intent[],
  { store, clock, deadlineMs, owner }: JournalParts<Transaction>,
) {
  let [marked, unchanged] = [intent, earlier]
  for (let marks = 1; ; marks++) {
    const now = clock.now()
    const leaseUntil = now + LEASE_MS
    marked = moved(marked, 'SENDING', {
      sentAt: now,
      deadlineMs,
      sends: intent.sends + 1,
      leaseUntil,
      leaseOwner: owner,
      nextCheckAt: leaseUntil,
    })
    unchanged = unchanged.map((one) => kept(one, {}))
    const changes = [marked, ...unchanged].map((one) => ({ intent: one, outcomes: [] }))
    if (!(await store.update(...changes))) return marks === 1 ? undefined : { intent: marked, isInTime: false }
    const passed = clock.now() - now
    // A negative time means that the clock was set back: how much time has passed is not known.
    const isInTime = passed >= 0 && passed <= LATEST_MS
    if (isInTime || marks === MOST_MARKS) return { intent: marked, isInTime }
  }
}

/**
 * The status of the order before it is changed, or the error that says why nothing may be sent:
 *
 * - The status is not answered: nothing is sent without a snapshot.
 * - Another change is under way: the outcomes of the two could not be told apart.
 * - The payment has no outcome yet: the gateway would refuse, unless the request arrives late, and the amount kept until then
 *   says nothing about the amount kept afterwards.
 */
async function snapshot<Transaction>(intent: Intent, parts: JournalParts<Transaction>) {
  const { clientOrderId, orderId, operation } = intent
  try {
    const reply = await parts.client.status({ clientOrderId, orderId }, endpointOf(intent))
    const observed = observationOf(reply, parts.exponents, intent.currency)
    const seen = undecidedOf(observed)
    if (seen === undefined) return observed
    return new NotSentError({
      operation,
      clientOrderId,
      seen,
      remedy: 'Nothing was sent: call again when that has ended.',
    })
  } catch (error) {
    if (isPaymentError(error)) return error
    throw error
  }
}

/** What is not decided yet about the order, in words for the merchant. */
function undecidedOf(observed: Observation): string | undefined {
  const { status, transactionType } = observed
  if (isUnderWay(observed))
    return `the order is being changed, its status shows a ${transactionType} that is not decided yet`
  if (isFinalStatus(status) || isAtCheckedStage(observed)) return undefined
  return `the order has no outcome yet, its status is ${status}`
}
