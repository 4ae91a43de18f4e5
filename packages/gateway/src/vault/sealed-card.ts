/**
 * A card at rest. Its number is encrypted under the data key of its hour, bound to the merchant and all that is known of the card.
 * That key is wrapped by a key-encryption key from outside the store. A CVV is never part of it.
 */
export interface SealedCard {
  /** Derived from the fingerprint and the rest of the card: the same card of the same merchant has the same id. */
  readonly cardId: string
  readonly login: string
  /** Keyed digest of the number, the same for every merchant. */
  readonly fingerprint: string
  /** The key-encryption key that wraps the data key. */
  readonly keyId: string
  /** Initialisation vector, tag and wrapped data key. */
  readonly wrappedKey: Uint8Array
  /** Initialisation vector, tag and encrypted number. */
  readonly sealedPan: Uint8Array
  readonly bin: string
  readonly lastFourDigits: string
  readonly cardType: string
  readonly cardholderName?: string | undefined
  readonly expireMonth?: string | undefined
  readonly expireYear?: string | undefined
}

/**
 * The id by which a merchant names a stored card, and its purpose. The reference of a card that was only paid to has a
 * kind of its own: money can go to that card again, but is never taken from it.
 */
export interface CardReference {
  /** `card-ref-id` or `recurring-payment-id`: 15 digits (gaps part 13). */
  readonly referenceId: string
  readonly login: string
  readonly cardId: string
  readonly kind: 'card' | 'recurring-payment' | 'receiving-card' | 'receiving-recurring-payment'
  readonly createdAt: number
  /** The first order with the card, if the reference was made from an order. */
  readonly orderId?: string | undefined
}

/** What the interface calls a reference: `card-ref-id` and `recurring-payment-id`. */
export type ReferenceName = 'card' | 'recurring-payment'

/** What a card does in an operation. */
export type CardRole = 'pays' | 'receives'

/** The kind of a reference to a card in this role. */
export function referenceKind(name: ReferenceName, role: CardRole): CardReference['kind'] {
  return role === 'pays' ? name : `receiving-${name}`
}
