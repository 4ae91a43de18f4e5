import type { Cvv, Pan } from '@tallystick/core'

/** A card as it is handed to the acquirer, once. */
export interface AcquirerCard {
  readonly pan: Pan
  readonly expireMonth: string
  readonly expireYear: string
  readonly cvv: Cvv | undefined
}

/** A charge without card data: `reference` stands for the card. */
export interface AcquirerCharge {
  readonly reference: string
  readonly orderId: string
  /** In major units with a dot. */
  readonly amount: string
  readonly currency: string
}

/** What the acquirer decided. */
export type Decision =
  | { readonly status: 'approved'; readonly approvalCode: string; readonly processorTxId: string }
  | { readonly status: 'declined'; readonly errorCode: string; readonly errorMessage: string }
  /** The acquirer does not know; it may turn into any final status later. */
  | { readonly status: 'unknown' }
  /** The customer has to authenticate first. */
  | { readonly status: 'processing' }

/**
 * The bank's side. It takes the CVV before the request is acknowledged and gives an opaque reference for it, so that
 * the gateway stores no CVV, not even for a moment.
 */
export interface Acquirer {
  prepare(card: AcquirerCard): Promise<string>
  authorize(charge: AcquirerCharge): Promise<Decision>
}
