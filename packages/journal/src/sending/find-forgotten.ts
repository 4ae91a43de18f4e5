import { type Intent, type Observation, saysNoSuchOrder } from '@tallystick/client'
import { changeShown, isPaymentError, NotSentError, type PaymentError } from '@tallystick/core'
import { endpointOf } from '../endpoint.ts'
import { announce } from '../events.ts'
import { withEvidence } from '../evidence.ts'
import { type JournaledOperation, namesOrder } from '../operation-facts.ts'
import type { JournalParts } from '../options.ts'
import type { Reconciler } from '../reconcile/reconciler.ts'
import { chargedNothing, moved, sameObservation } from '../states.ts'
import { type Asked, newIntent } from './new-intent.ts'
import { lastNumber, orderIdsOf, UNKNOWN_IN_A_ROW } from './order-ids.ts'
import { lost } from './settle.ts'
import { withdraw } from './withdraw.ts'

/** An attempt that was never sent, all attempts of its key, and what asks the gateway. */
interface Unsent<K extends JournaledOperation, Transaction> {
  readonly intent: Intent
  readonly asked: Asked<K>
  readonly attempts: readonly Intent[]
  readonly parts: JournalParts<Transaction>
  readonly reconciler: Pick<Reconciler, 'look'>
}

/**
 * Before the first request for a key that the store does not know: asks the gateway for the orders of this key. A store that has lost
 * its tables does not know what it has paid; and since the ids follow from the key, the gateway does. What is found there is taken
 * over, and never sent again.
 *
 * `nothing-found`: the attempt may be sent. `taken-over`: read the attempts again. An error: nothing is known, so nothing may be sent.
 */
export async function findForgotten<K extends JournaledOperation, Transaction>(
  unsent: Unsent<K, Transaction>,
): Promise<'nothing-found' | 'taken-over' | PaymentError> {
  if (!(await mayBeForgotten(unsent))) return 'nothing-found'
  const found = await orderIdsFound(unsent)
  if (isPaymentError(found)) return found
  if (found.length === 0) return 'nothing-found'
  await takeOver(found, unsent)
  return 'taken-over'
}

async function mayBeForgotten<K extends JournaledOperation, Transaction>({
  intent,
  attempts,
  parts,
}: Unsent<K, Transaction>): Promise<boolean> {
  if (namesOrder(intent.operation) || [intent, ...attempts].some(({ sends }) => sends > 0)) return false
  // The gateway gives the same card or schedule again for the same id.
  if (intent.kind === 'card' && parts.repeatsGetFirstAnswer) return false
  return await hasForgotten(parts)
}

/** Whether the store may not know all that this shop has ever paid. */
async function hasForgotten<Transaction>({ store, noPaymentsBefore }: JournalParts<Transaction>): Promise<boolean> {
  const madeAt = await store.madeAt?.()
  return madeAt !== undefined && madeAt >= noPaymentsBefore
}

/**
 * Before the first request of a capture, void or return: these have no id of their own that could be asked for. If the order shows a
 * change, and the store knows neither the payment nor any change of it, the change may be this one, made before the store was lost.
 * Then it goes to review.
 *
 * @param openings the payment of the order, if the store knows it; one that was taken over was not sent by this store
 */
export async function reviewForgottenChange<Transaction>(
  intent: Intent,
  shown: Observation,
  openings: readonly Intent[],
  parts: JournalParts<Transaction>,
): Promise<'reviewed' | undefined> {
  const { store, clock, tell } = parts
  const isChanged = changeShown(shown) !== undefined || (shown.initialAmount ?? shown.amount) !== shown.amount
  if (!isChanged || intent.sends > 0 || intent.operation === 'payoutPay') return undefined
  if (openings.some(({ sends }) => sends > 0)) return undefined
  const ofOrder = await store.ofOrder(intent.clientOrderId)
  if (ofOrder.some((other) => isJudged(other, intent) || hasSeen(other, shown))) return undefined
  if (!(await hasForgotten(parts))) return undefined
  const seen =
    'the order was changed before, which this journal does not know: this may be the change that was asked for'
  const reviewed = moved(intent, 'REVIEW', {
    before: { ...shown, status: 'approved', transactionType: undefined, amount: shown.initialAmount },
    observed: shown,
    reviewReason: 'CHANGED_OTHERWISE',
    evidence: withEvidence(intent, clock.now(), seen),
  })
  if (await store.update({ intent: reviewed, outcomes: [] })) tell({ type: 'REVIEW', intent: reviewed })
  return 'reviewed'
}

/** Whether a person has decided about an earlier attempt of the key, so that this one is meant. */
function isJudged({ businessKey, state }: Intent, intent: Intent): boolean {
  return businessKey === intent.businessKey && state === 'PRESUMED_ABSENT'
}

