import { catalogue, isPaymentError, type OperationKey, type ReplyValues, type RequestInput } from '@tallystick/core'
import { AsyncResponse } from '@tallystick/core/internal'
import { type Dependencies, forCall } from '../options.ts'
import type { CallOptions } from '../result.ts'
import { type Clock, passedMs, randomFraction } from '../runtime/system.ts'
import { call } from './call.ts'

/**
 * Sends a read and returns its reply.
 *
 * @throws PaymentError when there is no reply; TypeError for a wrong option
 */
export async function read<K extends OperationKey>(
  key: K,
  input: RequestInput<K>,
  options: CallOptions,
  deps: Dependencies,
): Promise<ReplyValues<K>> {
  const here = forCall(options, deps)
  const ask = async (timeoutMs: number) => {
    const verdict = await call(key, input, options.signal, { ...here, timeoutMs })
    if (verdict.kind === 'accepted') return verdict.reply
    throw verdict.error
  }
  return await retryRead(ask, isWorthAsking(key), { ...here, now: passedMs, signal: options.signal })
}

/**
 * Whether another attempt can help: nothing was sent, or no answer came back. A read that is answered by an acknowledgement makes
 * an order, even if nothing is charged: it is never repeated.
 */
function isWorthAsking(key: OperationKey) {
  const makesNothing = catalogue[key].reply !== AsyncResponse
  return (error: unknown) => makesNothing && isPaymentError(error) && error.retry === 'safe'
}

interface Repetition {
  /** The most attempts, including the first. */
  readonly readAttempts: number
  /** Time limit of all attempts together. */
  readonly timeoutMs: number
  /** Real time, as of the transport, in milliseconds from any start. The clock of a test may skip days between two answers. */
  readonly now: () => number
  /** For the waits. */
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
}

const FIRST_WAIT_MS = 200

/**
 * Repeats a read, after waits that double, each shortened at random to spread many callers. For reads alone: nothing else in
 * this library is ever sent twice.
 */
export async function retryRead<T>(
  ask: (timeoutMs: number) => Promise<T>,
  isWorthwhile: (error: unknown) => boolean,
  { readAttempts, timeoutMs, now, clock, signal }: Repetition,
): Promise<T> {
  const deadline = now() + timeoutMs
  for (let attempt = 1, left = timeoutMs; ; attempt++) {
    const wait = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + randomFraction() / 2)
    try {
      return await ask(left)
    } catch (error) {
      left = Math.floor(deadline - now() - wait)
      if (attempt >= readAttempts || left < 1 || signal?.aborted || !isWorthwhile(error)) throw error
    }
    await new Promise<void>((resolve) => clock.schedule(wait, resolve))
  }
}
