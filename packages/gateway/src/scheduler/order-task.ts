import type { StoredOrder } from '../orders/order.ts'
import type { OrderTask } from '../store/task.ts'

/** The one task of its kind that an order has. `undefined`: it is never due. */
export function orderTask(
  kind: Exclude<OrderTask['kind'], 'lookup'>,
  { orderId }: StoredOrder,
  dueAt: number | undefined,
): OrderTask | undefined {
  return dueAt === undefined ? undefined : { id: `${kind}-${orderId}`, kind, orderId, dueAt, tried: 0 }
}
