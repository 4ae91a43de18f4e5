import {
  AsyncResponse,
  catalogue,
  isPaymentError,
  type OperationKey,
  type ReplyValues,
  type RequestInput,
} from '@tallystick/core'
import { type Dependencies, forCall } from '../options.ts'
import type { CallOptions } from '../result.ts'
import { passedMs } from '../runtime/system.ts'
import { call } from './call.ts'
import { readAgain } from './retry.ts'

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
  return await readAgain(ask, isWorthAsking(key), { ...here, now: passedMs, signal: options.signal })
}

/**
 * Whether another attempt can help: nothing was sent, or no answer came back. A read that is answered by an acknowledgement makes
 * an order, even if nothing is charged: it is never repeated.
 */
function isWorthAsking(key: OperationKey) {
  const makesNothing = catalogue[key].reply !== AsyncResponse
  return (error: unknown) => makesNothing && isPaymentError(error) && error.retry === 'safe'
}
