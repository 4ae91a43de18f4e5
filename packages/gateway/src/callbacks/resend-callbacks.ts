import { noticesOf } from '../flow/follow-up.ts'
import type { Service } from '../flow/service.ts'
import { operationOf } from '../orders/derive.ts'
import type { StoredOrder } from '../orders/order.ts'
import { resend } from './decide.ts'
import type { Delivery } from './delivery.ts'

/** Makes all callbacks of an order due again, as they are signed by now: the merchant may have another control key since. */
export async function resendCallbacks(orderId: string, service: Service): Promise<number> {
  const { store, clock, commit } = service
  const order = await store.orderById(orderId)
  if (order === undefined) return 0
  const deliveries = await store.deliveriesOf(orderId)
  await commit({
    deliveries: deliveries.map((delivery) =>
      resend({ ...delivery, url: urlNow(delivery, order, service) }, clock.now()),
    ),
  })
  return deliveries.length
}

/** The one that it had, where the merchant is not configured any more. */
function urlNow({ id, createdAt, url }: Delivery, order: StoredOrder, service: Service): string {
  const [notice] = noticesOf({ order, operation: operationOf(order, id), at: createdAt }, service)
  return notice?.url ?? url
}
