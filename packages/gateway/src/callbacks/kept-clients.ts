import type { Client } from 'undici'
import { realTime } from '../runtime/system.ts'

/** How long a connection stays open without a callback, in milliseconds. */
export const IDLE_MS = 1000
/** How long a connection is used: a name that has moved is looked up again within this time. */
const LONGEST_USE_MS = 10_000
/** The most connections that wait for a callback, of all shops together. */
const MOST_IDLE = 64

/** A connection to a shop, for one callback at a time. */
export interface Kept {
  readonly origin: string
  readonly client: Client
  readonly openedAt: number
  /** Of the callback that goes over it. */
  signal: AbortSignal
}

export type KeptClients = ReturnType<typeof keptClients>

/** Connections that are used again while callbacks to an origin follow each other closely. */
export function keptClients(now: () => number = realTime.now) {
  const idle = new Map<string, Set<Kept>>()
  let count = 0

  /** Returns whether it was waiting. */
  function forget(kept: Kept): boolean {
    const here = idle.get(kept.origin)
    if (here?.delete(kept) !== true) return false
    count--
    if (here.size === 0) idle.delete(kept.origin)
    return true
  }

  function end(kept: Kept): void {
    forget(kept)
    void kept.client.destroy()
  }

  return {
    add: (origin: string, client: Client, signal: AbortSignal): Kept => {
      const kept: Kept = { origin, client, openedAt: now(), signal }
      client.on('disconnect', () => end(kept))
      return kept
    },
    /** One that waits for a callback to this origin. */
    take: (origin: string, signal: AbortSignal): Kept | undefined => {
      for (const kept of idle.get(origin) ?? []) {
        forget(kept)
        if (now() - kept.openedAt <= LONGEST_USE_MS) return Object.assign(kept, { signal })
        end(kept)
      }
      return undefined
    },
    /** Keeps it for the next callback, or ends it. */
    giveBack: (kept: Kept): void => {
      if (count >= MOST_IDLE) end(kept)
      if (kept.client.destroyed) return
      const here = idle.get(kept.origin) ?? new Set()
      idle.set(kept.origin, here.add(kept))
      count++
    },
    end,
    close: (): void => {
      for (const kept of [...idle.values()].flatMap((here) => [...here])) end(kept)
    },
  }
}
