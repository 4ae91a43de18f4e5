import { ACTION_NAMES, type Actor, actionFacts, type OrderAction } from './actions.ts'
import { type Draw, decideAction } from './decide-action.ts'
import { decideStoreCard } from './decide-store-card.ts'
import type { StateDecision } from './decision.ts'
import type { Instant, Order } from './order.ts'

/** Whether something is possible now: up to which amount, if it moves money, or why not. */
export type ActionAdvice = FundsAdvice | CardAdvice

/** Whether an action on the funds of the order is possible. */
export type FundsAdvice = StateDecision<Omit<Draw, 'amount'>> & {
  readonly action: OrderAction
  /** Who decides it: a back office shows the merchant's actions. */
  readonly by: Actor
}

/** Whether the order's card can be stored, and so charged again in other orders: a button for a rebill needs it. */
export type CardAdvice = StateDecision<object> & { readonly action: 'store-card'; readonly by: 'merchant' }

/** What may be done with this order at this instant, for each action: check it before you show a button. */
export function allowedActions(order: Order, at: Instant): readonly ActionAdvice[] {
  return [
    ...ACTION_NAMES.map((action) => ({ action, by: actionFacts(action).by, ...advice(action, order, at) })),
    { action: 'store-card', by: 'merchant', ...decideStoreCard(order) },
  ]
}

function advice(action: OrderAction, order: Order, at: Instant): StateDecision<Omit<Draw, 'amount'>> {
  const decision = decideAction(action, order, { at })
  if (!decision.allowed) return decision
  const { allowed, kind, upTo, partial } = decision
  return { allowed, kind, upTo, partial }
}
