import type { OrderOperation, OrderTerms } from '@tallystick/core'

/** An order as the gateway keeps it: operations, and what holds for all of them. No card number, no CVV, no key. */
export interface StoredOrder {
  /** Decimal text of exactly 15 digits without a leading zero (gaps part 13). */
  readonly orderId: string
  /** How many changes it has had: a change names the one that it was decided on. */
  readonly version: number
  readonly login: string
  readonly endpointId: string
  readonly clientOrderId: string
  /** Keyed digest of the request without its CVV: a repeat of the same request has the same. */
  readonly digest: string
  /**
   * The control of its request, in lower case: no other order of the merchant was signed with the same. Absent for
   * OAuth, and where client order ids may be used again.
   */
  readonly signedAs?: string | undefined
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly terms: OrderTerms
  /** Oldest first. Each is appended once and moves as the rules allow. */
  readonly operations: readonly StoredOperation[]
  readonly details: OrderDetails
}

/** One operation, with what the rules do not read of it. */
export interface StoredOperation extends OrderOperation {
  /** The serial number of the request that made it, or of its own where the gateway or the issuer did. */
  readonly serialNumber: string
  /** What the acquirer gave for the card, once it has it. */
  readonly prepared?: string | undefined
  readonly outcome: OperationOutcome
}

/** What the acquirer's decision left. */
export interface OperationOutcome {
  readonly orderStage?: string | undefined
  readonly errorCode?: string | undefined
  readonly errorMessage?: string | undefined
  readonly approvalCode?: string | undefined
  readonly processorTxId?: string | undefined
  /** Which 3DS step the customer has to take before it goes on. */
  readonly awaits?: AuthenticationStep | undefined
}

/** The steps of 3DS that a merchant uploads the result of (interface part 4). */
export type AuthenticationStep = 'method' | 'challenge' | 'pareq'

/** What an order was asked for with, as far as it may be kept. */
export interface OrderDetails {
  readonly card?: OrderCard | undefined
  readonly destination?: OrderDestination | undefined
  readonly payer: OrderPayer
  readonly addresses: OrderAddresses
  readonly merchantData?: string | undefined
  readonly orderDesc?: string | undefined
  readonly preferredLanguage?: string | undefined
  /** The reference of the card as a payer's token, where the order was paid with one. */
  readonly recurringPaymentId?: string | undefined
  /** The page that takes the card, while the order waits for it (interface part 4, the form operations). */
  readonly form?: OrderForm | undefined
}

/** What may be kept and shown of the card that pays. */
export interface OrderCard {
  /** Where the vault has it. */
  readonly cardId: string
  readonly bin: string
  readonly lastFourDigits: string
  readonly cardType: string
  readonly cardholderName?: string | undefined
  readonly cardExpireMonth?: string | undefined
  readonly cardExpireYear?: string | undefined
}

/** Where a payout or a transfer goes, as far as it may be shown. */
export interface OrderDestination {
  readonly cardId?: string | undefined
  readonly bin?: string | undefined
  readonly lastFourDigits?: string | undefined
  readonly cardType?: string | undefined
  readonly bankName?: string | undefined
}

export interface OrderPayer {
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
}

/** Where the browser and the outcome go (gaps parts 3.1 and 6). */
export interface OrderAddresses {
  readonly redirectUrl?: string | undefined
  readonly redirectSuccessUrl?: string | undefined
  readonly redirectFailUrl?: string | undefined
  /** Hears of the original transaction only. */
  readonly serverCallbackUrl?: string | undefined
  /** Hears of the original transaction where there is no other address, and of what happens to it later. */
  readonly notifyUrl?: string | undefined
}

/** The hosted page of an order. */
export interface OrderForm {
  /** The unguessable last part of its address. */
  readonly token: string
  readonly page: 'sale' | 'preauth' | 'account-verification' | 'payment' | 'payout'
}
