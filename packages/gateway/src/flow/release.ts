import { appendOperation } from '../orders/derive.ts'
import type { Task } from '../store/task.ts'
import { perform } from './perform.ts'
import type { Service } from './service.ts'

/** An operation in flight may still draw on the hold: it is looked at again. */
const AGAIN_AFTER_MS = 60_000

/** Releases what is still on hold when the hold has expired (gaps part 13). */
export async function releaseHold(task: Task, service: Service): Promise<void> {
  const { store, clock, ids } = service
  const order = await store.orderById(task.orderId)
  if (order === undefined) return
  const at = clock.now()
  const appended = appendOperation(order, { action: 'release', at, serialNumber: ids.serialNumber() })
  if (!appended.ok) {
    const isLater = appended.refusal.rule === 'one-in-flight'
    const again = { ...task, dueAt: at + AGAIN_AFTER_MS, tried: task.tried + 1 }
    await service.commit(isLater ? { tasks: [again] } : { doneTasks: [task.id] })
    return
  }
  const change = { order: { order: appended.order, basedOn: order.version }, doneTasks: [task.id] }
  const { ok } = await service.commit(change)
  if (ok) await perform(appended.order, appended.operation, service)
}
