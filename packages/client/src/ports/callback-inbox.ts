import type { Callback } from '@tallystick/core'

/** The stored part of a callback: which order changed. None of it is trusted, and nothing about the payer is stored. */
export type ReceivedCallback = Pick<Callback, 'status' | 'orderId' | 'clientOrderId' | 'type' | 'amount' | 'currency'>

/** Stores verified callbacks, so that they can be acknowledged at once. */
export interface CallbackInbox {
  /**
   * Resolves when it is durable. `full`: too many callbacks of unknown orders; the gateway calls again.
   */
  receive(callback: ReceivedCallback): Promise<'stored' | 'full'>
}