/** Whether a change that this store knows left the order as it is now. */
function hasSeen({ kind, state, observed }: Intent, shown: Observation): boolean {
  return kind === 'modification' && state === 'FINAL' && observed !== undefined && sameObservation(observed, shown)
}

/** The ids of this key that the gateway knows, from that of the intent on, until several in a row are unknown to it. */
async function orderIdsFound<K extends JournaledOperation, Transaction>({
  intent,
  asked,
  attempts,
  parts,
}: Unsent<K, Transaction>): Promise<readonly string[] | PaymentError> {
  const found: string[] = []
  let number = lastNumber(asked, attempts, parts) || 1
  let end = number + UNKNOWN_IN_A_ROW
  while (number < end) {
    const numbers = Array.from({ length: end - number }, (_, index) => number + index)
    const ids = numbers.map((one) => [one, orderIdsOf(asked, one, parts)] as const)
    const asking = ids.flatMap(([one, names]) =>
      names.map(async (id) => [one, id, await isKnown(id, intent, parts)] as const),
    )
    number = end
    for (const [one, id, answer] of await Promise.all(asking)) {
      if (isPaymentError(answer)) return notAsked(intent, answer)
      if (!answer) continue
      found.push(id)
      end = Math.max(end, one + 1 + UNKNOWN_IN_A_ROW)
    }
    if (found.length === 0) break
    // Who knows an order that nobody can have made, such as a fake of a test, says nothing of the others, and there is no end of them.
    const unused = await isKnown(parts.client.newClientOrderId(), intent, parts)
    if (isPaymentError(unused)) return notAsked(intent, unused)
    if (unused) return notAsked(intent, { message: 'it knows every client order id, also one that is not used' })
  }
  return found
}

/** Whether the gateway knows an order. An answer that does not say so is an error: a proxy's page, for example, says nothing. */
async function isKnown<Transaction>(
  clientOrderId: string,
  intent: Intent,
  { client, isNoSuchOrder, refusals }: JournalParts<Transaction>,
): Promise<boolean | PaymentError> {
  try {
    await client.status({ clientOrderId }, endpointOf(intent))
    refusals.answered(intent)
    return true
  } catch (error) {
    if (!isPaymentError(error)) throw error
    if (error.code === 'REJECTED' && (isNoSuchOrder(error) || saysNoSuchOrder(error))) return false
    return error
  }
}

function notAsked(
  { operation, clientOrderId }: Intent,
  cause: Pick<PaymentError, 'message'> & Partial<Pick<PaymentError, 'code'>>,
): NotSentError {
  const code = cause.code === 'REJECTED' ? ' If this answer means that there is no such order, give isNoSuchOrder.' : ''
  return new NotSentError({
    operation,
    clientOrderId,
    seen: `the gateway did not say whether this payment was made before: ${cause.message}`,
    remedy: `Nothing was sent: call again later.${code}`,
  })
}

/** Makes the orders that were found attempts of the key, the earliest first. Their state then follows from the status. */
async function takeOver<K extends JournaledOperation, Transaction>(
  found: readonly string[],
  { intent, asked, attempts, parts, reconciler }: Unsent<K, Transaction>,
): Promise<void> {
  const { store } = parts
  const isOwn = found.includes(intent.clientOrderId)
  const first = isOwn ? taken(intent, parts) : undefined
  if (first === undefined) {
    const gone = await withdraw(intent, 'withdrawn: the gateway has another order of this key', parts)
    if (gone === undefined) return
  } else {
    if (!(await store.update(first))) return
    announce(first, parts.tell)
  }
  const known: Intent[] = [...attempts.filter(({ intentId }) => intentId !== intent.intentId), first?.intent ?? intent]
  let latest = first && (await reconciler.look(first.intent)).intent
  for (const clientOrderId of found) {
    if (clientOrderId === intent.clientOrderId) continue
    const made = { ...(await newIntent(asked, known, parts)), clientOrderId }
    const change = taken({ ...made, holdsKey: latest === undefined || chargedNothing(latest) }, parts)
    if (!(await store.insert({ ...change.intent, version: 1 })).ok) return
    known.push(change.intent)
    announce(change, parts.tell)
    latest = (await reconciler.look({ ...change.intent, version: 1 })).intent
  }
}

const FOUND = 'found at the gateway under its client order id: this journal did not know that it was sent'

/** An order that a journal has sent whose memory is gone: whatever became of it, it may have taken effect. */
function taken<Transaction>(intent: Intent, { clock, repeatsGetFirstAnswer }: JournalParts<Transaction>) {
  const now = clock.now()
  const evidence = withEvidence(intent, now, FOUND)
  return lost({ ...intent, sentAt: now, evidence }, now, { repeatsGetFirstAnswer })
}
