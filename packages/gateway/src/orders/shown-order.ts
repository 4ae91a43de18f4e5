import { GATEWAY_CODES, type Profile, type ShownStatus, shownStatus } from '@tallystick/core'
import { majorUnits, NO_CURRENCY } from './amounts.ts'
import { shownReferences } from './bank-references.ts'
import { ruledOrder } from './derive.ts'
import { lastOperation, upTo } from './operations.ts'
import type { OperationOutcome, StoredOperation, StoredOrder } from './order.ts'
import { orderStage } from './stages.ts'

/** What the status shows of an order at a time: its last operation, or the requested one (gaps part 13). */
export function shownOrder(order: StoredOrder, operation: StoredOperation, profile: Profile, at?: number) {
  const { currency } = order.terms
  const now = shownStatus(ruledOrder(order))
  const then = shownStatus(ruledOrder(upTo(order, operation)), operation === lastOperation(order) ? at : undefined)
  const outcome = shownOutcome(operation, then)
  const { errorCode, errorMessage, verified3dStatus } = outcome
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
    errorCode,
    errorMessage,
    ...shownReferences({ ...operation, outcome }),
    verified3dStatus,
    orderStage: then.orderStage ?? orderStage(operation),
    ...money,
  }
}

/** The outcome of a payout-check that was not paid in time: it is no longer approved (rule `check-expiry`). */
const EXPIRED_CHECK: OperationOutcome = {
  errorCode: GATEWAY_CODES.refusedByRule,
  errorMessage: 'Not paid in time, by rule check-expiry: check again, under a new order id.',
}

/** The outcome of an operation that fits its shown status. */
export function shownOutcome({ status, outcome }: StoredOperation, shown: ShownStatus): OperationOutcome {
  return status === 'approved' && shown.status === 'declined' ? EXPIRED_CHECK : outcome
}
