import { resend } from '../callbacks/after-attempt.ts'
import type { Service } from '../context.ts'
import { orderIdOf } from '../orders/operations.ts'
import { type Operator, operatorRecord } from '../store/operator-record.ts'
import { deliveriesFor, isToldOf } from './deliveries-for.ts'
import { deliveryNow } from './refresh-delivery.ts'

/**
 * Makes all callbacks of an order due now, or the one of an operation, signed and addressed anew. Adds those that were never written
 * because the merchant or the endpoint was not configured when the outcome came. Returns how many are due.
 *
 * @param id of the order or, for one callback, of its operation
 */
export async function resendCallbacks(id: string, by: Operator, service: Service): Promise<number> {
  const { store, clock, commit } = service
  const orderId = orderIdOf(id)
  const order = await store.orderById(orderId)
  if (order === undefined) return 0
  const written = await store.deliveriesOf(orderId)
  const wanted = written.flatMap((delivery) => deliveryNow(delivery, order, service) ?? [])
  const missing = order.operations
    .filter((operation) => isToldOf(operation) && !written.some((delivery) => delivery.id === operation.id))
    .flatMap((operation) => deliveriesFor({ order, operation, at: operation.statusAt }, service))
  const all = [...wanted, ...missing].filter((delivery) => id === orderId || id === delivery.id)
  const at = clock.now()
  const before = all.map((each) => `${each.id} ${each.state} after ${each.made}`).join(', ')
  const deed = { at, act: 'resend', subject: id, orderId, before, after: `${all.length} due` } as const
  await commit({
    deliveries: all.map((delivery) => resend(delivery, at)),
    records: [operatorRecord(deed, by)],
  })
  return all.length
}
