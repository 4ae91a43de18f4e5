import type { Intent } from '@tallystick/client'
import { LEASE_MS } from '../background/lease.ts'
import { kept, moved } from '../intents/states.ts'
import type { JournalParts } from '../options.ts'

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
export async function markAsSent<Transaction>(
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
