import type { JournalOutcome, PaymentOutcome } from '@tallystick/client'

/** What a method with `@OnPaymentOutcome` is told by an instance without a journal: the status has confirmed a callback. */
export interface ConfirmedOutcome {
  /** The name of the instance. */
  readonly instance: string
  /**
   * The same outcome may come again: make it harmless to repeat. Key the payment by `orderId`; a `change` by `orderId`, its
   * `transactionType`, its `status` and `reply.amount`.
   */
  readonly outcome: PaymentOutcome
}

/** What it is told by an instance with a journal. */
export interface JournaledOutcome<Transaction = unknown> {
  /** The name of the instance. */
  readonly instance: string
  /** Compared with what was asked for. Amounts are in minor units. */
  readonly outcome: JournalOutcome
  /** Of the journal's store. What is written in it takes effect exactly once, for all methods together. */
  readonly transaction: Transaction
}

/** For a method that hears of instances with a journal and without: `'transaction' in heard` tells which. */
export type HeardOutcome = ConfirmedOutcome | JournaledOutcome
