import { isFinalStatus } from '@tallystick/core'
import { callbackUrl } from '../callbacks/payload.ts'
import type { Service } from '../context.ts'
import type { Endpoint } from '../merchants/endpoint.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import type { Delivery } from '../store/delivery.ts'

/** What an operation has come to, and when. */
interface Outcome {
  readonly order: StoredOrder
  readonly operation: StoredOperation
  readonly at: number
}

/**
 * Whether an operation has come to what a callback reports: a final outcome, or that it is unknown for now (gaps part 6 and 14).
 * The callback of the outcome replaces that one. A payout in two steps has its outcome at the second step, or when the merchant
 * did not pay in time.
 */
export function isToldOf({ kind, status, outcome }: StoredOperation): boolean {
  const isFirstStep =
    kind === 'payout-check' && (status === 'unknown' || (status === 'approved' && outcome.isExpired !== true))
  return (isFinalStatus(status) || status === 'unknown') && !isFirstStep
}

/** The callback that reports the outcome of an operation. None, if no address is configured for it. */
export function deliveriesFor(
  { order, operation, at }: Outcome,
  service: Pick<Service, 'merchants' | 'profile'>,
): readonly Delivery[] {
  const { profile, merchants } = service
  const merchant = merchants.byLogin(order.login)
  const endpoint = merchants.endpointOf(order)
  const address = addressFor(order, operation, endpoint)
  if (address === undefined || merchant === undefined) return []
  const { controlKey } = merchant
  const url = callbackUrl({ address, order, operation, controlKey, profile, endpoint, at })
  return [{ id: operation.id, orderId: order.orderId, url, createdAt: at, dueAt: at, made: 0, state: 'open' }]
}

/**
 * `server_callback_url` gets the outcome of the original transaction. `notify_url`, of the request or else of the endpoint,
 * gets those of later operations, and that of the original if there is no `server_callback_url`.
 */
function addressFor(
  order: StoredOrder,
  operation: StoredOperation,
  endpoint: Endpoint | undefined,
): string | undefined {
  const { serverCallbackUrl, notifyUrl } = order.details.addresses
  const later = notifyUrl ?? endpoint?.notifyUrl
  const isOriginal = operation === order.operations[0] || operation.kind === 'payout-pay'
  return isOriginal ? (serverCallbackUrl ?? later) : later
}
