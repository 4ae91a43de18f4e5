import type { OperationKey, RequestInput } from '@tallystick/core'
import { buildInput } from './build-input.ts'

/**
 * Makes a request of one operation: valid by default, with the changes of a test. Amounts are texts in major units. The
 * client that sends it checks your changes; an unknown field, and changes that are `undefined`, are a `TypeError`.
 */
export type InputBuilder<K extends OperationKey> = (changes?: Partial<RequestInput<K>>) => RequestInput<K>

function builder<K extends OperationKey>(key: K): InputBuilder<K> {
  return (...changes) => buildInput(key, ...changes)
}

/** Uploads what the issuer's page sent back in a challenge: `cRes` in base64url. Give the ids of an order that waits for it. */
export const uploadCresResultInput = builder('uploadCresResult')
/**
 * Uploads whether the frame of the issuer's method page ended: `methodCompletion`. Give the ids of an order that waits
 * for it.
 */
export const uploadMethodUrlResultInput = builder('uploadMethodUrlResult')
/**
 * Uploads what the issuer's page sent back in 3-D Secure 1.0.2: `paRes` and `md`. Give the ids of an order that waits for
 * it.
 */
export const uploadParesResultInput = builder('uploadParesResult')
/** A sale that is valid and approved, under a new client order id. Name only what your test is about. */
export const saleInput = builder('sale')
/** A sale on the gateway's own page: no card, a `redirectUrl` to come back to. */
export const saleFormInput = builder('saleForm')
/** An authorization that is approved and holds the amount, under a new client order id. */
export const preauthInput = builder('preauth')
/** An authorization on the gateway's own page: no card, a `redirectUrl` to come back to. */
export const preauthFormInput = builder('preauthForm')
/**
 * Captures all that is held; give `amount` and `currency` for a part. A request that names an order has a made-up id
 * until you give the ids of one.
 */
export const captureInput = builder('capture')
/** Releases what is held, or reverses what was captured. Give the ids of an order. */
export const voidInput = builder('void')
/** Refunds the whole amount; give `amount` and `currency` for a part. Give the ids of an order. */
export const returnInput = builder('return')
/** Verifies a card without moving money, under a new client order id. */
export const accountVerificationInput = builder('accountVerification')
/** The same on the gateway's own page: no card, a `redirectUrl` to come back to. */
export const accountVerificationFormInput = builder('accountVerificationForm')
/** A payment on the gateway's own page, by any method that it offers: no card, a `redirectUrl` to come back to. */
export const paymentFormInput = builder('paymentForm')
/** Stores the card of a payment that ended. Give the ids of an order. */
export const createCardRefInput = builder('createCardRef')
/** Asks about a stored card. Give its `cardRefId`. */
export const getCardInfoInput = builder('getCardInfo')
/** Charges a stored card without the customer, under a new client order id. Give its `cardRefId`. */
export const makeRebillInput = builder('makeRebill')
/** Asks for the status of an order. Give its `clientOrderId`, and its `orderId` if you have it. */
export const statusInput = builder('status')
/** Pays out to a card, under a new client order id; to an account or a stored card if you name one. */
export const payoutInput = builder('payout')
/** A payout to the card that the receiver types on the gateway's own page: a `redirectUrl` to come back to. */
export const payoutFormInput = builder('payoutForm')
/** Stores the card of a payment, signed with RSA. Give the ids of an order. */
export const createCardRefV4Input = builder('createCardRefV4')
/** Charges a card each month from 2030-01-31 on, unless you change that, under a new client order id. */
export const createRecurringPaymentInput = builder('createRecurringPayment')
/** The first of two steps of a payout, under a new client order id: checks it, and pays nothing yet. */
export const payoutCheckInput = builder('payoutCheck')
/** The second step: pays what was checked. Give the ids of that order. */
export const payoutPayInput = builder('payoutPay')
/** Asks whether a card can send money. Give its `sendingCardRefId`, or a `sendingCardNumber`. */
export const panEligibilitySendInput = builder('panEligibilitySend')
/** Transfers money from one card to another, under a new client order id. */
export const transferInput = builder('transfer')
/** Transfers money to a stored card, under a new client order id. Give its `destinationCardRefId`. */
export const transferByRefInput = builder('transferByRef')
/** Charges a recurring payment now, under a new client order id. Give its `recurringPaymentId`. */
export const processRecurringPaymentInput = builder('processRecurringPayment')
/** Changes the amount of a recurring payment, unless you change something else. Give its `recurringPaymentId`. */
export const updateRecurringPaymentInput = builder('updateRecurringPayment')
/** One row that makes a recurring payment. Give a `payload` of your own for more: `recurringRows` writes it. */
export const createRecurringPaymentsInput = builder('createRecurringPayments')
/** One row that charges a recurring payment. Give a `payload` that names yours: `recurringRows` writes it. */
export const processRecurringPaymentsInput = builder('processRecurringPayments')
/** One row that changes a recurring payment. Give a `payload` that names yours: `recurringRows` writes it. */
export const updateRecurringPaymentsInput = builder('updateRecurringPayments')
/** Asks for a recurring payment. Give its `recurringPaymentId`, or the `clientOrderId` that it was created under. */
export const getRecurringPaymentInput = builder('getRecurringPayment')
