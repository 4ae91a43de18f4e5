import type { DatabaseSync } from 'node:sqlite'
import type { PaymentClient } from '@tallystick/client'
import type { Journal } from '@tallystick/journal'
import type { ShopDatabase } from '../rows/shop-database.ts'

/** What the shop takes and gives back money with. */
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
  /** Hears of outcomes, also of those that come later. */
  readonly callback: string
  /** Where the customer's browser comes back to. */
  readonly comeBack: string
}
