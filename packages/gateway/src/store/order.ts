import type { Status } from '@tallystick/core'

/** An order as the gateway keeps it. No card number and no CVV. */
export interface Order {
  readonly orderId: string
  /** The serial number of the request that made it. */
  readonly serialNumber: string
  readonly login: string
  readonly endpointId: string
  readonly clientOrderId: string
  /** Keyed digest of the request without its CVV: a repeat of the same request has the same. */
  readonly digest: string
  readonly transactionType: 'sale'
  readonly amount: string
  readonly currency: string
  readonly status: Status
  readonly outcome: OrderOutcome
  readonly card: OrderCard
  readonly payer: OrderPayer
  readonly serverCallbackUrl: string | undefined
  readonly merchantData: string | undefined
}

/** What the acquirer's decision left. */
export interface OrderOutcome {
  readonly orderStage?: string
  readonly errorCode?: string
  readonly errorMessage?: string
  readonly approvalCode?: string
  readonly processorTxId?: string
}

/** What may be kept and shown of a card. */
export interface OrderCard {
  readonly bin: string
  readonly lastFourDigits: string
  readonly cardType: string
  readonly cardholderName: string
  readonly cardExpireMonth: string
  readonly cardExpireYear: string
}

export interface OrderPayer {
  readonly email: string
  readonly phone: string
  readonly firstName: string | undefined
  readonly lastName: string | undefined
}
