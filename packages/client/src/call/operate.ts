import { catalogue, type Operation, type OperationKey, type RequestInput } from '@tallystick/core'
import { warn } from '../diagnostics.ts'
import { type Dependencies, forCall } from '../options.ts'
import type { CallOptions, OperationResult, Unknown } from '../result.ts'
import { call, type FailedCall } from './call.ts'
import { hasShiftingBorder } from './client-order-id.ts'
import { confirmRefusal } from './confirm-refusal.ts'
import { read } from './read.ts'

/** The ids by which every request that was sent names its order. */
export interface OrderNames {
  readonly clientOrderId: string
  /** Only captures, voids, returns, uploads and the second step of a payout know it. */
  readonly orderId: string | undefined
}

/**
 * Sends an operation that changes something, once, and returns how it ended.
 *
 * @throws TypeError when the caller misuses the library. Whatever is thrown was thrown before anything was sent.
 */
export async function operate<K extends OperationKey>(
  key: K,
  input: RequestInput<K>,
  options: CallOptions,
  now: () => Dependencies,
): Promise<OperationResult<K>> {
  const here = forCall(options, now())
  const { signal, ...where } = options
  // It is not checked yet: without types the caller may pass anything.
  const { clientOrderId, orderId, customerIp } = Object(input) as OrderNames & { readonly customerIp?: unknown }
  here.watchAddress(customerIp)
  warnOfBorder(key, clientOrderId, here)
  const verdict = await call(key, input, signal, here)
  if (verdict.kind === 'accepted') return { outcome: 'accepted', reply: verdict.reply }
  const order = { clientOrderId, orderId }
  const ask: Ask = (again) => read('status', order, { ...where, ...again }, now())
  return resultOf(key, await confirmRefusal(key, verdict, order, signal, here), ask)
}

/** Asks for the status at the operation's endpoint, for the same merchant, signed with their keys of that moment. */
type Ask = Unknown['resolve']

/** A stored card and a schedule have no status to ask for, and rows of charges have one each. */
function resultOf<K extends OperationKey>(key: K, { kind, error }: FailedCall, resolve: Ask): OperationResult<K> {
  const { effect, request }: Operation = catalogue[key]
  const canAsk = kind === 'unknown' && effect !== 'stores-card' && 'clientOrderId' in request.fields
  return (canAsk ? { outcome: kind, error, resolve } : { outcome: kind, error }) as OperationResult<K>
}

/** A control has no separator between the client order id and the amount next to it (specification part 5.1). */
function warnOfBorder(key: OperationKey, clientOrderId: unknown, deps: Dependencies): void {
  if (catalogue[key].auth.scheme !== 'control' || typeof clientOrderId !== 'string') return
  if (!hasShiftingBorder(clientOrderId)) return
  warn(
    `clientOrderId ${clientOrderId} begins or ends with a digit, which a control cannot tell from the amount beside ` +
      'it; begin and end it with a letter, or use newClientOrderId()',
    deps,
  )
}
