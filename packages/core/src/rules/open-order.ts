import { allow, firstRefusal, type StateDecision } from './decision.ts'
import { deriveOrder } from './derive-order.ts'
import { OPENING_RULES } from './opening-rules.ts'
import type { OpeningKind } from './operation-kinds.ts'
import { DEFAULT_TIMES, type Instant, type Order, type OrderTerms } from './order.ts'

/** The beginning of an order. */
export interface NewOrder extends Partial<OrderTerms> {
  readonly currency: string
  /** The id of its first operation. */
  readonly id: string
  readonly kind: OpeningKind
  /** In minor units. */
  readonly amount: bigint
  readonly at: Instant
}

/** An order of one operation, created and not sent. Times that are not given are those of `DEFAULT_TIMES`. */
export function openOrder(order: NewOrder): StateDecision<{ readonly order: Order }> {
  const { id, kind, amount, at, currency } = order
  const refusal = firstRefusal(OPENING_RULES, 'open', order)
  if (refusal !== undefined) return refusal
  const { settleAfter, holdFor, payoutCheckFor } = { ...DEFAULT_TIMES, ...order }
  const opening = { id, kind, amount, status: 'created', createdAt: at, statusAt: at } as const
  return allow({ order: deriveOrder([opening], { currency, settleAfter, holdFor, payoutCheckFor }) })
}
