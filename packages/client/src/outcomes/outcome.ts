import type { FinalStatus, PaymentError, ReplyValues } from '@tallystick/core'

/** The order that is waited for, by the names that the acknowledgement gave. */
export interface WaitedOrder {
  /** The merchant's own id. */
  readonly clientOrderId: string
  /** The gateway's id, where it is known. */
  readonly orderId?: string | undefined
  /**
   * Of one request (`serialNumber` of its reply): the outcome of a capture or a return, not of the order's last operation.
   * A gateway whose status does not repeat it (`byRequestSn`) does not say which operation it tells: that is `undecided`.
   */
  readonly serialNumber?: string | undefined
}

/** As they are now: the caller may change them while he waits, or give no order at all, if he has no types. */
export function namesOf(order: WaitedOrder): WaitedOrder {
  const { clientOrderId, orderId, serialNumber } = Object(order) as WaitedOrder
  return { clientOrderId, orderId, serialNumber }
}

/** One look at the status. */
export interface Look {
  /** 1 for the first. */
  readonly number: number
  /** What the gateway told. */
  readonly reply?: ReplyValues<'status'>
  /** Why it told nothing: it could not be reached, or does not know the order (yet). */
  readonly error?: PaymentError
}

/** What became of it. */
export type Outcome =
  | {
      /**
       * `approved` is paid; `declined`, `filtered` and `error` are not, and never will be. Of an order that was changed since,
       * and of one request alone, it is that of the change or the request: `changeShown(reply)` of core tells.
       */
      readonly outcome: FinalStatus
      readonly clientOrderId: string
      readonly orderId: string
      /** The whole status. Compare `amount`, a decimal text in major units (`'10.42'`), and `currency` before goods leave. */
      readonly reply: ReplyValues<'status'>
    }
  /**
   * No final status until the deadline. Not a failure: the customer may still be charged. Keep the order open, and wait
   * again later, or for the callback.
   */
  | { readonly outcome: 'undecided'; readonly clientOrderId: string; readonly lastLook: Look | undefined }
