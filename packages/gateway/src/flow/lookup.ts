import type { Decision } from '../acquirer/acquirer.ts'
import { operationOf } from '../orders/derive.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import type { Task } from '../store/task.ts'
import { lookupId, lookupTask } from './follow-up.ts'
import { decisionOf, instructionFor, settle } from './perform.ts'
import { persistently } from './persistently.ts'
import type { Service } from './service.ts'

/** An operation that was written as sent and never reached the acquirer ends so: it is never sent again. */
const NEVER_CARRIED_OUT: Decision = {
  status: 'error',
  errorCode: '6',
  errorMessage: 'The operation was interrupted before it was carried out.',
}

/**
 * Looks up what became of the operations of an order that were sent when the last process ended (SAFETY.md part 5): they
 * are asked for, and never repeated. Which these are is read once: what this process sends afterwards is not among them.
 */
export async function lookUpSent(orderId: string, service: Service): Promise<void> {
  await persistently(async () => {
    const order = await service.store.orderById(orderId)
    for (const operation of order?.operations.filter(({ status }) => status === 'sent') ?? []) {
      if (order !== undefined) service.background.run(() => lookUpOne(order, operation, service))
    }
  }, service)
}

async function lookUpOne(order: StoredOrder, operation: StoredOperation, service: Service): Promise<void> {
  const decision = await lookUp(order, operation, service)
  await persistently(() => settle(order, operation.id, decision, service), service)
}

/** Looks up an operation whose outcome the acquirer did not know, and puts the next time down when it still does not. */
export async function lookUpUnknown(task: Task, service: Service): Promise<void> {
  const order = await service.store.orderById(task.orderId)
  const operation = order?.operations.find(({ id }) => lookupId(id) === task.id)
  if (order === undefined || operation === undefined) return
  const settled = await settle(order, operation.id, await lookUp(order, operation, service), service)
  const next = lookupTask(settled, operationOf(settled, operation.id), service.clock.now(), task.tried + 1)
  await service.commit(next === undefined ? { doneTasks: [task.id] } : { tasks: [next] })
}

function lookUp(order: StoredOrder, operation: StoredOperation, service: Service): Promise<Decision> {
  const instruction = instructionFor(order, operation)
  return decisionOf(async () => (await service.acquirer.lookup(instruction)) ?? NEVER_CARRIED_OUT, service)
}
