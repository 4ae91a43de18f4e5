import type { ReplyValues } from '@tallystick/core'
import type { Outcome, StatusPoll } from './outcome.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * The wait between two status checks, by the time since the first: 2, 5 and 10 s, then every 5 s up to 5 minutes, every 5
 * minutes up to an hour, every hour up to a day, then daily. Within what the gateways ask for (gaps part 5), except that the
 * first checks are sooner: most cards are decided by then.
 */
const POLL_INTERVALS: ReadonlyArray<{ readonly before: number; readonly wait: number }> = [
  { before: 2 * SECOND, wait: 2 * SECOND },
  { before: 5 * SECOND, wait: 3 * SECOND },
  { before: 5 * MINUTE, wait: 5 * SECOND },
  { before: HOUR, wait: 5 * MINUTE },
  { before: 24 * HOUR, wait: HOUR },
]
const LAST_WAIT = 24 * HOUR
const JITTER = 0.2

/** At most one status check of an order in this time, however many callbacks come. */
export const LEAST_WAIT_MS = 2 * SECOND

/**
 * Milliseconds until the next status check.
 *
 * @param elapsedMs since the first check
 * @param fraction from 0 to 1: moves the wait by up to a fifth either way, so that many orders do not ask at once
 */
export function pollInterval(elapsedMs: number, fraction: number): number {
  const wait = POLL_INTERVALS.find(({ before }) => elapsedMs < before)?.wait ?? LAST_WAIT
  return wait * (1 + JITTER * (2 * fraction - 1))
}

/**
 * Polls an order until `find` finds something in its status, and gives that. If nothing was found by the end, gives the outcome.
 */
export async function pollUntil<Found extends object>(
  polls: AsyncGenerator<StatusPoll, Outcome, undefined>,
  find: (reply: ReplyValues<'status'>) => Found | undefined,
): Promise<Found | { readonly outcome: Outcome }> {
  for (;;) {
    const { done, value } = await polls.next()
    if (done) return { outcome: value }
    const { reply } = value
    const found = reply && find(reply)
    if (found === undefined) continue
    await polls.return({ outcome: 'undecided', clientOrderId: reply?.clientOrderId ?? '', lastPoll: value })
    return found
  }
}

/** What waits for which order in this process, so that a callback can wake it. */
export class Waiters {
  readonly #waiting = new Map<string, Set<() => void>>()
  /** Whether the client is closed, so that it can ask no gateway. */
  isClosed = false

  /** The result removes the waiter. */
  add(clientOrderId: string, wake: () => void): () => void {
    const others = this.#waiting.get(clientOrderId) ?? new Set()
    this.#waiting.set(clientOrderId, others)
    others.add(wake)
    return () => {
      others.delete(wake)
      if (others.size === 0) this.#waiting.delete(clientOrderId)
    }
  }

  wake(clientOrderId: string): void {
    for (const wake of this.#waiting.get(clientOrderId) ?? []) wake()
  }

  /** Wakes all: waiting is pointless now. */
  close(): void {
    this.isClosed = true
    for (const clientOrderId of this.#waiting.keys()) this.wake(clientOrderId)
  }
}
