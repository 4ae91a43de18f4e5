import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@tallystick/proof-kit'
import type { TestServer } from '@tallystick/test-postgres'
import type { Urls } from './databases.ts'
import type { InFlight } from './watch.ts'

/** Stops PostgreSQL as if its machine had lost its power, and starts it again. */
export interface Outages {
  /** Stops and starts it until calm. Resolves when it is known how work went on after the last time. */
  bring(isCalm: () => boolean): Promise<void>
  counts(): OutageCounts
}

export interface OutageCounts {
  readonly outages: number
  /** The longest time until work under way went on, in milliseconds: the whole patience if it did not. */
  readonly longestMs: Readonly<Record<keyof Urls, number>>
}

export interface OutageOptions {
  readonly server: TestServer
  readonly random: Random
  readonly watched: Readonly<Record<keyof Urls, InFlight>>
  /** Work that has not moved in this time did not resume. */
  readonly patienceMs: number
}

const LEAST_UP_MS = 1500
const MOST_UP_MS = 5000
const LEAST_DOWN_MS = 50
const MOST_DOWN_MS = 2000
const LOOKED_EVERY_MS = 25

export function outages({ server, random, watched, patienceMs }: OutageOptions): Outages {
  const longestMs = { gateway: 0, shop: 0 }
  let outages = 0

  const between = (least: number, most: number) => pause(least + random.below(most - least))

  /** How long what is under way now takes to go on; `undefined`: nothing is. Further outages may come in between. */
  async function untilMoved(half: keyof Urls): Promise<void> {
    const look = watched[half]
    const since = performance.now()
    const before = await look()
    if (before.size === 0) return
    for (let after = 0; after < patienceMs; ) {
      await pause(LOOKED_EVERY_MS)
      const now = await look()
      after = performance.now() - since
      if ([...before].some(([id, state]) => now.get(id) !== state)) return note(half, after)
    }
    note(half, patienceMs)
  }

  function note(half: keyof Urls, after: number): void {
    longestMs[half] = Math.max(longestMs[half], after)
  }

  return {
    bring: async (isCalm) => {
      const watching: Promise<void>[] = []
      for (;;) {
        await between(LEAST_UP_MS, MOST_UP_MS)
        if (isCalm()) break
        await server.stop('immediate')
        await between(LEAST_DOWN_MS, MOST_DOWN_MS)
        await server.start()
        outages++
        watching.push(untilMoved('gateway'), untilMoved('shop'))
      }
      await Promise.all(watching)
    },
    counts: () => ({ outages, longestMs: { ...longestMs } }),
  }
}
