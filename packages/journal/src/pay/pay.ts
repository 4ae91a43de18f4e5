import type { IntentConflict } from '@tallystick/client/internal'
import type { Intent } from '@tallystick/client/ports'
import type { JournalParts } from '../context.ts'
import { keyText } from '../intents/business-key.ts'
import type { PaymentEndpoint } from '../intents/endpoint.ts'
import { digestOf, type JournaledOperation } from '../intents/operation-facts.ts'
import { chargedNothing, hasStatus, isOpening, isUnsent, kept, newestOf } from '../intents/states.ts'
import type { CheckedIntent } from '../reconcile/reconciler.ts'
import { type Asked, newIntent } from './intent.ts'
import { conflictWith, type PayResult, type Standing, standingOf } from './result.ts'
import { type Sending, send } from './send.ts'
import { withdraw } from './withdraw.ts'

/** Which attempt `pay` makes, and where it goes. */
export interface PayOptions extends PaymentEndpoint {
  /**
   * Which attempt this is, from 1 on. It is made only if all attempts before it have ended without a charge: declined, refused,
   * or presumed absent and still not there when their status is checked once more; while that is not answered, none is made. If
   * left out, the last attempt is meant, and the first one is made if there is none.
   *
   * `'next'` means the last attempt while it is under way or if it has charged, and otherwise the one after it. So what came to
   * nothing (declined, expired, refused, not sent in five calls, or presumed absent) is tried again, by one request for each
   * call. If someone has to decide first whether to try again what was presumed absent, use a number.
   *
   * Which attempt is the next is read when the call is made. Of several calls made after a decline one opens it, and the others
   * get that one, even if it ends before they are answered; a call made after its end opens the one after it.
   */
  readonly attempt?: number | 'next' | undefined
}

/** What a payment needs besides its request. */
interface Paying<Transaction> extends Omit<Sending<Transaction>, 'earlier'> {
  /** Which attempt is asked for, if the caller says so. */
  readonly attempt: number | undefined
}

/**
 * Pays once, whatever happens (docs/guides/unknown.md): writes the intent, marks it as being sent, sends it and writes the
 * result. Called again with the same request, it says how the payment stands.
 */
export async function pay<K extends JournaledOperation, Transaction>(
  asked: Asked<K>,
  paying: Paying<Transaction>,
): Promise<PayResult<K>> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const standing = await payOrTell(asked, paying)
    if (standing === undefined) continue
    if (standing.outcome === 'unknown' && (await waitWhileSent(standing.intent, paying.parts))) continue
    // The reply is that of this operation: it was sent under its key.
    return standing as PayResult<K>
  }
  throw new Error(`Other processes keep changing the attempts of ${keyText(asked.key)}`)
}

/** How often other processes may be faster. Each time one of them makes progress. */
const MOST_TRIES = 100

/** `undefined`: another process was faster, or an attempt was given up, and the attempts have to be read again. */
async function payOrTell<K extends JournaledOperation, Transaction>(
  asked: Asked<K>,
  paying: Paying<Transaction>,
): Promise<Standing | undefined> {
  const { parts, attempt } = paying
  const attempts = await parts.store.attemptsOf(keyText(asked.key))
  const last = attempts.at(-1)
  if (last === undefined) return await begin(asked, [], { ...paying, earlier: [] })
  const digest = digestOf(asked.operation, { ...asked.input }, asked.endpoint)
  // Only the next attempt may be another request.
  const resultFor = (intent: Intent): Standing => (intent.digest === digest ? standingOf(intent) : conflictWith(intent))
  const isSame = last.digest === digest
  // An attempt that was never sent is sent now, or replaced by another request.
  const goesOn = isSame ? isSendable(last, parts) : isUnsent(last)
  if (!goesOn && attempt !== last.attempt + 1) return resultFor(last)
  const checked = await checkAgain(goesOn ? attempts.slice(0, -1) : attempts, paying)
  const inTheWay = checked.findLast(mayCharge)
  if (inTheWay !== undefined) {
    if (goesOn && hasCharged(inTheWay.intent)) await giveOrderBack(last, parts)
    return resultFor(inTheWay.intent)
  }
  const next = { ...paying, earlier: checked.map(({ intent }) => intent) }
  if (!goesOn) return await begin(asked, attempts, next)
  return isSame ? await send(last, asked, next) : await replace(last, asked, next)
}

/** Checks the attempts that were presumed absent once more before another one is sent: they may have arrived since. */
async function checkAgain<Transaction>(
  attempts: readonly Intent[],
  { reconciler }: Paying<Transaction>,
): Promise<readonly CheckedIntent[]> {
  return await Promise.all(
    attempts.map(async (intent) =>
      intent.state === 'PRESUMED_ABSENT' && hasStatus(intent)
        ? await reconciler.check(intent)
        : { intent, isAnswered: true },
    ),
  )
}

