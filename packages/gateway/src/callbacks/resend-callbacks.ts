import type { Service } from '../flow/service.ts'
import { resend } from './decide.ts'
import { deliveryNow } from './delivery-now.ts'

/** Makes all callbacks of an order due again, as they are signed and addressed by now. */
export async function resendCallbacks(orderId: string, service: Service): Promise<number> {
  const { store, clock, commit } = service
  const order = await store.orderById(orderId)
  if (order === undefined) return 0
  const wanted = (await store.deliveriesOf(orderId)).flatMap((delivery) => deliveryNow(delivery, order, service) ?? [])
  await commit({ deliveries: wanted.map((delivery) => resend(delivery, clock.now())) })
  return wanted.length
}
