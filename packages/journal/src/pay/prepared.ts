import type { Intent } from '@tallystick/client/ports'
import type { JournalParts } from '../context.ts'
import { readRebillKey } from '../intents/business-key.ts'
import { isJournaled, type JournaledOperation, type JournalInput, unattendedInput } from '../intents/operation-facts.ts'
import { isOpening, kept, newestOf, updateIntent, withEvidence } from '../intents/states.ts'
import type { Reconciler } from '../reconcile/reconciler.ts'
import { isTooOld } from '../status/absence.ts'
import { decided } from '../status/status-result.ts'
import { type Asked, lastNumber } from './intent.ts'
import { isUsedUp, send } from './send.ts'
import { FREE, nextTry } from './settle.ts'

/** An intent as `prepare` writes it: with the time that its caller has, and with what the journal needs to send it after that. */
export function awaitingCaller<K extends JournaledOperation, Transaction>(
  intent: Intent,
  { operation, input }: Asked<K>,
  { clock, sendPreparedAfterMs }: JournalParts<Transaction>,
): Intent {
  if (sendPreparedAfterMs === Number.POSITIVE_INFINITY) return intent
  return { ...intent, input: unattendedInput(operation, { ...input }), nextCheckAt: clock.now() + sendPreparedAfterMs }
}

const NOT_CALLED = 'its caller did not come: sent by the journal itself'

/**
 * Sends a prepared intent that this process has claimed, because its caller did not come; or reports that it waits for its caller.
 * It is sent as `pay` sends it: whichever of the two marks it first as being sent is the only one to send it.
 */
export async function sendPrepared<Transaction>(
  intent: Intent,
  parts: JournalParts<Transaction>,
  reconciler: Pick<Reconciler, 'check'>,
): Promise<void> {
  const now = parts.clock.now()
  const asked = askedFor(intent, parts)
  const isOver = isTooOld({ createdAt: intent.createdAt }, { now, aheadMs: parts.skew.aheadMs() })
  if (asked === undefined || isOver || isUsedUp(intent) || intent.rejection !== undefined) {
    return await leaveToCaller(intent, parts)
  }
  // Nobody waits for the answer: with a status asked for before it, a refusal is reported to the listener.
  const unattended = { ...intent, evidence: withEvidence(intent, now, NOT_CALLED), lookedAt: now }
  const standing = await send(unattended, asked, { parts, reconciler, earlier: [] })
  if (standing?.outcome === 'notSent') await tryLater(intent, standing.error?.message, parts)
}

/** What its caller has asked for. `undefined`: it is not stored. */
function askedFor<Transaction>(
  { operation, input, ...intent }: Intent,
  parts: JournalParts<Transaction>,
): Asked<JournaledOperation> | undefined {
  if (input === undefined || !isJournaled(operation)) return undefined
  const { businessKey } = intent
  const keys = [readRebillKey(businessKey), businessKey].filter((one) => one !== undefined)
  // A text may look like the key of a rebill: then its ids tell which of the two it is.
  const made = isOpening(intent)
    ? keys.find((key) => lastNumber({ key }, [{ operation, ...intent }], parts) > 0)
    : undefined
  const fields: Readonly<Record<string, unknown>> = input
  return { key: made ?? businessKey, operation, input: fields as JournalInput<JournaledOperation>, endpoint: {} }
}

/** Reports it before that is written: if the process dies between the two, it is reported again. */
async function leaveToCaller<Transaction>(claimed: Intent, parts: JournalParts<Transaction>): Promise<void> {
  const { store, emit } = parts
  const intent = await newestOf(store, claimed.intentId)
  if (intent.version !== claimed.version) return
  emit({ type: 'PREPARED_WAITS', intent })
  await store.update({ intent: kept(intent, { ...FREE, input: undefined, nextCheckAt: undefined }), outcomes: [] })
}

/** Nothing has left: the gateway could not be asked, or the order cannot be changed yet. Unless its caller came meanwhile. */
async function tryLater<Transaction>(
  { intentId, version }: Intent,
  seen: string | undefined,
  { store, clock }: JournalParts<Transaction>,
): Promise<void> {
  await updateIntent(store, intentId, (fresh) => {
    if (fresh.version !== version) return undefined
    const now = clock.now()
    const evidence = seen === undefined ? fresh.evidence : withEvidence(fresh, now, seen)
    return [decided(kept(fresh, { ...FREE, evidence, nextCheckAt: nextTry(fresh, now) }))]
  })
}
