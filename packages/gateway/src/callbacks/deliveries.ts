import type { Background } from '../background.ts'
import type { Clock } from '../clock.ts'
import { nextWait } from './schedule.ts'

/** Calls an address by GET, follows no redirect, and gives the HTTP status; throws when there was no answer. */
export type SendCallback = (url: string) => Promise<number>

export interface DeliveryDependencies {
  readonly send: SendCallback
  readonly clock: Clock
  readonly background: Background
  /** A number from 0 to 1 for the jitter of the waits. */
  readonly fraction: () => number
}

export interface Deliveries {
  /** Calls an address until it answers 200, says 410, or the schedule ends. */
  deliver(url: string): void
  /** Gives up everything that waits. */
  stop(): void
}

const ACKNOWLEDGED = 200
const GONE = 410

export function deliveries({ send, clock, background, fraction }: DeliveryDependencies): Deliveries {
  const waiting = new Set<() => void>()

  async function attempt(url: string, made: number, firstAt: number): Promise<void> {
    const status = await answerOf(url)
    if (status === ACKNOWLEDGED || status === GONE) return
    const wait = nextWait({ made, elapsedMs: clock.now() - firstAt, fraction: fraction() })
    if (wait !== undefined) waitFor(wait, () => attempt(url, made + 1, firstAt))
  }

  async function answerOf(url: string): Promise<number | undefined> {
    try {
      return await send(url)
    } catch {
      return undefined
    }
  }

  function waitFor(ms: number, next: () => Promise<void>): void {
    const cancel = clock.schedule(ms, () => {
      waiting.delete(cancel)
      background.run(next)
    })
    waiting.add(cancel)
  }

  return {
    deliver: (url) => background.run(() => attempt(url, 1, clock.now())),
    stop: () => {
      for (const cancel of waiting) cancel()
      waiting.clear()
    },
  }
}
