import type { SealedCard } from '../vault/sealed-card.ts'
import type { Vault } from '../vault/vault.ts'
import type { AcquirerCard, AcquirerDestination, RequestFields } from './acquirer.ts'

/**
 * A stored card for the acquirer, to pay with or to receive: all that was sealed of it.
 *
 * @throws VaultError if it is another merchant's
 */
export function openedCard(sealed: SealedCard, login: string, vault: Vault) {
  const { expireMonth, expireYear, cardholderName } = sealed
  return { pan: vault.open(sealed, login), expireMonth, expireYear, cardholderName }
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

/**
 * Seals what a request says besides its card, for as long as it waits for a card from a page or for the charges of a schedule.
 * It can be opened for that alone. Fields that no model has are dropped: one may be a CVV.
 */
export function sealRequestFields({ fields }: RequestFields, sealedFor: string, vault: Vault): string {
  return vault.sealText(JSON.stringify(fields), sealedFor)
}

/** Opens what was sealed. If nothing was, there are no fields. */
export function openRequestFields(sealed: string | undefined, sealedFor: string, vault: Vault): RequestFields {
  return { fields: sealed === undefined ? {} : JSON.parse(vault.openText(sealed, sealedFor)), extra: {} }
}
