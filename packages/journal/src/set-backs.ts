import { CLOCKS_APART_MS } from './decide/ahead.ts'
import { LONGEST_PUT_OFF_MS } from './hand-over.ts'
import { LEASE_MS } from './lease.ts'
import type { JournalParts } from './options.ts'

/**
 * Gives a function to call before each turn of the work. If the clock was set back since the last call, it has the store pull
 * times in the future back to now. So does the first call, since the clock may have been set back while no process ran.
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
