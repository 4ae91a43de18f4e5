import type { SealedCard } from '../vault/sealed-card.ts'
import type { OrderCard, OrderDestination } from './order.ts'

/** What is stored and shown of a card. */
export function shownCard(sealed: SealedCard): OrderCard {
  const { cardId, bin, lastFourDigits, cardType, cardholderName, expireMonth, expireYear } = sealed
  return {
    cardId,
    bin,
    lastFourDigits,
    cardType,
    cardholderName,
    cardExpireMonth: expireMonth,
    cardExpireYear: expireYear,
  }
}

/** What is stored and shown of a card that receives money. */
export function shownDestination({ cardId, bin, lastFourDigits, cardType }: SealedCard): OrderDestination {
  return { cardId, bin, lastFourDigits, cardType }
}