/** Whether an attempt has charged or still may. One that was presumed absent may have arrived if its status is not answered. */
function mayCharge({ intent, isAnswered }: CheckedIntent): boolean {
  return !chargedNothing(intent) || (intent.state === 'PRESUMED_ABSENT' && !isAnswered)
}

function hasCharged(intent: Intent): boolean {
  return intent.state === 'FINAL' && !chargedNothing(intent)
}

/** Frees the order of an attempt that never left, and never will because an earlier one has charged. */
async function giveOrderBack<Transaction>(
  unsent: Intent,
  { store }: Pick<JournalParts<Transaction>, 'store'>,
): Promise<void> {
  if (unsent.holdsOrder) await store.update({ intent: kept({ ...unsent, holdsOrder: false }, {}), outcomes: [] })
}

/** Replaces an attempt that was never sent with another request under its key. */
async function replace<K extends JournaledOperation, Transaction>(
  last: Intent,
  asked: Asked<K>,
  paying: Sending<Transaction>,
): Promise<Standing | undefined> {
  const withdrawn = await withdraw(last, 'withdrawn: another request was made before this one ever left', paying.parts)
  if (withdrawn === undefined) return conflictWith(last)
  return await begin(asked, [...paying.earlier, withdrawn], paying)
}

function isSendable(intent: Intent, { repeatsGetFirstAnswer }: Pick<JournalParts<never>, 'repeatsGetFirstAnswer'>) {
  return isUnsent(intent) || (intent.state === 'UNKNOWN' && intent.kind === 'card' && repeatsGetFirstAnswer)
}

async function begin<K extends JournaledOperation, Transaction>(
  asked: Asked<K>,
  attempts: readonly Intent[],
  paying: Sending<Transaction>,
): Promise<Standing | undefined> {
  const { parts } = paying
  const intent = await newIntent(asked, attempts, parts)
  const inserted = await parts.store.insert(intent)
  if (inserted.ok) return await send(intent, asked, paying)
  const active = await conflicting(intent, inserted.conflict, parts)
  const isSame = active.digest === intent.digest && active.businessKey === intent.businessKey
  if (!isSame) return (await makesWay(active, inserted.conflict, parts)) ? undefined : conflictWith(active)
  // Another caller made the same request at the same time: one of the two sends it.
  return isUnsent(active) ? await send(active, asked, paying) : standingOf(active)
}

const UNFIT = 'withdrawn: it does not fit its model, and another change of its order was asked for'

/**
 * Withdraws a modification whose input does not fit its model, to free the order for another one: as it is it can never be sent,
 * and perhaps nobody ever asks for it again. One that could not be sent for another reason keeps its order, since the merchant
 * will most likely ask for it again.
 */
async function makesWay<Transaction>(
  active: Intent,
  conflict: IntentConflict,
  parts: JournalParts<Transaction>,
): Promise<boolean> {
  const isUnfit = active.state === 'NOT_SENT' && active.rejection !== undefined
  return conflict === 'order' && isUnfit && (await withdraw(active, UNFIT, parts)) !== undefined
}

/**
 * The intent that is in the way of a new one. What holds the order is found by the order itself: it may have been asked for with
 * the client order id of another.
 */
async function conflicting<Transaction>(
  { businessKey, clientOrderId, orderId = '' }: Intent,
  conflict: IntentConflict,
  { store }: JournalParts<Transaction>,
): Promise<Intent> {
  const found =
    conflict === 'business-key'
      ? (await store.attemptsOf(businessKey)).at(-1)
      : ((await store.holderOf(orderId)) ?? (await store.ofOrder(clientOrderId)).findLast(isOpening))
  if (found !== undefined) return found
  throw new Error(`The store refused ${businessKey}, and has nothing in its way`)
}

/** How often a call polls whether the process that sends has its answer. */
const POLL_EVERY_MS = 200

/**
 * Waits while a living process sends an intent, as the next call within one process does (`keyedMutex`). Returns whether that ended:
 * `false` if nobody was sending it, or if it takes longer than an answer may take. A timer measures that, and not the number of
 * polls: a database that is busy answers each of them late.
 */
async function waitWhileSent<Transaction>(
  intent: Intent,
  { store, clock, deadlineMs }: Pick<JournalParts<Transaction>, 'store' | 'clock' | 'deadlineMs'>,
): Promise<boolean> {
  let isLate = false
  const cancel = clock.schedule(deadlineMs, () => {
    isLate = true
  })
  try {
    let newest = intent
    while (isBeingSent(newest, clock.now())) {
      if (isLate) return false
      await new Promise<void>((resolve) => clock.schedule(POLL_EVERY_MS, resolve))
      newest = await newestOf(store, intent.intentId)
    }
    return newest !== intent
  } finally {
    cancel()
  }
}

/** A dead process does not renew its lease: then the reconciler takes the intent over. */
function isBeingSent({ state, leaseUntil = 0 }: Intent, now: number): boolean {
  return state === 'SENDING' && leaseUntil > now
}
