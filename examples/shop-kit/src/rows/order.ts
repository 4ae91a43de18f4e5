import type { OperationKind, OperationStatus } from '@tallystick/core'

/** An order of the shop, as its row has it. */
export interface OrderRow {
  /** Stands in the address of the customer's page, so nobody may guess it. */
  readonly id: string
  /** What was bought. */
  readonly name: string
  /** In cents. */
  readonly amount: bigint
  readonly currency: string
  readonly createdAt: number
  /** What the gateway knows the order by, once it does. */
  readonly clientOrderId: string | undefined
  readonly orderId: string | undefined
  /** The gateway's page, where the customer pays. */
  readonly payUrl: string | undefined
  /** The reference of the card that paid, once it is stored. Never a number. */
  readonly cardRefId: string | undefined
}

/** A payment, capture or return of an order. Its status moves once, when the journal tells how it ended. */
export interface OperationRow {
  /** The key that it has in the journal. */
  readonly name: string
  readonly shopOrder: string
  readonly kind: OperationKind
  /** In cents. */
  readonly amount: bigint
  readonly status: OperationStatus
  readonly createdAt: number
  readonly statusAt: number
  /** Why it failed, where that is known. */
  readonly note: string | undefined
}

/** An order with everything that was done about it, the first one first. */
export interface ShopOrder extends OrderRow {
  readonly operations: readonly OperationRow[]
}

/** One line for each outcome that the journal has told. */
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
