import { allow, firstRefusal, type StateDecision } from './decision.ts'
import type { Order, OrderOperation } from './order.ts'
import { defineRules } from './state-rule.ts'

export const CARD_RULES = defineRules<Order>()([
  {
    id: 'G3.2-15',
    source: 'gaps part 3.2, create-card-ref',
    text: 'A card reference can be made once the payment is finally approved; for a checked payout, once it is paid.',
    appliesTo: ['store-card'],
    refuses: (order) =>
      firstPayment(order)?.status === 'approved' ? undefined : 'the first payment is not finally approved',
  },
])

/** A successful payout-check is not final: status shows `approved` only after payout-pay (gaps part 13). */
function firstPayment({ opening, operations }: Order): OrderOperation | undefined {
  return opening.kind === 'payout-check' ? operations.find(({ kind }) => kind === 'payout-pay') : opening
}

/**
 * Whether a reference to the card of this order may be made (createCardRef), to charge it again without its number (gaps
 * part 3.2). Only the gateway knows whether there was a card at all.
 */
export function decideStoreCard(order: Order): StateDecision<object> {
  return firstRefusal(CARD_RULES, 'store-card', order) ?? allow({})
}
