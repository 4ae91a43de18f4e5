import { type Profile, shownStatus } from '@tallystick/core'
import { majorUnits, NO_CURRENCY } from './amounts.ts'
import { ruledOrder } from './derive.ts'
import type { StoredOperation, StoredOrder } from './order.ts'
import { orderStage } from './stages.ts'

/** What status tells of an order at an instant: its last operation, or the one that is asked for (gaps part 13). */
export function shownOrder(order: StoredOrder, operation: StoredOperation, profile: Profile, at?: number) {
  const { currency } = order.terms
  const now = shownStatus(ruledOrder(order))
  const then = shownStatus(ruledOrder(upTo(order, operation)), operation === lastOperation(order) ? at : undefined)
  const { awaits: _, brought: __, methodCompletion: ___, ...outcome } = operation.outcome
  const money =
    currency === NO_CURRENCY
      ? {}
      : {
          amount: majorUnits(now.amount, currency, profile),
          initialAmount: majorUnits(now.initialAmount, currency, profile),
          currency,
        }
  return {
    status: then.status,
    transactionType: then.transactionType,
    ...outcome,
    orderStage: then.orderStage ?? orderStage(operation),
    ...money,
  }
}

/** The order as it was when the operation was its last, with what became of it since. */
function upTo(order: StoredOrder, operation: StoredOperation): StoredOrder {
  return { ...order, operations: order.operations.slice(0, order.operations.indexOf(operation) + 1) }
}

/** @throws Error for an order without operations, which no store holds */
export function lastOperation({ orderId, operations }: StoredOrder): StoredOperation {
  const last = operations.at(-1)
  if (last === undefined) throw new Error(`The order ${orderId} has no operation`)
  return last
}

/** @throws Error for an order without operations, which no store holds */
export function openingOperation({ orderId, operations }: StoredOrder): StoredOperation {
  const [opening] = operations
  if (opening === undefined) throw new Error(`The order ${orderId} has no operation`)
  return opening
}
