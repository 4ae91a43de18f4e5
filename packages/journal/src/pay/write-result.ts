import type { Intent } from '@tallystick/client'
import { announce } from '../events.ts'
import { newestOf, updateIntent } from '../intents/update-intent.ts'
import type { JournalParts } from '../options.ts'
import type { Decision } from '../status/status-result.ts'
import { type AnyResult, settled } from './settle.ts'

/** The result of an exchange, and whether the request had been sent before. */
interface Exchanged {
  readonly result: AnyResult
  readonly isRepeat: boolean
}

/** Writes the result of an exchange. Gives the intent as it is then. */
export async function writeResult<Transaction>(
  sending: Intent,
  { result, isRepeat }: Exchanged,
  { store, clock, fraction, tell, repeatsGetFirstAnswer }: JournalParts<Transaction>,
): Promise<Intent> {
  const written = await updateIntent(store, sending.intentId, (intent) => {
    const isOurs = isHeldBy(sending, intent)
    if (!isOurs && !tellsMore(intent, result)) return undefined
    const change = settled(intent, result, { now: clock.now(), fraction: fraction(), repeatsGetFirstAnswer, isRepeat })
    return [isOurs ? change : withLeaseOf(intent, change)] as const
  })
  if (written === undefined) return await newestOf(store, sending.intentId)
  const [change] = written
  announce(change, tell)
  return change.intent
}

/** Whether no other process took the intent over or sent it again meanwhile. */
function isHeldBy(sending: Intent, { state, leaseOwner, sends }: Intent): boolean {
  return state === 'SENDING' && leaseOwner === sending.leaseOwner && sends === sending.sends
}

/**
 * Whether a result still counts after others took the intent over from what looked like a dead process. Only that the gateway
 * accepted the request does: that is true whoever has the intent, and without it the customer of a hosted form could not go on,
 * nor could a stored card be used.
 */
function tellsMore({ state, reviewReason }: Intent, { outcome }: AnyResult): boolean {
  if (outcome !== 'accepted') return false
  if (state === 'REVIEW') return reviewReason === 'NO_STATUS'
  return state === 'SENDING' || state === 'UNKNOWN' || state === 'PRESUMED_ABSENT'
}

/** The change, which leaves the lease to the process that has it now. */
function withLeaseOf({ leaseUntil, leaseOwner }: Intent, change: Decision): Decision {
  return { ...change, intent: { ...change.intent, leaseUntil, leaseOwner } }
}
