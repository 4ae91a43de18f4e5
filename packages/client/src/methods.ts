import type { RequestInput } from '@tallystick/core'
import type { CallOptions, ResultOf } from './result.ts'

/**
 * What an editor shows of each method. Amounts are decimal texts in major units (`'10.42'`), never numbers. The table of
 * operations is part 4 of the specification.
 */
interface Notes {
  /** Uploads the CRes of a 3DS 2.x challenge. `threeDs` does so for you. */
  uploadCresResult: unknown
  /** Uploads the result of the 3DS method step. `threeDs` does so for you. */
  uploadMethodUrlResult: unknown
  /** Uploads the PaRes of a 3DS 1.0.2 flow. `threeDs` does so for you. */
  uploadParesResult: unknown
  /** Authorizes and captures `amount` in one request. The outcome follows: `waitForOutcome`, or a callback. */
  sale: unknown
  /** Gives the address of a hosted page that takes a sale: send the customer to `reply.redirectUrl`. */
  saleForm: unknown
  /** Holds `amount`, which is then captured, or released by `void` or `return`. */
  preauth: unknown
  /** Gives the address of a hosted page that takes a preauth: send the customer to `reply.redirectUrl`. */
  preauthForm: unknown
  /** Captures what a preauth holds: all, or a part by `amount` and `currency`. */
  capture: unknown
  /** Cancels what is authorized and not settled, always the whole: another `amount` is refused. */
  void: unknown
  /** Releases a hold, or refunds what was captured: all, or a part by `amount` and `currency`. */
  return: unknown
  /** Verifies a card by an authorization of zero: nothing is charged. */
  accountVerification: unknown
  /** Gives the address of a hosted page that verifies a card: send the customer to `reply.redirectUrl`. */
  accountVerificationForm: unknown
  /** Gives the address of the universal hosted page: send the customer to `reply.redirectUrl`. */
  paymentForm: unknown
  /** Stores the card of an approved order: `reply.cardRefId` names it from then on. */
  createCardRef: unknown
  /** Reads brand, masked number and expiry of a stored card. Throws a `PaymentError`. */
  getCardInfo: unknown
  /** Charges a stored card without its holder. `rebillOrderId` makes one id for each period. */
  makeRebill: unknown
  /** Reads the status of an order, by `clientOrderId` alone if it has no `orderId` yet. Throws a `PaymentError`. */
  status: unknown
  /** Sends `amount` to a card, an account, a wallet or a phone. Signed by OAuth with the control key. */
  payout: unknown
  /** Gives the address of a hosted page that asks where a payout goes. */
  payoutForm: unknown
  /** As `createCardRef`, of v4: signed with `privateKey`. */
  createCardRefV4: unknown
  /** Makes a recurring payment: `reply.recurringPaymentId`. `previewCharges` lists its days. Needs `privateKey`. */
  createRecurringPayment: unknown
  /** The first step of a payout: validates the receiver, and moves nothing. `payoutInSteps` does both. Needs `privateKey`. */
  payoutCheck: unknown
  /** The second: pays what was checked. Needs `privateKey`. */
  payoutPay: unknown
  /** Reads whether a card can send a transfer. Throws a `PaymentError`. */
  panEligibilitySend: unknown
  /** Moves `amount` from a card or a deposit to a card. Needs `privateKey`. */
  transfer: unknown
  /** Moves `amount` to a card or a stored card. Needs `privateKey`. */
  transferByRef: unknown
  /** Charges a recurring payment now: an order of its own under `clientOrderId`. Needs `privateKey`. */
  processRecurringPayment: unknown
  /** Changes the card, the amount, the schedule or the payer of a recurring payment. Needs `privateKey`. */
  updateRecurringPayment: unknown
  /** `createRecurringPayment` for each row: `recurringRows` makes `payload`, `recurringResults` reads the reply. */
  createRecurringPayments: unknown
  /** `processRecurringPayment` for each row. A journal keeps each charge by itself: prefer it. */
  processRecurringPayments: unknown
  /** `updateRecurringPayment` for each row. */
  updateRecurringPayments: unknown
  /** Reads a recurring payment and its coming charges: an extension of ours, by `recurringExtensions` of the profile. */
  getRecurringPayment: unknown
}

/**
 * One method for each operation of the interface. Those that read return their reply and throw a `PaymentError`; the others
 * return how they ended.
 */
export type OperationMethods = {
  readonly [K in keyof Notes]: (input: RequestInput<K>, options?: CallOptions) => Promise<ResultOf<K>>
}
