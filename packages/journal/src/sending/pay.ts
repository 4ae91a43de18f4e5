import type { CallOptions, Intent, IntentConflict } from '@tallystick/client'
import { NotSentError, PaymentError } from '@tallystick/core'
import { keyText } from '../business-key.ts'
import { observationOf } from '../decide/look.ts'
import { type EndpointOptions, endpointOf } from '../endpoint.ts'
import { withEvidence } from '../evidence.ts'
import { LEASE_MS } from '../lease.ts'
import { digestOf, type JournaledOperation } from '../operation-facts.ts'
import type { JournalParts } from '../options.ts'
import type { Reconciler } from '../reconcile/reconciler.ts'
import { moved } from '../states.ts'
import { updateIntent } from '../update-intent.ts'
import { type Asked, newIntent } from './new-intent.ts'
import { type PayResult, type Standing, standingOf } from './pay-result.ts'
import { type AnyResult, FREE, type Settled, settled } from './settle.ts'

export interface PayOptions extends EndpointOptions {
  /**
   * Which attempt this is, from 1 on. One is made when the attempt before has ended without a charge: declined, refused, or
   * presumed absent. Left out, the last attempt is meant, and the first is made when there is none.
   */
  readonly attempt?: number
}

/** How often what never left may be sent again (docs/guides/unknown.md). */
const MOST_SENDS = 5
/** A process that was stopped for longer between its write and the sending does not send any more: others may judge soon. */
const LONGEST_STALL_MS = LEASE_MS / 2

/**
 * Pays once, whatever happens (docs/guides/unknown.md): writes the intent, writes that it is being sent, sends, writes what
 * came of it. Called again with the same, it says how that stands.
 */
export async function pay<K extends JournaledOperation, Transaction>(
  asked: Asked<K>,
  { attempt }: { readonly attempt: number | undefined },
  parts: JournalParts<Transaction>,
  reconciler: Pick<Reconciler, 'look' | 'announce'>,
): Promise<PayResult<K>> {
  // The reply is that of this operation: it was sent under its key.
  return (await stand(asked, attempt, parts, reconciler)) as PayResult<K>
}

async function stand<K extends JournaledOperation, Transaction>(
  asked: Asked<K>,
  attempt: number | undefined,
  parts: JournalParts<Transaction>,
  reconciler: Pick<Reconciler, 'look' | 'announce'>,
): Promise<Standing> {
  const attempts = await parts.store.attemptsOf(keyText(asked.key))
  const last = attempts.at(-1)
  if (last === undefined) return await begin(asked, 1, parts, reconciler)
  if (last.digest !== digestOf(asked.operation, { ...asked.input }, asked.endpoint))
    return await other(last, asked, attempt, parts, reconciler)
  if (isSendable(last, parts)) return await send(last, asked, parts, reconciler)
  if (isNext(last, attempt)) return await begin(asked, last.attempt + 1, parts, reconciler)
  return standingOf(last)
}

/** The key stands for another request. What was never sent makes way; else only the next attempt may be another. */
async function other<K extends JournaledOperation, Transaction>(
  last: Intent,
  asked: Asked<K>,
  attempt: number | undefined,
  parts: JournalParts<Transaction>,
  reconciler: Pick<Reconciler, 'look' | 'announce'>,
): Promise<Standing> {
  if (isNext(last, attempt)) return await begin(asked, last.attempt + 1, parts, reconciler)
  if (last.state !== 'PREPARED' && last.state !== 'NOT_SENT') return { outcome: 'conflict', intent: last }
  const withdrawn = await withdraw(last, 'withdrawn: another request was made before this one ever left', parts)
  if (withdrawn === undefined) return { outcome: 'conflict', intent: last }
  return await begin(asked, last.attempt + 1, parts, reconciler)
}

/** An attempt that ended without a charge, and the one after it is asked for. */
function isNext(last: Intent, attempt: number | undefined): boolean {
  return attempt === last.attempt + 1 && !last.holdsKey
}

