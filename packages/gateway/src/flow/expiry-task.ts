import { ruledOrder } from '../orders/derive.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import type { OrderTask } from '../store/task.ts'
import { orderTask } from './order-task.ts'

/** For a hold: released when it expires (gaps part 13). For a payout-check: it ends if not paid in time (rule `check-expiry`). */
export function expiryTask(order: StoredOrder, { kind }: StoredOperation): OrderTask | undefined {
  if (kind === 'preauth') return orderTask('release', order, ruledOrder(order).holdExpiresAt)
  if (kind === 'payout-check') return orderTask('expire-check', order, ruledOrder(order).checkExpiresAt)
  return undefined
}
