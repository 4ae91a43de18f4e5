import { isFinalStatus } from '@tallystick/core'
import { ruledOrder } from '../orders/derive.ts'
import { openingOperation } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { Texts } from '../texts/en.ts'

export type Outcome = 'approved' | 'failed' | 'undecided'

export function outcomeOf(order: StoredOrder): Outcome {
  const { status } = openingOperation(order)
  if (status === 'approved') return 'approved'
  return isFinalStatus(status) ? 'failed' : 'undecided'
}

/**
 * What the customer is told: whether money has moved, as it is by now, since the shop may have given it back. It names no
 * amount, so it may be said for as long as the page exists.
 */
export function outcomeText(order: StoredOrder): keyof Texts {
  const outcome = outcomeOf(order)
  if (outcome !== 'approved') return outcome
  if (openingOperation(order).kind === 'account-verification') return 'verified'
  const { held, kept, paidOut } = ruledOrder(order)
  if (paidOut > 0n) return 'sent'
  if (kept > 0n) return 'paid'
  return held > 0n ? 'reserved' : 'undone'
}
