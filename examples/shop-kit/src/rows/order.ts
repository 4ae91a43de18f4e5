import type { OperationKind, OperationStatus } from '@tallystick/core'

/** The row of an order. */
export interface OrderRow {
  /** Part of the address of the customer's page, so it must not be guessable. */
  readonly id: string
  /** What was bought. */
  readonly name: string
  /** In cents. */
  readonly amount: bigint
  readonly currency: string
  readonly createdAt: number
  /** The ids of the order at the gateway, once they are known. */
  readonly clientOrderId: string | undefined
  readonly orderId: string | undefined
  /** The gateway's page, where the customer pays. */
  readonly payUrl: string | undefined
  /** The reference of the card that paid, once it is stored. Never a card number. */
  readonly cardRefId: string | undefined
}

/** A payment, capture or return of an order. Its status changes once, when the journal reports the outcome. */
export interface OperationRow {
  /** Its key in the journal. */
  readonly name: string
  readonly shopOrder: string
  readonly kind: OperationKind
  /** In cents. */
  readonly amount: bigint
  readonly status: OperationStatus
  readonly createdAt: number
  readonly statusAt: number
  /** Why it failed, if that is known. */
  readonly note: string | undefined
}

/** An order with all its operations, the oldest first. */
export interface ShopOrder extends OrderRow {
  readonly operations: readonly OperationRow[]
}

/** One row for each outcome that the journal has reported. */
export interface LedgerRow {
  readonly key: string
  readonly businessKey: string
  readonly operation: string
  readonly status: string
  /** In cents. */
  readonly amount: bigint | undefined
  readonly currency: string | undefined
  readonly at: number
}