function isSendable(
  { state, kind }: Intent,
  { repeatsGetFirstAnswer }: Pick<JournalParts<never>, 'repeatsGetFirstAnswer'>,
) {
  if (state === 'PREPARED' || state === 'NOT_SENT') return true
  return state === 'UNKNOWN' && kind === 'card' && repeatsGetFirstAnswer
}

async function begin<K extends JournaledOperation, Transaction>(
  asked: Asked<K>,
  attempt: number,
  parts: JournalParts<Transaction>,
  reconciler: Pick<Reconciler, 'look' | 'announce'>,
): Promise<Standing> {
  const intent = await newIntent(asked, attempt, parts)
  const inserted = await parts.store.insert(intent)
  if (inserted.ok) return await send(intent, asked, parts, reconciler)
  const active = await conflicting(intent, inserted.conflict, parts)
  // Somebody asked for the same at the same time, and he sends it.
  return active.digest === intent.digest && active.businessKey === intent.businessKey
    ? standingOf(active)
    : { outcome: 'conflict', intent: active }
}

/** What is in the way of a new intent. */
async function conflicting<Transaction>(
  { businessKey, clientOrderId }: Intent,
  conflict: IntentConflict,
  { store }: JournalParts<Transaction>,
): Promise<Intent> {
  const found =
    conflict === 'business-key'
      ? (await store.attemptsOf(businessKey)).at(-1)
      : (await store.ofOrder(clientOrderId)).findLast(({ holdsOrder, kind }) => holdsOrder || kind === 'opening')
  if (found !== undefined) return found
  throw new Error(`The store refused ${businessKey}, and has nothing in its way`)
}

/** `undefined`: somebody sends it by now. */
async function withdraw<Transaction>(intent: Intent, seen: string, { store, clock }: JournalParts<Transaction>) {
  const evidence = withEvidence(intent, clock.now(), seen)
  const changes = { ...FREE, rejection: seen, evidence, nextCheckAt: undefined }
  const withdrawn = moved(intent, 'REJECTED', changes)
  return (await store.update({ intent: withdrawn, outcomes: [] })) ? withdrawn : undefined
}

async function send<K extends JournaledOperation, Transaction>(
  intent: Intent,
  asked: Asked<K>,
  parts: JournalParts<Transaction>,
  reconciler: Pick<Reconciler, 'look' | 'announce'>,
): Promise<Standing> {
  const { store, clock, deadlineMs, leases, owner } = parts
  if (intent.sends >= MOST_SENDS) {
    const ended = await withdraw(intent, `given up: it never left in ${MOST_SENDS} times`, parts)
    return standingOf(ended ?? (await newest(intent, parts)))
  }
  const before = intent.kind === 'modification' ? await snapshot(intent, parts) : undefined
  if (before instanceof PaymentError) return { outcome: 'notSent', intent, error: before }
  const now = clock.now()
  const leaseUntil = now + LEASE_MS
  const sending = moved(intent, 'SENDING', {
    before,
    sentAt: now,
    deadlineMs,
    sends: intent.sends + 1,
    leaseUntil,
    leaseOwner: owner,
    nextCheckAt: leaseUntil,
  })
  if (!(await store.update({ intent: sending, outcomes: [] }))) return standingOf(await newest(intent, parts))
  const { result, intent: settledIntent } = await leases.during(intent.intentId, async () => {
    const result = await exchange(sending, asked, parts)
    return { result, intent: await write(sending, result, parts, reconciler) }
  })
  return await conclude(settledIntent, result, reconciler)
}

async function newest<Transaction>({ intentId }: Intent, { store }: JournalParts<Transaction>): Promise<Intent> {
  const found = await store.find(intentId)
  if (found === undefined) throw new Error(`There is no intent ${intentId}`)
  return found
}

/** What status tells of the order before it is changed. Without that it is not changed. */
async function snapshot<Transaction>(intent: Intent, parts: JournalParts<Transaction>) {
  const { clientOrderId, orderId } = intent
  try {
    return observationOf(await parts.client.status({ clientOrderId, orderId }, endpointOf(intent)), parts.exponents)
  } catch (error) {
    if (error instanceof PaymentError) return error
    throw error
  }
}

