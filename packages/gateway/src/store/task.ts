/** Work that is due at an instant, for whichever process is running then. */
export type Task = OrderTask | ChargeTask

interface DueTask {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly dueAt: number
  /** How often it was tried. */
  readonly tried: number
}

/**
 * Work on an order. `release`: what is on hold expires. `lookup`: the acquirer did not know an outcome and is asked
 * again. `abandon`: the customer has had enough time on the gateway's pages. `expire-check`: a payout-check can no longer be
 * paid.
 */
export interface OrderTask extends DueTask {
  readonly kind: 'release' | 'lookup' | 'abandon' | 'expire-check'
  readonly orderId: string
}

/** The next charge of a recurring payment: there is one such task, or none once its schedule has ended. */
export interface ChargeTask extends DueTask {
  readonly kind: 'charge'
  readonly recurringPaymentId: string
  /** Which of the schedule's charges it is, from 1. */
  readonly number: number
  /** The day of the charge, `YYYY-MM-DD`. A claim moves `dueAt`, but not this. */
  readonly date: string
}
