import type { Clock } from '@tallystick/client'
import { mutex } from '@tallystick/durable/mutex'
import type { ClockSkew, JournalParts } from '../context.ts'
import type { JournalListener } from '../events.ts'
import { LONGEST_PUT_OFF_MS } from '../outcomes/deliver.ts'
import { CLOCKS_APART_MS } from '../status/poll.ts'
import { LEASE_MS } from './lease.ts'

/** A timer is late by less under any load, and a clock that is corrected a little at a time jumps by less. */
const JUMP_MS = 60_000
/** For how long a clock that jumped ahead is in doubt: until then somebody sets it right, or means it. */
const DOUBTED_FOR_MS = 3_600_000

export function clockSkew(clock: Clock, emit: JournalListener): ClockSkew {
  let ahead = 0
  let doubtedUntil = 0
  return {
    aheadMs: () => (clock.now() < doubtedUntil ? ahead : 0),
    late: (byMs) => {
      if (byMs < JUMP_MS) return
      ahead = (clock.now() < doubtedUntil ? ahead : 0) + byMs
      doubtedUntil = clock.now() + DOUBTED_FOR_MS
      emit({ type: 'CLOCK_SET', byMs })
    },
    back: (byMs) => {
      if (byMs < JUMP_MS) return
      doubtedUntil = 0
      emit({ type: 'CLOCK_SET', byMs: -byMs })
    },
  }
}

/**
 * Gives a function to call before each turn of the work. If the clock was set back since the last call, it has the store pull
 * times in the future back to now. So does the first call, since the clock may have been set back while no process ran.
 */
export function clockChanges<Transaction>({
  clock,
  store,
  skew,
}: Pick<JournalParts<Transaction>, 'clock' | 'store' | 'skew'>): () => Promise<void> {
  let last = Number.POSITIVE_INFINITY
  let seen = Number.NEGATIVE_INFINITY
  // A claim skips the rows that are locked meanwhile.
  const exclusively = mutex()
  return () =>
    exclusively(async () => {
      const now = clock.now()
      skew.back(seen - now)
      seen = now
      if (now < last) {
        const latest = now + CLOCKS_APART_MS
        await store.pullBack({ now, latest, leaseMs: LEASE_MS, putOffMs: LONGEST_PUT_OFF_MS })
      }
      last = now
    })
}