/** Sends, once. */
async function exchange<K extends JournaledOperation, Transaction>(
  intent: Intent,
  { input }: Asked<K>,
  { client, clock, deadlineMs }: JournalParts<Transaction>,
): Promise<AnyResult> {
  const { clientOrderId, operation, sentAt = 0 } = intent
  if (clock.now() - sentAt > LONGEST_STALL_MS) {
    return {
      outcome: 'notSent',
      error: new NotSentError({ operation, clientOrderId, seen: 'this process stood still' }),
    }
  }
  const call = client[operation] as (input: unknown, options: CallOptions) => Promise<AnyResult>
  try {
    return await call({ ...input, clientOrderId }, { timeoutMs: deadlineMs, ...endpointOf(intent) })
  } catch (error) {
    // The client throws before it sends, and at nothing else: a key that is missing, an option that is wrong.
    const seen = error instanceof Error ? error.message : 'the client threw'
    return { outcome: 'notSent', error: new NotSentError({ operation, clientOrderId, seen }) }
  }
}

/** Writes what came of it. Gives the intent as it is then. */
async function write<Transaction>(
  sending: Intent,
  result: AnyResult,
  parts: JournalParts<Transaction>,
  reconciler: Pick<Reconciler, 'announce'>,
): Promise<Intent> {
  const { store, clock, fraction, repeatsGetFirstAnswer } = parts
  const written = await updateIntent(store, sending.intentId, (intent) => {
    const isOurs = isHeldBy(sending, intent)
    if (!isOurs && !tellsMore(intent, result)) return undefined
    const change = settled(intent, result, { now: clock.now(), fraction: fraction(), repeatsGetFirstAnswer })
    return [isOurs ? change : withLeaseOf(intent, change)] as const
  })
  if (written === undefined) return await newest(sending, parts)
  const [{ intent, events }] = written
  reconciler.announce(events, intent)
  return intent
}

/** A refusal is confirmed by the status. */
async function conclude(intent: Intent, result: AnyResult, reconciler: Pick<Reconciler, 'look'>): Promise<Standing> {
  if (intent.state === 'REJECTED' && intent.nextCheckAt !== undefined) {
    const looked = await reconciler.look(intent)
    return withError(standingOf(looked), result)
  }
  return result.outcome === 'accepted'
    ? withReply(standingOf(intent), result.reply)
    : withError(standingOf(intent), result)
}

/** Whether nobody took it over, or sent it anew, while it was being sent. */
function isHeldBy(sending: Intent, { state, leaseOwner, sends }: Intent): boolean {
  return state === 'SENDING' && leaseOwner === sending.leaseOwner && sends === sending.sends
}

/**
 * Others may have gone on from what looked like a dead process. Of what was learned here only that the gateway took it counts
 * then: that was so whoever has the intent, and without it the customer of a hosted form could not go on, nor a stored card
 * be used.
 */
function tellsMore({ state, reviewReason }: Intent, { outcome }: AnyResult): boolean {
  if (outcome !== 'accepted') return false
  if (state === 'REVIEW') return reviewReason === 'NO_STATUS'
  return state === 'SENDING' || state === 'UNKNOWN' || state === 'PRESUMED_ABSENT'
}

/** Whoever has it for himself by now keeps it. */
function withLeaseOf({ leaseUntil, leaseOwner }: Intent, change: Settled): Settled {
  return { ...change, intent: { ...change.intent, leaseUntil, leaseOwner } }
}

function withReply(standing: Standing, reply: unknown) {
  const isNews = standing.outcome === 'accepted' || standing.outcome === 'final'
  return isNews ? { ...standing, reply } : standing
}

function withError(standing: Standing, result: AnyResult) {
  const tells = result.outcome !== 'accepted' && (standing.outcome === 'rejected' || standing.outcome === 'notSent')
  return tells ? { ...standing, error: result.error } : standing
}
