import type { SealedCard } from '../vault/sealed-card.ts'
import type { Vault } from '../vault/vault.ts'
import type { AcquirerCard, AcquirerDestination } from './acquirer.ts'

/** A stored card for the acquirer, to pay with or to receive: all that was sealed of it. */
export function openedCard(sealed: SealedCard, vault: Vault) {
  const { expireMonth, expireYear, cardholderName } = sealed
  return { pan: vault.open(sealed), expireMonth, expireYear, cardholderName }
}

/** A card that receives money, without its CVV: that is only for paying. */
export function receivingCard(handed: AcquirerCard): AcquirerDestination {
  const { cvv: _, ...card } = handed
  return card
}
