import type { Service } from '../context.ts'
import { type Appended, appendOperation, ruledOrder } from '../orders/derive.ts'
import { openingOperation } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import { MOST_TRIES, waitBeforeTry } from '../scheduler/wait-before-try.ts'
import type { OrderTask } from '../store/task.ts'
import { perform } from './execute.ts'
import { isOfWrongTime, notYet } from './expiry-task.ts'

/**
 * Releases what is still on hold when the hold has expired (gaps part 13). The task stays until there is nothing to release any
 * more, so a release is tried again if it was declined, or if another operation in flight holds it up. What is still on hold
 * after the last of many tries is reported.
 */
export async function releaseHold(task: OrderTask, service: Service): Promise<void> {
  const order = await service.store.orderById(task.orderId)
  if (order === undefined) return
  const at = service.clock.trusted()
  const later = notYet(task, order, at)
  if (later !== undefined) return void (await service.commit({ tasks: [later] }))
  const appended = releaseOf(order, service)
  const isDone = nothingIsLeft(appended)
  const again = { ...task, dueAt: at + waitBeforeTry(task.tried), tried: task.tried + 1 }
  const isLast = !isDone && again.tried >= MOST_TRIES
  const goOn = isDone || isLast ? { doneTasks: [task.id] } : { tasks: [again] }
  const change = appended.ok ? { order: { order: appended.order, basedOn: order.version } } : {}
  const { ok } = await service.commit({ ...change, ...goOn })
  if (ok && appended.ok) await perform(appended.order, appended.operation, service)
  if (ok && isLast) await tellIfHeld(order, service)
}

function releaseOf(order: StoredOrder, { clock, ids }: Service) {
  const expiresAt = isOfWrongTime(order, clock.now()) ? ruledOrder(order).holdExpiresAt : undefined
  return appendOperation(order, { action: 'release', at: expiresAt ?? clock.now(), serialNumber: ids.serialNumber() })
}

const HOLDING_UP: readonly string[] = ['one-in-flight', 'G13-17']

/** Not while the release is only held up: what is in flight is looked up, and may turn out to have been the release. */
function nothingIsLeft(appended: Appended): boolean {
  return !appended.ok && !HOLDING_UP.includes(appended.refusal.rule)
}

async function tellIfHeld({ orderId }: StoredOrder, service: Service): Promise<void> {
  const order = await service.store.orderById(orderId)
  if (order === undefined || nothingIsLeft(releaseOf(order, service))) return
  service.onError(
    new Error(
      `The hold of the order ${orderId} could not be released in ${MOST_TRIES} tries, and is not tried again: ask the acquirer to release it`,
    ),
    openingOperation(order).serialNumber,
  )
}
