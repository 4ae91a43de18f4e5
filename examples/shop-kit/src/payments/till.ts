import type { DatabaseSync } from 'node:sqlite'
import type { PaymentClient } from '@tallystick/client'
import type { Journal } from '@tallystick/journal'
import type { ShopDatabase } from '../rows/shop-database.ts'

/** What the shop needs to take and refund payments. */
export interface Till {
  readonly client: PaymentClient
  /** Sends each payment once, and finds out what became of it. */
  readonly journal: Journal<DatabaseSync>
  readonly database: ShopDatabase
  readonly addresses: Addresses
  readonly now: () => number
}

/** Where the gateway reaches the shop. */
export interface Addresses {
  /** Receives the gateway's callbacks, including later ones such as a chargeback. */
  readonly callback: string
  /** Where the customer's browser returns to. */
  readonly comeBack: string
}
