import type { Service } from '../context.ts'
import { operationOf } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { Delivery } from '../store/delivery.ts'
import { deliveriesFor } from './deliveries-for.ts'

/**
 * A delivery, signed and addressed anew: since it was written the merchant may have got another control key, or the endpoint
 * another `notifyUrl`. `undefined`: no address is configured for it any more. If the merchant or the endpoint is not configured
 * any more, or not yet in this process, the delivery stays as it was.
 */
export function deliveryNow(delivery: Delivery, order: StoredOrder, service: Service): Delivery | undefined {
  const operation = operationOf(order, delivery.id)
  const [anew] = deliveriesFor({ order, operation, at: delivery.createdAt }, service)
  if (anew !== undefined) return { ...delivery, url: anew.url }
  return service.merchants.endpointOf(order) === undefined ? delivery : undefined
}

/** A delivery before an attempt. */
export interface BeforeAttempt {
  /** `undefined`: no address is configured for it any more. */
  readonly delivery: Delivery | undefined
  /** Of the operation whose outcome it reports. */
  readonly serialNumber: string | undefined
  /** The merchant's. Absent if the order is no longer stored. */
  readonly login?: string
}

/** `deliveryNow` before each attempt, even the first: a host that was down, or a restart, may have held it up for long. */
export async function beforeAttempt(delivery: Delivery, service: Service): Promise<BeforeAttempt> {
  const order = await service.store.orderById(delivery.orderId)
  if (order === undefined) return { delivery, serialNumber: undefined }
  const { serialNumber } = operationOf(order, delivery.id)
  return { delivery: deliveryNow(delivery, order, service), serialNumber, login: order.login }
}
