import type { UsedNonce } from '../verification/verify-request.ts'
import type { Order, OrderOutcome } from './order.ts'

/** How a merchant names an order: by the gateway's id, by its own, or by the serial number of the request. */
export interface OrderNames {
  readonly login: string
  readonly clientOrderId: string
  readonly orderId?: string | undefined
  readonly serialNumber?: string | undefined
}

/** Where the gateway keeps everything. Nothing is kept elsewhere. */
export interface Store {
  /** Adds an order, unless the merchant has one of the same client order id: then gives that one. */
  insertOrder(order: Order): Promise<{ readonly inserted: boolean; readonly order: Order }>
  findOrder(names: OrderNames): Promise<Order | undefined>
  /** Records the acquirer's decision and gives the order as it is then. Throws when the order is final already. */
  decideOrder(orderId: string, status: Order['status'], outcome: OrderOutcome): Promise<Order>
  /** Remembers a nonce for as long as its timestamp is accepted. `false` when it was used before. */
  burnNonce(nonce: UsedNonce, now: number): Promise<boolean>
}
