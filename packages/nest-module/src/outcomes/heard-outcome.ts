import type { JournalOutcome, PaymentOutcome } from '@tallystick/client'

/** What an instance without a journal passes to a method with `@OnPaymentOutcome`, once a status check confirmed a callback. */
export interface ConfirmedOutcome {
  /** The name of the instance. */
  readonly instance: string
  /**
   * The same outcome may come again, so handling it twice must be harmless. Identify the payment by `orderId`, and a `change`
   * by `orderId`, its `transactionType`, its `status` and `reply.amount`.
   */
  readonly outcome: PaymentOutcome
}

/** What an instance with a journal passes to it. */
export interface JournaledOutcome<Transaction = unknown> {
  /** The name of the instance. */
  readonly instance: string
  /** The journal has compared it with the request. Amounts are in minor units. */
  readonly outcome: JournalOutcome
  /** A transaction of the journal's store. What is written in it takes effect exactly once, for all methods together. */
  readonly transaction: Transaction
}

/** For a method that listens to instances with and without a journal: `'transaction' in heard` distinguishes them. */
export type HeardOutcome = ConfirmedOutcome | JournaledOutcome
