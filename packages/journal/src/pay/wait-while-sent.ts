import type { Intent } from '@tallystick/client'
import { newestOf } from '../intents/update-intent.ts'
import type { JournalParts } from '../options.ts'

/** How often a call looks whether the process that sends has its answer. */
const LOOK_EVERY_MS = 200

/**
 * Waits while a living process sends an intent, as the next call within one process does (`inTurn`). Returns whether that ended:
 * `false` if nobody was sending it, or if it takes longer than an answer may take. A timer measures that, and not the number of
 * looks: a database that is busy answers each of them late.
 */
export async function waitWhileSent<Transaction>(
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
      await new Promise<void>((resolve) => clock.schedule(LOOK_EVERY_MS, resolve))
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
