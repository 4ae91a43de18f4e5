import { appendOperation } from '../orders/derive.ts'
import type { OrderTask } from '../store/task.ts'
import { MOST_TRIES, waitBeforeTry } from './follow-up.ts'
import { perform } from './perform.ts'
import type { Service } from './service.ts'

/**
 * Releases what is still on hold when the hold has expired (gaps part 13). The task goes on waiting until there is
 * nothing to release any more: so a release that was declined is tried again, and one that another operation in flight
 * holds up.
 */
export async function releaseHold(task: OrderTask, service: Service): Promise<void> {
  const { store, clock, ids } = service
  const order = await store.orderById(task.orderId)
  if (order === undefined) return
  const at = clock.now()
  const appended = appendOperation(order, { action: 'release', at, serialNumber: ids.serialNumber() })
  const isOver = !appended.ok && appended.refusal.rule !== 'one-in-flight'
  const again = { ...task, dueAt: at + waitBeforeTry(task.tried), tried: task.tried + 1 }
  const goOn = isOver || again.tried >= MOST_TRIES ? { doneTasks: [task.id] } : { tasks: [again] }
  if (!appended.ok) return void (await service.commit(goOn))
  const { ok } = await service.commit({ order: { order: appended.order, basedOn: order.version }, ...goOn })
  if (ok) await perform(appended.order, appended.operation, service)
}
