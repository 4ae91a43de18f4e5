import { actionFacts, kindMade, type OrderAction } from './actions.ts'
import { availableOn } from './derive-order.ts'
import type { Fund } from './funds.ts'
import { type DrawingKind, OPERATION_KINDS } from './operation-kinds.ts'
import type { Instant, Order } from './order.ts'

/** When an action is requested and, for a part, for how much. */
export interface ActionTerms {
  readonly at: Instant
  /** In minor units. Left out: all that is left. */
  readonly amount?: bigint | undefined
  /** Comes with the amount. */
  readonly currency?: string | undefined
}

/** An action on an order, with what the rules need to know. */
export interface Attempt extends ActionTerms {
  readonly action: OrderAction
  readonly order: Order
  /** The kind of operation that it would make. */
  readonly kind: DrawingKind
  readonly fund: Fund
  /** What the fund has left; operations in flight count as used. */
  readonly available: bigint
  /** Whether a part may be named. */
  readonly partial: boolean
}

/**
 * Prepares an action for the rules. `undefined` if it does not fit such an order.
 *
 * @throws TypeError if `at` is no instant: a rule about time would let everything pass
 */
export function attempt(action: OrderAction, order: Order, terms: ActionTerms): Attempt | undefined {
  if (!Number.isFinite(terms.at)) throw new TypeError('at must be milliseconds since 1970')
  const kind = kindMade(action, order)
  if (kind === undefined) return undefined
  const fund = OPERATION_KINDS[kind].drawsOn
  const { partial } = actionFacts(action)
  return {
    ...terms,
    action,
    order,
    kind,
    fund,
    available: availableOn(fund, order),
    partial: partial === 'always' || (partial === 'reversals' && kind === 'reversal'),
  }
}
