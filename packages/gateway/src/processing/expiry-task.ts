import { ruledOrder } from '../orders/derive.ts'
import { openingOperation } from '../orders/operations.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import { orderTask } from '../scheduler/order-task.ts'
import type { OrderTask } from '../store/task.ts'

/** For a hold: released when it expires (gaps part 13). For a payout-check: it ends if not paid in time (rule `check-expiry`). */
export function expiryTask(order: StoredOrder, { kind }: StoredOperation): OrderTask | undefined {
  if (kind === 'preauth') return orderTask('release', order, ruledOrder(order).holdExpiresAt)
  if (kind === 'payout-check') return orderTask('expire-check', order, ruledOrder(order).checkExpiresAt)
  return undefined
}

/** Two machines may be a minute apart. */
const APART_MS = 60_000

/** Whether this was written before the clock was set back. */
export function isAhead(at: number, now: number): boolean {
  return at > now + APART_MS
}

export function isOfWrongTime(order: StoredOrder, now: number): boolean {
  return isAhead(openingOperation(order).statusAt, now)
}

/**
 * The task again, if the clock was set back since it was planned or claimed, and its time has not come. Where the order itself
 * is from the wrong time, it waits once for as long as it should have, from now on.
 */
export function notYet(task: OrderTask, order: StoredOrder, now: number): OrderTask | undefined {
  const { dueAt } = expiryTask(order, openingOperation(order)) ?? {}
  if (dueAt === undefined || dueAt <= now) return undefined
  if (!isOfWrongTime(order, now)) return { ...task, dueAt }
  return task.tried > 0 ? undefined : { ...task, dueAt: now + dueAt - openingOperation(order).statusAt, tried: 1 }
}
