import type { FinalStatus, PaymentError, ReplyValues } from '@tallystick/core'

/** The order to wait for, by the names from the acknowledgement. */
export interface OrderRef {
  /** The merchant's own id. */
  readonly clientOrderId: string
  /** The gateway's id, if known. */
  readonly orderId?: string | undefined
  /**
   * Of one request (`serialNumber` of its reply): the outcome of a capture or a return, not of the order's last operation.
   * If the gateway's status does not repeat it (`byRequestSn`), its operation is not known: that is `undecided`.
   */
  readonly serialNumber?: string | undefined
}

/** A copy: the caller may change them while waiting. Without types the caller may pass no order at all. */
export function namesOf(order: OrderRef): OrderRef {
  const { clientOrderId, orderId, serialNumber } = Object(order) as OrderRef
  return { clientOrderId, orderId, serialNumber }
}

/** One status check. */
export interface StatusPoll {
  /** 1 for the first. */
  readonly number: number
  /** What the gateway said. */
  readonly reply?: ReplyValues<'status'>
  /** Why it said nothing: it could not be reached, or does not know the order (yet). */
  readonly error?: PaymentError
}

/** What became of an order. */
export type Outcome =
  | {
      /**
       * `approved` is paid; `declined`, `filtered` and `error` are not, and never will be. If the order was changed since, or you
       * asked for one request, it is of the change or request: see `changeShown(reply)` of core.
       */
      readonly outcome: FinalStatus
      readonly clientOrderId: string
      readonly orderId: string
      /** The whole status. Compare `amount`, a decimal text in major units (`'10.42'`), and `currency` before you ship. */
      readonly reply: ReplyValues<'status'>
    }
  /**
   * No final status until the deadline. Not a failure: the customer may still be charged. Keep the order open, and wait
   * again later, or for the callback.
   */
  | { readonly outcome: 'undecided'; readonly clientOrderId: string; readonly lastPoll: StatusPoll | undefined }
