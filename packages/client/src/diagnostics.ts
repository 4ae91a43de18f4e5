import { channel } from 'node:diagnostics_channel'
import type { PaymentErrorCode } from '@tallystick/core'

/**
 * The channels of `node:diagnostics_channel` that the client tells its calls on. Their names and messages are part of the
 * public interface. No message holds a card number, a CVV, a key or a body.
 */
export const DIAGNOSTICS = {
  /** {@link CallStarted}, right before a request is handed to the transport. */
  callStarted: 'tallystick:client:call:start',
  /** {@link CallEnded}, when it is judged. */
  callEnded: 'tallystick:client:call:end',
} as const

/** A request is sent. */
export interface CallStarted {
  /** The operation as the catalogue names it, such as `SALE`. */
  readonly operation: string
  readonly clientOrderId: string | undefined
  readonly orderId: string | undefined
  readonly endpointId: string
}

/** A request was sent, and judged. */
export interface CallEnded extends CallStarted {
  readonly outcome: 'accepted' | 'rejected' | 'notSent' | 'unknown'
  /** The code of the error, where there is one. */
  readonly code: PaymentErrorCode | undefined
  /** The HTTP status, where one was read and is no success. */
  readonly httpStatus: number | undefined
  readonly milliseconds: number
}

const started = channel(DIAGNOSTICS.callStarted)
const ended = channel(DIAGNOSTICS.callEnded)

/** A message is made only where somebody listens. */
export function tellStarted(call: () => CallStarted): void {
  if (started.hasSubscribers) started.publish(call())
}

export function tellEnded(call: () => CallEnded): void {
  if (ended.hasSubscribers) ended.publish(call())
}
