import { saysNoSuchOrder } from '@tallystick/client/internal'
import type { Intent } from '@tallystick/client/ports'
import { isPaymentError, NotSentError, type PaymentError } from '@tallystick/core'
import type { JournalParts } from '../context.ts'
import { announce } from '../events.ts'
import { endpointOf } from '../intents/endpoint.ts'
import { type JournaledOperation, namesOrder } from '../intents/operation-facts.ts'
import { withEvidence } from '../intents/states.ts'
import type { Reconciler } from '../reconcile/reconciler.ts'
import { type Decision, decided } from '../status/status-result.ts'
import { type Asked, lastNumber, newIntent, orderIdsOf, UNKNOWN_IN_A_ROW } from './intent.ts'
import { lost } from './settle.ts'
import { withdrawn } from './withdraw.ts'

/** An attempt that was never sent, all attempts of its key, and what asks the gateway. */
interface Unsent<K extends JournaledOperation, Transaction> {
  readonly intent: Intent
  readonly asked: Asked<K>
  readonly attempts: readonly Intent[]
  readonly parts: JournalParts<Transaction>
  readonly reconciler: Pick<Reconciler, 'check'>
}

/**
 * Before each request of an attempt that has an id of its own: asks the gateway for the orders of its key from this attempt on. A store
 * that has lost its tables does not know what it has paid, and a copy of yesterday does not know what became of the attempt since, nor
 * of those after it; and since the ids follow from the key, the gateway does. What is found there is taken over, and never sent again.
 *
 * Nothing in a store tells a copy from one that has lived on: also a next attempt asks, and one that was not sent before.
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
  parts,
}: Unsent<K, Transaction>): Promise<boolean> {
  if (namesOrder(intent.operation)) return false
  // The gateway gives the same card or schedule again for the same id.
  if (intent.kind === 'card' && parts.repeatsGetFirstAnswer) return false
  return await hasForgotten(parts)
}

/** Whether the store may not know all that this shop has ever paid. */
export async function hasForgotten<Transaction>({
  store,
  noPaymentsBefore,
}: Pick<JournalParts<Transaction>, 'store' | 'noPaymentsBefore'>): Promise<boolean> {
  // Whenever they were made.
  if (noPaymentsBefore === Number.NEGATIVE_INFINITY) return store.madeAt !== undefined
  const madeAt = await store.madeAt?.()
  return madeAt !== undefined && madeAt >= noPaymentsBefore
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

/**
 * Makes the orders that were found attempts of the key, the earliest first, all at once: if the process died between two of them, the
 * key would seem to be known, and a later one that was paid would not be seen. Their state then follows from the status.
 */
async function takeOver<K extends JournaledOperation, Transaction>(
  found: readonly string[],
  { intent, asked, attempts, parts, reconciler }: Unsent<K, Transaction>,
): Promise<void> {
  const { store, clock, client, emit } = parts
  const isOwn = found.includes(intent.clientOrderId)
  const own = isOwn ? taken(intent, parts) : decided(withdrawn(intent, OTHER_FOUND, clock.now(), client))
  const known = [...attempts.filter(({ intentId }) => intentId !== intent.intentId), own.intent]
  const others: Decision[] = []
  for (const clientOrderId of found) {
    if (clientOrderId === intent.clientOrderId) continue
    // The key stays free for the next attempt, which looks at all of these before it is made.
    const { digest } = intent
    const made = {
      ...(await newIntent(asked, known, parts)),
      ...endpointOf(intent),
      digest,
      clientOrderId,
      holdsKey: false,
    }
    const change = taken(made, parts)
    const first = { ...change, intent: { ...change.intent, version: 1 } }
    known.push(first.intent)
    others.push(first)
  }
  if (!(await store.update(own, ...others))) return
  const takenOver = isOwn ? [own, ...others] : others
  for (const change of takenOver) announce(change, emit)
  emit({ type: 'TAKEN_OVER', intents: takenOver.map((change) => change.intent) })
  for (const change of takenOver) await reconciler.check(change.intent)
}

const FOUND = 'found at the gateway under its client order id: this journal did not know that it was sent'
const OTHER_FOUND = 'withdrawn: the gateway has another order of this key'

/** An order that a journal has sent whose memory is gone: whatever became of it, it may have taken effect. */
function taken<Transaction>(intent: Intent, { clock, repeatsGetFirstAnswer }: JournalParts<Transaction>): Decision {
  const now = clock.now()
  const evidence = withEvidence(intent, now, FOUND)
  return lost({ ...intent, sentAt: now, evidence }, now, { repeatsGetFirstAnswer })
}
