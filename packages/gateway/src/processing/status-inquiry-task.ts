import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import { MOST_TRIES, waitBeforeTry } from '../scheduler/wait-before-try.ts'
import type { OrderTask } from '../store/task.ts'

/** The next look-up of an operation without an outcome, after `tried` look-ups. `at`: now. */
export function lookupTask(
  { orderId }: StoredOrder,
  operation: StoredOperation,
  at: number,
  tried = 0,
): OrderTask | undefined {
  if (!isWithoutOutcome(operation) || tried >= MOST_TRIES) return undefined
  return { id: lookupId(operation.id), kind: 'lookup', orderId, dueAt: at + waitBeforeTry(tried), tried }
}

/** Whether the acquirer had all that it needs, and has not said what became of the operation. */
export function isWithoutOutcome({ status, outcome }: StoredOperation): boolean {
  return status === 'unknown' || (status === 'processing' && outcome.awaits === undefined)
}

/** The one task that looks an operation up. */
export function lookupId(operationId: string): string {
  return `lookup-${operationId}`
}
