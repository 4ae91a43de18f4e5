import { allow, firstRefusal, type StateDecision } from './decision.ts'
import type { Order } from './order.ts'
import { defineRules } from './state-rule.ts'

export const CARD_RULES = defineRules<Order>()([
  {
    id: 'G3.2-15',
    source: 'gaps part 3.2, create-card-ref',
    text: 'A reference to the card of a payment is made when that payment is finally approved.',
    appliesTo: ['store-card'],
    refuses: ({ opening }) => (opening.status === 'approved' ? undefined : 'the first payment is not finally approved'),
  },
])

/**
 * Whether a reference to the card of this order may be made (createCardRef), with which it is charged again without its
 * number (gaps part 3.2). Whether a card took part at all, the gateway knows.
 */
export function decideStoreCard(order: Order): StateDecision<object> {
  return firstRefusal(CARD_RULES, 'store-card', order) ?? allow({})
}
