import type { Intent } from '@tallystick/client'
import { LEASE_MS } from '../lease.ts'
import type { JournalParts } from '../options.ts'
import { kept, moved } from '../states.ts'

/** A process whose write took longer does not send on it: others may soon take the intent over. */
const LATEST_MS = LEASE_MS / 2
/** How often it is written at most, where a handler keeps the database busy for long. */
const MOST_MARKS = 5

/**
 * Writes that it is being sent from now on, and writes that again where it took too long to send on it. The attempts before it
 * are written with it, unchanged, so that nothing is written where one of them has news.
 *
 * `undefined`: nothing was written, because somebody else is at it, or an attempt before it has news. Where that happens when
 * it is written again, it was not in time.
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
    // Less than nothing tells that the clock was set back, and not how much time has passed.
    const isInTime = passed >= 0 && passed <= LATEST_MS
    if (isInTime || marks === MOST_MARKS) return { intent: marked, isInTime }
  }
}
