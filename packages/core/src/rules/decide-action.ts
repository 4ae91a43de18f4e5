import { ACTION_RULES } from './action-rules.ts'
import { type MadeBy, ORDER_ACTIONS, type OrderAction } from './actions.ts'
import { type ActionTerms, attempt } from './attempt.ts'
import { allow, firstRefusal, refuse, type StateDecision } from './decision.ts'
import type { OperationKind } from './operation-kinds.ts'
import type { Order } from './order.ts'

/** The operation that an action makes. */
export interface Draw<Kind extends OperationKind = OperationKind> {
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
): StateDecision<Draw<MadeBy<A>>> {
  const attempted = attempt(action, order, terms)
  if (attempted === undefined) {
    const { rule, reason } = ORDER_ACTIONS[action].otherwise
    return refuse(rule, reason)
  }
  const refusal = firstRefusal(ACTION_RULES, action, attempted)
  if (refusal !== undefined) return refusal
  const { kind, available, partial, amount = available } = attempted
  return allow({ kind: kind as MadeBy<A>, amount, upTo: available, partial })
}

/** Captures funds that a preauth holds (specification part 3, rules 1 and 2). */
export function decideCapture(order: Order, terms: ActionTerms): StateDecision<Draw<'capture'>> {
  return decideAction('capture', order, terms)
}

/** What a void of this order means (specification part 3, rule 3). Its only amount is the whole. */
export function decideVoid(order: Order, terms: ActionTerms): StateDecision<Draw<'cancel' | 'reversal'>> {
  return decideAction('void', order, terms)
}

/** What a return of this order means (specification part 3, rules 4 to 6). */
export function decideReturn(order: Order, terms: ActionTerms): StateDecision<Draw<'cancel' | 'reversal'>> {
  return decideAction('return', order, terms)
}

/** Executes a checked payout, once (specification part 3, rule 7). */
export function decidePay(order: Order, terms: ActionTerms): StateDecision<Draw<'payout-pay'>> {
  return decideAction('pay', order, terms)
}

/** Takes back captured or sold funds. The issuer decides it; the rules limit it. */
export function decideChargeback(order: Order, terms: ActionTerms): StateDecision<Draw<'chargeback'>> {
  return decideAction('chargeback', order, terms)
}

/** Releases what is on hold once the hold has expired. The gateway's own action. */
export function decideRelease(order: Order, terms: ActionTerms): StateDecision<Draw<'cancel'>> {
  return decideAction('release', order, terms)
}
