import { isFinalStatus } from '@tallystick/core'
import type { Service } from '../flow/service.ts'
import type { Endpoint } from '../merchants/endpoint.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import type { Delivery } from './delivery.ts'
import { callbackUrl } from './notice.ts'

/** What has come of an operation at an instant. */
interface Outcome {
  readonly order: StoredOrder
  readonly operation: StoredOperation
  readonly at: number
}

/**
 * Whether an operation has come to what a callback tells of: a final outcome (gaps part 6). A payout in two steps has its outcome at
 * the second, or when nobody has paid in time.
 */
export function isToldOf({ kind, status, outcome }: StoredOperation): boolean {
  const isFirstStep = kind === 'payout-check' && status === 'approved' && outcome.isExpired !== true
  return isFinalStatus(status) && !isFirstStep
}

/** The callback that tells the outcome of an operation; none where nobody wants to hear of it. */
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
  const url = callbackUrl({ address, order, operation, controlKey, profile, descriptor: endpoint?.descriptor, at })
  return [{ id: operation.id, orderId: order.orderId, url, createdAt: at, dueAt: at, made: 0, state: 'open' }]
}

/**
 * `server_callback_url` hears of the original transaction, `notify_url` of that in its place and of what comes later,
 * also where the endpoint has one of its own.
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
