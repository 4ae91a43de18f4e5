import {
  type Callback,
  callbackControlTerms,
  catalogue,
  type OperationKey,
  operationKeys,
  type ReplyValues,
  type RequestInput,
} from '@tallystick/core'
import { verifyControl } from '@tallystick/signing'
import { call } from './call.ts'
import { type Dependencies, forCall, type PaymentClientOptions, readOptions } from './options.ts'
import type { CallOptions, OperationResult, ResultOf, Unknown } from './result.ts'

/** One method for each operation of the interface. */
export type OperationMethods = {
  readonly [K in OperationKey]: (input: RequestInput<K>, options?: CallOptions) => Promise<ResultOf<K>>
}

export interface PaymentClient extends OperationMethods {
  /** Whether a callback or a browser return is signed with this merchant's control key (gaps part 6). */
  verifiesCallback(callback: Callback): boolean
  /** Ends the connections. Calls that are under way are finished first. */
  close(): Promise<void>
}

/**
 * Makes a merchant's client: a typed method for each operation, signed by the operation's scheme.
 *
 * Operations that change something return `accepted | rejected | notSent | unknown` and are sent once, whatever
 * happens. Reads return their reply and throw a `PaymentError`.
 *
 * @throws TypeError for a wrong option, SigningError `BAD_KEY` for a key that cannot be used
 */
export function createPaymentClient(options: PaymentClientOptions): PaymentClient {
  const deps = readOptions(options)
  const methods = operationKeys.map((key) => [key, methodOf(key, deps)])
  return {
    ...(Object.fromEntries(methods) as OperationMethods),
    verifiesCallback: (callback) => verifiesCallback(callback, deps),
    close: () => deps.transport.close(),
  }
}

function methodOf<K extends OperationKey>(key: K, deps: Dependencies) {
  const run = catalogue[key].effect === 'reads' ? read<K> : operate<K>
  return (input: RequestInput<K>, options: CallOptions = {}) => run(key, input, options, deps)
}

async function read<K extends OperationKey>(
  key: K,
  input: RequestInput<K>,
  options: CallOptions,
  deps: Dependencies,
): Promise<ReplyValues<K>> {
  const verdict = await call(key, input, options.signal, forCall(options, deps))
  if (verdict.kind === 'accepted') return verdict.reply
  throw verdict.error
}

async function operate<K extends OperationKey>(
  key: K,
  input: RequestInput<K>,
  options: CallOptions,
  deps: Dependencies,
): Promise<OperationResult<K>> {
  const here = forCall(options, deps)
  const { clientOrderId, orderId } = { ...input } as unknown as OrderNames
  const verdict = await call(key, input, options.signal, here)
  switch (verdict.kind) {
    case 'accepted':
      return { outcome: 'accepted', reply: verdict.reply }
    case 'rejected':
      return { outcome: 'rejected', error: verdict.error }
    case 'notSent':
      return { outcome: 'notSent', error: verdict.error }
    case 'unknown':
      return unknown(key, verdict.error, { clientOrderId, orderId }, here)
  }
}

/** `deps` are those of the call: the status is asked where the operation was sent. */
function unknown<K extends OperationKey>(
  key: K,
  error: Unknown['error'],
  order: OrderNames,
  deps: Dependencies,
): OperationResult<K> {
  const resolve: Unknown['resolve'] = (options = {}) => read('status', order, options, deps)
  const result = { outcome: 'unknown', error, ...(catalogue[key].effect === 'stores-card' ? {} : { resolve }) }
  return result as OperationResult<K>
}

/** What every request that was sent names its order by. */
interface OrderNames {
  readonly clientOrderId: string
  /** Only captures, voids, returns, uploads and the second step of a payout know it. */
  readonly orderId: string | undefined
}

function verifiesCallback(callback: Callback, { controlKey }: Dependencies): boolean {
  const terms = callbackControlTerms(callback)
  return verifyControl({ terms, key: controlKey.reveal(), control: callback.control }).ok
}
