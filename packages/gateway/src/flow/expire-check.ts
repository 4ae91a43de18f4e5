import { openingOperation } from '../orders/shown-order.ts'
import type { OrderTask } from '../store/task.ts'
import { noticesOf } from './follow-up.ts'
import type { Service } from './service.ts'

/**
 * Tells that a payout-check ended as declined, because nobody paid it in time. One that was paid, or is being paid, is left
 * alone: its outcome is that of the second step. The order counts a change, so that no payment is decided on it as it was.
 */
export async function expireCheck(task: OrderTask, service: Service): Promise<void> {
  for (;;) {
    const order = await service.store.orderById(task.orderId)
    const isPaid = order === undefined || order.operations.length > 1
    const change = isPaid
      ? {}
      : {
          order: { order: { ...order, version: order.version + 1 }, basedOn: order.version },
          deliveries: noticesOf({ order, operation: openingOperation(order), at: service.clock.now() }, service),
        }
    const { ok } = await service.commit({ ...change, doneTasks: [task.id] })
    if (ok) return
  }
}
