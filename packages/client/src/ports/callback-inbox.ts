import type { Callback } from '@tallystick/core'

/** What is kept of a callback: which order has news. Nothing of it is believed, and nothing of the payer is kept. */
export type ReceivedCallback = Pick<Callback, 'status' | 'orderId' | 'clientOrderId' | 'type' | 'amount' | 'currency'>

/** Where callbacks that were verified are kept, so that they can be acknowledged at once. */
export interface CallbackInbox {
  /**
   * Resolves when it is durable. `full`: too many callbacks of orders that nobody knows; the gateway calls again.
   */
  receive(callback: ReceivedCallback): Promise<'stored' | 'full'>
}
