import type { OrderAction } from './actions.ts'
import type { ActionTerms } from './attempt.ts'
import { decideAction } from './decide-action.ts'
import { allow, firstRefusal, refuse, type StateDecision } from './decision.ts'
import { deriveOrder } from './derive-order.ts'
import { OPENING_RULES, STEP_RULES } from './event-rules.ts'
import type { OpeningKind } from './operation-kinds.ts'
import { DEFAULT_TIMES, type Instant, type Order, type OrderOperation, type OrderTerms } from './order.ts'
import type { OperationStatus } from './transitions.ts'

/** Appends the operation that an action makes. It is created, not sent. */
export interface AppendEvent extends ActionTerms {
  readonly type: 'append'
  readonly action: OrderAction
  /** The id of the new operation. */
  readonly id: string
}

/** Moves an operation to another status. */
export interface AdvanceEvent {
  readonly type: 'advance'
  readonly id: string
  readonly to: OperationStatus
  readonly at: Instant
}

export type OrderEvent = AppendEvent | AdvanceEvent

/** The order after the event, with the operation that it made or moved, or the rule that the event breaks. */
export type Applied = StateDecision<{ readonly order: Order; readonly operation: OrderOperation }>

export function applyEvent(order: Order, event: OrderEvent): Applied {
  return event.type === 'append' ? append(order, event) : advance(order, event)
}

function append(order: Order, event: AppendEvent): Applied {
  const { id, at, action } = event
  if (order.operations.some((each) => each.id === id)) return refuse('operation-id', 'the order has this operation')
  const decision = decideAction(action, order, event)
  if (!decision.allowed) return decision
  const { kind, amount } = decision
  const operation = { id, kind, amount, status: 'created', createdAt: at, statusAt: at } as const
  return allow({ order: deriveOrder([...order.operations, operation], order), operation })
}

function advance(order: Order, { id, to, at }: AdvanceEvent): Applied {
  const current = order.operations.find((each) => each.id === id)
  if (current === undefined) return refuse('operation-id', 'the order has no such operation')
  const refusal = firstRefusal(STEP_RULES, 'advance', { from: current.status, to })
  if (refusal !== undefined) return refusal
  const operation = { ...current, status: to, statusAt: at }
  const operations = order.operations.map((each) => (each === current ? operation : each))
  return allow({ order: deriveOrder(operations, order), operation })
}

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
