import type { Service } from '../flow/service.ts'
import { type Operator, operatorRecord } from '../store/operator-record.ts'
import { resend } from './after-attempt.ts'
import { deliveriesFor, isToldOf } from './deliveries-for.ts'
import { deliveryNow } from './delivery-now.ts'

/**
 * Makes all callbacks of an order due now, signed and addressed anew. Adds those that were never written because the merchant
 * or the endpoint was not configured when the outcome came. Returns how many are due.
 */
export async function resendCallbacks(orderId: string, by: Operator, service: Service): Promise<number> {
  const { store, clock, commit } = service
  const order = await store.orderById(orderId)
  if (order === undefined) return 0
  const written = await store.deliveriesOf(orderId)
  const wanted = written.flatMap((delivery) => deliveryNow(delivery, order, service) ?? [])
  const missing = order.operations
    .filter((operation) => isToldOf(operation) && !written.some(({ id }) => id === operation.id))
    .flatMap((operation) => deliveriesFor({ order, operation, at: operation.statusAt }, service))
  const all = [...wanted, ...missing]
  const at = clock.now()
  const before = all.map(({ id, state, made }) => `${id} ${state} after ${made}`).join(', ')
  const deed = { at, act: 'resend', subject: orderId, orderId, before, after: `${all.length} due` } as const
  await commit({
    deliveries: all.map((delivery) => resend(delivery, at)),
    ...(all.length === 0 ? {} : { records: [operatorRecord(deed, by)] }),
  })
  return all.length
}
