import { CLOCKS_APART_MS } from './decide/ahead.ts'
import { LONGEST_PUT_OFF_MS } from './hand-over.ts'
import { LEASE_MS } from './lease.ts'
import type { JournalParts } from './options.ts'

/**
 * Notices that the clock was set back, and has the store pull to now what was written ahead of that. Asked before each turn of the
 * work. The first time it may have been set back while no process was there to see.
 */
export function setBacks<Transaction>({
  clock,
  store,
}: Pick<JournalParts<Transaction>, 'clock' | 'store'>): () => Promise<void> {
  let last = Number.POSITIVE_INFINITY
  return async () => {
    const now = clock.now()
    if (now < last) {
      const latest = now + CLOCKS_APART_MS
      await store.pullBack({ now, latest, leaseMs: LEASE_MS, putOffMs: LONGEST_PUT_OFF_MS })
    }
    last = now
  }
}
