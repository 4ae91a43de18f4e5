import { setTimeout as pause } from 'node:timers/promises'
import type { InFlight } from './watch.ts'

/** Watches what processes hold by a lease, and for how long it makes no progress. */
export interface Held {
  /** Watches until it is over. */
  watch(isOver: () => boolean): Promise<void>
  /**
   * The longest time for which anything held neither went on nor had its lease renewed. A living process renews it every few
   * seconds, so this is the time from a dead process's last sign of life until another one took up its work. It starts over
   * while there is no process that could.
   */
  longestMs(): number
}

const LOOKED_EVERY_MS = 100

export function held(look: InFlight, isAnybodyUp: () => boolean): Held {
  const since = new Map<string, { readonly state: string; readonly at: number }>()
  let longest = 0

  function note(now: ReadonlyMap<string, string>, at: number): void {
    if (!isAnybodyUp()) since.clear()
    for (const [id, state] of since) {
      longest = Math.max(longest, at - state.at)
      if (now.get(id) !== state.state) since.delete(id)
    }
    for (const [id, state] of now) if (!since.has(id)) since.set(id, { state, at })
  }

  return {
    longestMs: () => longest,
    watch: async (isOver) => {
      while (!isOver()) {
        const now = await look()
        note(now, performance.now())
        await pause(LOOKED_EVERY_MS)
      }
    },
  }
}
