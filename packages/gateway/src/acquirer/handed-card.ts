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

/** When a card expires, as the interface writes it. */
export interface Expiry {
  /** Two digits. */
  readonly expireMonth: string
  /** Four digits. */
  readonly expireYear: string
}

/** Somewhere on earth the last day of the month ends 12 hours after it does in UTC. */
const LAST_ZONE_MS = 12 * 3_600_000

/** Whether the month in which the card expires is over everywhere. */
export function isPast({ expireMonth: month, expireYear: year }: Expiry, at: number): boolean {
  return at >= Date.UTC(Number(year), Number(month)) + LAST_ZONE_MS
}
