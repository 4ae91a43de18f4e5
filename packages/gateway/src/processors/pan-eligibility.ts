import { shownCard } from '../orders/shown-card.ts'
import { findCard, noSuchCard } from './cards.ts'
import { openOrder } from './open-order.ts'
import { orderDetails } from './order-details.ts'
import type { Processor } from './processor.ts'

/**
 * Asks whether a card could send a transfer: acknowledged, then the outcome by status (gaps part 13). No money moves,
 * so of the documented transaction types it is an account verification.
 */
export const processPanEligibilitySend: Processor<'panEligibilitySend'> = async (request, context) => {
  const { clientOrderId, sendingCardNumber, sendingCardRefId, ...rest } = request
  const source = { ...rest, cardNumber: sendingCardNumber, cardRefId: sendingCardRefId }
  const found = await findCard('pays', source, context)
  if (found === undefined) return noSuchCard()
  const opening = {
    kind: 'account-verification' as const,
    clientOrderId,
    details: { ...orderDetails(rest), card: shownCard(found.sealed) },
    instrument: { card: found.card },
    cards: [found.sealed],
  }
  return await openOrder(opening, context)
}
