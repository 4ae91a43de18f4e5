import { applyEvent, type OrderEvent, openOrder } from '../../src/rules/apply-event.ts'
import type { OpeningKind } from '../../src/rules/operation-kinds.ts'
import type { Order } from '../../src/rules/order.ts'
import type { OperationStatus } from '../../src/rules/transitions.ts'

/** Monday 2 March 2026, noon UTC. Written out, as are the times below, so that no code of ours computes them. */
export const NOON = 1_772_452_800_000
export const HOUR = 3_600_000
export const DAY = 86_400_000

/** An order of 100.00 EUR (an account verification of zero) that is created, not sent. */
export function opened(kind: OpeningKind, amount = kind === 'account-verification' ? 0n : 10_000n): Order {
  const decision = openOrder({ id: 'a', kind, amount, currency: 'EUR', at: NOON })
  if (!decision.allowed) throw new Error(decision.reason)
  return decision.order
}

/** Applies events that must be allowed. */
export function after(order: Order, ...events: readonly OrderEvent[]): Order {
  return events.reduce((current, event) => {
    const decision = applyEvent(current, event)
    if (!decision.allowed) throw new Error(`${decision.rule}: ${decision.reason}`)
    return decision.order
  }, order)
}

/** The events by which an operation comes to a status from `created`. */
export function reach(id: string, status: OperationStatus, at = NOON): readonly OrderEvent[] {
  if (status === 'created') return []
  const sent = { type: 'advance', id, to: 'sent', at } as const
  return status === 'sent' ? [sent] : [sent, { type: 'advance', id, to: status, at }]
}

/** An order whose first operation has a status since noon. */
export function inStatus(kind: OpeningKind, status: OperationStatus): Order {
  return after(opened(kind), ...reach('a', status))
}

type Append = Extract<OrderEvent, { type: 'append' }>

/** An action for this many cents (all if left out) at noon, and what became of it. */
export function acted(
  order: Order,
  id: string,
  action: Append['action'],
  amount?: bigint,
  status: OperationStatus = 'approved',
  at = NOON,
): Order {
  const money = amount === undefined ? {} : { amount, currency: 'EUR' }
  return after(order, { type: 'append', action, id, at, ...money }, ...reach(id, status, at))
}
