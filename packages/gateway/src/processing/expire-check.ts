import type { Service } from '../context.ts'
import { advanceOperation } from '../orders/derive.ts'
import { openingOperation } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { Change } from '../store/store.ts'
import type { OrderTask } from '../store/task.ts'
import { deliveriesFor } from './deliveries-for.ts'
import { notYet } from './expiry-task.ts'

/**
 * Reports a payout-check as declined because the merchant did not pay it in time. One that was paid, or is being paid, is left
 * alone: its outcome is that of the second step. The order records that it was reported, so that it cannot be paid afterwards,
 * whatever a clock says.
 */
export async function expireCheck(task: OrderTask, service: Service): Promise<void> {
  for (;;) {
    const order = await service.store.orderById(task.orderId)
    const later = order && notYet(task, order, service.clock.trusted())
    if (later !== undefined) return void (await service.commit({ tasks: [later] }))
    const isPaid = order === undefined || order.operations.length > 1
    const change = isPaid ? {} : expired(order, service)
    const { ok } = await service.commit({ ...change, doneTasks: [task.id] })
    if (ok) return
  }
}

function expired(before: StoredOrder, service: Service): Change {
  const at = service.clock.now()
  const { id, status, outcome } = openingOperation(before)
  const step = { status, at, outcome: { ...outcome, isExpired: true } } as const
  const { order, operation } = advanceOperation(before, id, step)
  return { order: { order, basedOn: before.version }, deliveries: deliveriesFor({ order, operation, at }, service) }
}
