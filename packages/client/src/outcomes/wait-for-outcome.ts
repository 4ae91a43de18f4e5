import { isFinalStatus, isPaymentError, type ReplyValues } from '@tallystick/core'
import { answerOrError } from '../call/errors.ts'
import { type Clock, randomFraction } from '../runtime/system.ts'
import type { OrderRef, Outcome, StatusPoll } from './outcome.ts'
import { LEAST_WAIT_MS, pollInterval, pollUntil, type Waiters } from './poll.ts'

export interface WatchDependencies {
  /** Asks once, for so many milliseconds at most. */
  readonly ask: (order: OrderRef, atMostMs: number) => Promise<ReplyValues<'status'>>
  readonly clock: Clock
  readonly waiters: Waiters
  /** Milliseconds from now. */
  readonly deadlineMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * Polls the status of an order until it is final or the deadline has come; a callback shortens the wait. Yields each status
 * check and returns the outcome.
 *
 * If the gateway cannot be reached, or does not know the order yet, that check says nothing: a lost order may arrive late, so
 * only a final status decides (docs/guides/unknown.md).
 *
 * @throws PaymentError `AUTH_REJECTED` or `INVALID_INPUT`, which polling cannot fix; the reason of the signal
 */
export async function* watchOutcome(
  order: OrderRef,
  deps: WatchDependencies,
): AsyncGenerator<StatusPoll, Outcome, undefined> {
  const { clock, deadlineMs, signal, waiters } = deps
  const { clientOrderId } = order
  let [passedMs, lastNow] = [0, clock.now()]
  // If the clock is set back, the passed time stays: the wait ends by its deadline.
  const elapsed = () => {
    const now = clock.now()
    passedMs += Math.max(now - lastNow, 0)
    lastNow = now
    return passedMs
  }
  const lastPollMs = Math.min(LAST_POLL_MS, Math.ceil(deadlineMs / 2))
  const lastPollAt = deadlineMs - lastPollMs
  for (let number = 1; ; number++) {
    signal?.throwIfAborted()
    let isWoken = false
    const forget = waiters.add(clientOrderId, () => {
      isWoken = true
    })
    const atMostMs = Math.max(deadlineMs - elapsed(), lastPollMs)
    const poll = await pollOnce(number, order, atMostMs, deps).finally(forget)
    yield poll
    const decided = outcomeOf(poll, order)
    if (decided !== undefined) return decided
    const rest = lastPollAt - elapsed()
    const undecided = { outcome: 'undecided', clientOrderId, lastPoll: poll } as const
    if (rest <= 0 || waiters.isClosed) return undecided
    // The status may be older than the change that the callback reports.
    const wait = isWoken ? LEAST_WAIT_MS : pollInterval(elapsed(), randomFraction())
    await pause(Math.min(wait, rest), clientOrderId, deps)
    if (waiters.isClosed) return undecided
  }
}

/** How long the last status check may take before the deadline; half of the whole time if that is shorter. */
const LAST_POLL_MS = 1000

/** As {@link watchOutcome}, but only returns the end. */
export async function waitForOutcome(order: OrderRef, deps: WatchDependencies): Promise<Outcome> {
  const { outcome } = await pollUntil<never>(watchOutcome(order, deps), () => undefined)
  return outcome
}

async function pollOnce(
  number: number,
  order: OrderRef,
  atMostMs: number,
  { ask }: WatchDependencies,
): Promise<StatusPoll> {
  const reply = await answerOrError(() => ask(order, atMostMs))
  if (!isPaymentError(reply)) return { number, reply }
  // Polling cannot fix it. A proxy's page may be gone the next time.
  if ((reply.code === 'AUTH_REJECTED' && reply.isReply) || reply.code === 'INVALID_INPUT') throw reply
  return { number, error: reply }
}

function outcomeOf({ reply }: StatusPoll, { clientOrderId, serialNumber }: OrderRef): Outcome | undefined {
  if (reply?.orderId === undefined || !isFinalStatus(reply.status)) return undefined
  // `by-request-sn` is not signed, and gateways may ignore it: then they report the last operation of the order.
  if (serialNumber !== undefined && reply.byRequestSn !== serialNumber) return undefined
  return { outcome: reply.status, clientOrderId, orderId: reply.orderId, reply }
}

/** Ends after so many milliseconds, earlier at a callback of the order, at once when the call is aborted or the client closed. */
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
      const rest = Math.min(milliseconds, LEAST_WAIT_MS) - Math.max(clock.now() - began, 0)
      if (rest <= 0 || waiters.isClosed) end()
      else stops.push(clock.schedule(rest, end))
    }
    stops.push(waiters.add(clientOrderId, wake))
    signal?.addEventListener('abort', end)
    stops.push(() => signal?.removeEventListener('abort', end))
    // If it was aborted during the status check, there is no further event.
    if (signal?.aborted) end()
  })
}
