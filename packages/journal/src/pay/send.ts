import type { CallOptions, Intent } from '@tallystick/client'
import { isPaymentError, NotSentError } from '@tallystick/core'
import { announce } from '../events.ts'
import { endpointOf } from '../intents/endpoint.ts'
import { withEvidence } from '../intents/evidence.ts'
import type { JournaledOperation } from '../intents/operation-facts.ts'
import { isOpening, isUnconfirmed, isUnsent } from '../intents/states.ts'
import type { JournalParts } from '../options.ts'
import type { Reconciler } from '../reconcile/reconciler.ts'
import { findForgotten } from './find-forgotten.ts'
import { reviewForgottenChange } from './forgotten-change.ts'
import type { Asked } from './intent.ts'
import { markAsSent } from './mark-as-sent.ts'
import { type Standing, standingOf } from './result.ts'
import { type AnyResult, lost } from './settle.ts'
import { snapshot } from './snapshot.ts'
import { withdraw } from './withdraw.ts'
import { withdrawIfPaid, withdrawIfShownAsPaid } from './withdraw-if-paid.ts'
import { writeResult } from './write-result.ts'

/** How often an intent is sent that never left, or whose repeat gets the first answer (docs/guides/unknown.md). */
const MOST_SENDS = 5
const NEVER_LEFT = `given up: it never left in ${MOST_SENDS} times`
const NO_REPLY = `given up: it was sent ${MOST_SENDS} times, and there was no reply`

/** What sending needs besides the intent and its request. */
export interface Sending<Transaction> {
  readonly parts: JournalParts<Transaction>
  readonly reconciler: Pick<Reconciler, 'look'>
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
  const { result, intent: settledIntent } = await parts.leases.during(intent.intentId, async () => {
    const result = isInTime ? await exchange(sending, asked, parts) : tooLate(sending)
    return { result, intent: await writeResult(sending, { result, isRepeat }, parts) }
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
async function toReview<Transaction>(intent: Intent, { store, clock, tell }: JournalParts<Transaction>): Promise<void> {
  const now = clock.now()
  const evidence = withEvidence(intent, now, NO_REPLY)
  const change = lost({ ...intent, evidence }, now, { repeatsGetFirstAnswer: false })
  if (await store.update(change)) announce(change, tell)
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
async function conclude(intent: Intent, result: AnyResult, reconciler: Pick<Reconciler, 'look'>): Promise<Standing> {
  if (isUnconfirmed(intent)) {
    const { intent: looked } = await reconciler.look(intent)
    return withError(standingOf(looked), result)
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
