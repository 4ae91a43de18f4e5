import { isFinalStatus, PaymentError, type ReplyValues } from '@tallystick/core'
import { type Clock, randomFraction } from '../rims/system.ts'
import { LEAST_WAIT_MS, waitBeforeNextLook } from './cadence.ts'
import type { Look, Outcome, WaitedOrder } from './outcome.ts'
import type { Waiters } from './waiters.ts'

export interface WatchDependencies {
  /** Asks once. */
  readonly ask: (order: WaitedOrder) => Promise<ReplyValues<'status'>>
  readonly clock: Clock
  readonly waiters: Waiters
  /** Milliseconds from now. */
  readonly deadlineMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * Looks at the status of an order until it is final or the deadline has come; a callback wakes it early. Yields each look
 * and gives the outcome.
 *
 * What the gateway cannot be asked now, or does not know yet, is one more look that tells nothing: a lost order may arrive
 * late, so only a final status decides (docs/guides/unknown.md).
 *
 * @throws PaymentError `AUTH_REJECTED` or `INVALID_INPUT`, which no later look can mend; the reason of the signal
 */
export async function* watchOutcome(
  order: WaitedOrder,
  deps: WatchDependencies,
): AsyncGenerator<Look, Outcome, undefined> {
  const { clock, deadlineMs, signal } = deps
  const { clientOrderId } = order
  const started = clock.now()
  for (let number = 1; ; number++) {
    signal?.throwIfAborted()
    const look = await lookOnce(number, order, deps)
    yield look
    const decided = outcomeOf(look, clientOrderId)
    if (decided !== undefined) return decided
    const elapsed = clock.now() - started
    if (elapsed >= deadlineMs) return { outcome: 'undecided', clientOrderId, lastLook: look }
    const wait = Math.min(waitBeforeNextLook(elapsed, randomFraction()), deadlineMs - elapsed)
    await pause(wait, clientOrderId, deps)
  }
}

/** As {@link watchOutcome}, for whom only the end counts. */
export async function waitForOutcome(order: WaitedOrder, deps: WatchDependencies): Promise<Outcome> {
  const looks = watchOutcome(order, deps)
  for (;;) {
    const { done, value } = await looks.next()
    if (done) return value
  }
}

async function lookOnce(number: number, order: WaitedOrder, { ask }: WatchDependencies): Promise<Look> {
  try {
    return { number, reply: await ask(order) }
  } catch (error) {
    if (error instanceof PaymentError && !isHopeless(error)) return { number, error }
    throw error
  }
}

function isHopeless({ code }: PaymentError): boolean {
  return code === 'AUTH_REJECTED' || code === 'INVALID_INPUT'
}

function outcomeOf({ reply }: Look, clientOrderId: string): Outcome | undefined {
  if (reply?.orderId === undefined || !isFinalStatus(reply.status)) return undefined
  return { outcome: reply.status, clientOrderId, orderId: reply.orderId, reply }
}

/** Ends after so many milliseconds, earlier when a callback tells of the order, or when the call is given up. */
function pause(milliseconds: number, clientOrderId: string, { clock, waiters, signal }: WatchDependencies) {
  return new Promise<void>((resolve) => {
    const began = clock.now()
    const stops: Array<() => void> = []
    const end = () => {
      for (const stop of stops) stop()
      resolve()
    }
    stops.push(clock.schedule(milliseconds, end))
    const wake = () => {
      const rest = Math.min(milliseconds, LEAST_WAIT_MS) - (clock.now() - began)
      if (rest <= 0) end()
      else stops.push(clock.schedule(rest, end))
    }
    stops.push(waiters.add(clientOrderId, wake))
    signal?.addEventListener('abort', end)
    stops.push(() => signal?.removeEventListener('abort', end))
  })
}
