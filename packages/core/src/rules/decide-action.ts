import { ACTION_RULES } from './action-rules.ts'
import { ACTION_NAMES, type Actor, actionFacts, type CreatedBy, ORDER_ACTIONS, type OrderAction } from './actions.ts'
import { type ActionTerms, attempt } from './attempt.ts'
import { allow, firstRefusal, refuse, type StateDecision } from './decision.ts'
import { CARD_RULES } from './event-rules.ts'
import type { OperationKind } from './operation-kinds.ts'
import type { Instant, Order } from './order.ts'

/** The operation that an action makes. */
export interface Funding<Kind extends OperationKind = OperationKind> {
  readonly kind: Kind
  /** In minor units: the requested amount, or all that is left. */
  readonly amount: bigint
  /** The most that is possible now. */
  readonly upTo: bigint
  /** Whether less than `upTo` is possible. */
  readonly partial: boolean
}

/** What an action on an order makes, or the rule that refuses it. */
export function decideAction<A extends OrderAction>(
  action: A,
  order: Order,
  terms: ActionTerms,
): StateDecision<Funding<CreatedBy<A>>> {
  const attempted = attempt(action, order, terms)
  if (attempted === undefined) {
    const { rule, reason } = ORDER_ACTIONS[action].otherwise
    return refuse(rule, reason)
  }
  const refusal = firstRefusal(ACTION_RULES, action, attempted)
  if (refusal !== undefined) return refusal
  const { kind, available, partial, amount = available } = attempted
  return allow({ kind: kind as CreatedBy<A>, amount, upTo: available, partial })
}

/** Captures funds that a preauth holds (specification part 3, rules 1 and 2). */
export function decideCapture(order: Order, terms: ActionTerms): StateDecision<Funding<'capture'>> {
  return decideAction('capture', order, terms)
}

/** What a void of this order means (specification part 3, rule 3). Its only amount is the whole. */
export function decideVoid(order: Order, terms: ActionTerms): StateDecision<Funding<'cancel' | 'reversal'>> {
  return decideAction('void', order, terms)
}

/** What a return of this order means (specification part 3, rules 4 to 6). */
export function decideReturn(order: Order, terms: ActionTerms): StateDecision<Funding<'cancel' | 'reversal'>> {
  return decideAction('return', order, terms)
}

/** Executes a checked payout, once (specification part 3, rule 7). */
export function decidePay(order: Order, terms: ActionTerms): StateDecision<Funding<'payout-pay'>> {
  return decideAction('pay', order, terms)
}

/** Takes back captured or sold funds. The issuer decides it; the rules limit it. */
export function decideChargeback(order: Order, terms: ActionTerms): StateDecision<Funding<'chargeback'>> {
  return decideAction('chargeback', order, terms)
}

/** Releases what is on hold once the hold has expired. The gateway's own action. */
export function decideRelease(order: Order, terms: ActionTerms): StateDecision<Funding<'cancel'>> {
  return decideAction('release', order, terms)
}

/**
 * Whether a reference to the card of this order may be made (createCardRef), to charge it again without its number (gaps
 * part 3.2). Only the gateway knows whether there was a card at all.
 */
export function decideStoreCard(order: Order): StateDecision<object> {
  return firstRefusal(CARD_RULES, 'store-card', order) ?? allow({})
}

/** Whether something is possible now: up to which amount, if it moves money, or why not. */
export type ActionAdvice = FundsAdvice | CardAdvice

/** Whether an action on the funds of the order is possible. */
export type FundsAdvice = StateDecision<Omit<Funding, 'amount'>> & {
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

function advice(action: OrderAction, order: Order, at: Instant): StateDecision<Omit<Funding, 'amount'>> {
  const decision = decideAction(action, order, { at })
  if (!decision.allowed) return decision
  const { allowed, kind, upTo, partial } = decision
  return { allowed, kind, upTo, partial }
}
