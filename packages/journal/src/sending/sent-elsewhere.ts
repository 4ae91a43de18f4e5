import type { Intent } from '@tallystick/client'
import type { JournalParts } from '../options.ts'
import { newestOf } from '../update-intent.ts'

/** How often a call looks whether the process that sends has its answer. */
const LOOK_EVERY_MS = 200

/**
 * Waits while another living process sends an intent, as the next call within one process does (`inTurn`). Returns whether it
 * waited for the end of that: `false` if nobody else was sending it, or if it takes longer than an answer may take.
 */
export async function sentElsewhere<Transaction>(
  intent: Intent,
  parts: Pick<JournalParts<Transaction>, 'store' | 'clock' | 'deadlineMs' | 'owner'>,
): Promise<boolean> {
  const mostLooks = parts.deadlineMs / LOOK_EVERY_MS
  let newest = intent
  for (let looks = 0; isSentElsewhere(newest, parts); looks++) {
    if (looks >= mostLooks) return false
    await new Promise<void>((resolve) => parts.clock.schedule(LOOK_EVERY_MS, resolve))
    newest = await newestOf(parts.store, intent.intentId)
  }
  return newest !== intent
}

/** A dead process does not renew its lease: then the reconciler takes the intent over. */
function isSentElsewhere<Transaction>(
  { state, leaseOwner, leaseUntil }: Intent,
  { clock, owner }: Pick<JournalParts<Transaction>, 'clock' | 'owner'>,
): boolean {
  return state === 'SENDING' && leaseOwner !== owner && leaseUntil !== undefined && leaseUntil > clock.now()
}
