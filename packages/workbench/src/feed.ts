import type { RecordedEvent } from '@tallystick/core'
import { type Sandbox, SandboxError } from './sandbox.ts'

/** What of the recording the page has, and whether more comes. */
export interface Feed {
  /** The latest, the oldest first. Another array after each change. */
  readonly events: readonly RecordedEvent[]
  readonly state: 'connecting' | 'live' | 'lost' | 'refused' | 'recorded'
  /** The gateway's time less this machine's, in milliseconds. */
  readonly aheadMs: number
  /** The gateway's time, if its clock stands still until a test advances it. */
  readonly standsAt?: number | undefined
  /** Whether it does: that takes a second to find out. */
  readonly isStill?: boolean | undefined
  /** Why it is refused. */
  readonly reason: string
}

export const EMPTY_FEED: Feed = { events: [], state: 'connecting', aheadMs: 0, reason: '' }

/** A recording that has ended, with the time of its end. */
export function recordedFeed(events: readonly RecordedEvent[], now: number): Feed {
  return { events, state: 'recorded', aheadMs: (events.at(-1)?.at ?? now) - now, reason: '' }
}

/** More would make the page slow. Those before are in the recording, and an order shows all of its own. */
const MOST = 20_000
/** As often as anybody sees. */
const SHOW_EVERY_MS = 100
const AGAIN_AFTER_MS = 1_000
const CLOCK_MOVES_WITHIN_MS = 1_000

/** Follows the recording until `signal`, and goes on where it was when the connection was lost. Calls `show` with each state. */
export async function follow(sandbox: Sandbox, show: (feed: Feed) => void, signal: AbortSignal): Promise<void> {
  let feed = EMPTY_FEED
  let taken: RecordedEvent[] = []
  let isWaiting = false

  const put = (changes: Partial<Feed>) => {
    feed = { ...feed, ...changes }
    if (!signal.aborted) show(feed)
  }
  const flush = () => {
    isWaiting = false
    const events = [...feed.events, ...taken].slice(-MOST)
    taken = []
    put({ events })
  }
  let runs = false
  /** A clock that has the same time a second later stands still. Until then nothing is shown that it may have to take back. */
  const readClock = async () => {
    const { now } = await sandbox.ask<{ readonly now: string }>('GET', '/clock')
    const at = Date.parse(now)
    put({ aheadMs: at - Date.now(), standsAt: runs ? undefined : at })
    return at
  }
  const watchClock = async () => {
    const before = await readClock()
    await new Promise((resolve) => setTimeout(resolve, CLOCK_MOVES_WITHIN_MS))
    runs = (await readClock()) !== before
    put({ standsAt: runs ? undefined : feed.standsAt, isStill: !runs })
  }

  while (!signal.aborted) {
    try {
      await readClock()
      if (!runs) void watchClock().catch(() => {})
      const lastEventId = taken.at(-1)?.id ?? feed.events.at(-1)?.id
      const path = lastEventId === undefined ? `/recording/stream?last=${MOST}` : '/recording/stream'
      const events = sandbox.events(path, { signal, lastEventId })
      put({ state: 'live' })
      for await (const event of events) {
        taken.push(event)
        if (event.type === 'clock') void readClock().catch(() => {})
        if (isWaiting) continue
        isWaiting = true
        setTimeout(flush, SHOW_EVERY_MS)
      }
    } catch (error) {
      if (error instanceof SandboxError && error.status < 500) return put({ state: 'refused', reason: error.message })
    }
    if (signal.aborted) return
    put({ state: 'lost' })
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS))
  }
}
