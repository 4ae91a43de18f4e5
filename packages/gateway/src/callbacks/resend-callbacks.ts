import type { Service } from '../flow/service.ts'
import { resend } from './decide.ts'

/** Makes all callbacks of an order due again. */
export async function resendCallbacks(orderId: string, { store, clock, commit }: Service): Promise<number> {
  const deliveries = await store.deliveriesOf(orderId)
  await commit({ deliveries: deliveries.map((delivery) => resend(delivery, clock.now())) })
  return deliveries.length
}
