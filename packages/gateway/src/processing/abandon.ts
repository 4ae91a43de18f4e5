import { GATEWAY_CODES, isFinalStatus } from '@tallystick/core'
import type { Decision } from '../acquirer/acquirer.ts'
import type { Service } from '../context.ts'
import { openingOperation } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import { withoutParticulars } from '../orders/without-particulars.ts'
import type { OrderTask } from '../store/task.ts'
import { followUp } from './apply-outcome.ts'
import { awaitedOfCustomer, formLifetime, patienceEndsAt } from './customer-deadline.ts'
import { isOfWrongTime } from './expiry-task.ts'

/** How an order ends if its customer stays away. `form`: nothing was sent. `authentication`: the issuer has not said yes. */
const ABSENT = {
  form: {
    status: 'error',
    errorCode: GATEWAY_CODES.customerAbsent,
    errorMessage: 'The customer did not fill in the form.',
  },
  authentication: {
    status: 'declined',
    errorCode: GATEWAY_CODES.customerAbsent,
    errorMessage: 'The customer did not finish the authentication.',
  },
} as const satisfies Record<string, Decision>

/**
 * Ends an order that has waited for its customer long enough, with its callback and all that follows. An order that no longer
 * waits is left alone. If the customer still has time, or may yet be asked for something, the task is due again later.
 */
export async function abandonOrder(task: OrderTask, service: Service): Promise<void> {
  for (;;) {
    const order = await service.store.orderById(task.orderId)
    const next = order && laterTask(order, task, service)
    if (next !== undefined) return void (await service.commit({ tasks: [next] }))
    const awaited = order && awaitedOfCustomer(order)
    if (order === undefined || awaited === undefined) return void (await service.commit({ doneTasks: [task.id] }))
    const { change } = endingOf(order, ABSENT[awaited], service)
    const { ok } = await service.commit({ ...change, doneTasks: [...(change.doneTasks ?? []), task.id] })
    if (ok) return
  }
}

/** Ends an order before the acquirer has it, or while it waits for the customer. */
export function endingOf(order: StoredOrder, decision: Decision, service: Service) {
  const { id: operationId } = openingOperation(order)
  return followUp({ order: withoutParticulars(order), operationId, decision, at: service.clock.now() }, service)
}

/** The task again, if the customer has time left or the acquirer may still ask for an authentication. */
function laterTask(order: StoredOrder, task: OrderTask, { merchants, clock }: Service): OrderTask | undefined {
  const now = clock.trusted()
  if (awaitedOfCustomer(order) !== undefined) {
    const dueAt = patienceEndsAt(order, merchants)
    if (dueAt <= now) return undefined
    if (!isOfWrongTime(order, now)) return { ...task, dueAt }
    return task.tried > 0 ? undefined : { ...task, dueAt: now + formLifetime(order, merchants), tried: 1 }
  }
  const { status } = openingOperation(order)
  if (isFinalStatus(status) || status === 'unknown') return undefined
  return { ...task, dueAt: now + formLifetime(order, merchants), tried: task.tried + 1 }
}
