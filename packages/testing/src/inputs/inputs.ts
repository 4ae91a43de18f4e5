import type { OperationKey, RequestInput } from '@tallystick/core'
import { buildInput } from './build-input.ts'

/**
 * Makes a request of one operation: valid by default, changed where a test names something. Amounts are texts in
 * major units. Whether your changes fit says the client that sends it; a field that there is not, and changes that are
 * `undefined`, are a `TypeError`.
 */
export type InputBuilder<K extends OperationKey> = (changes?: Partial<RequestInput<K>>) => RequestInput<K>

function builder<K extends OperationKey>(key: K): InputBuilder<K> {
  return (...changes) => buildInput(key, ...changes)
}

/** What the issuer's page sent back in a challenge: `cRes` in base64url. Give the ids of an order that waits for it. */
export const uploadCresResultInput = builder('uploadCresResult')
/**
 * Whether the frame of the issuer's method page ended: `methodCompletion`. Give the ids of an order that waits for
 * it.
 */
export const uploadMethodUrlResultInput = builder('uploadMethodUrlResult')
/**
 * What the issuer's page sent back in 3-D Secure 1.0.2: `paRes` and `md`. Give the ids of an order that waits for it.
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
 * Takes what is held, all of it: give `amount` and `currency` for a part. What names an order has a made-up id until
 * you give the ids of one.
 */
export const captureInput = builder('capture')
/** Gives back what is held or was taken. Give the ids of an order. */
export const voidInput = builder('void')
/** Of the whole: give `amount` and `currency` for a part. Give the ids of an order. */
export const returnInput = builder('return')
/** A card that is verified without money, under a new client order id. */
export const accountVerificationInput = builder('accountVerification')
/** The same on the gateway's own page: no card, a `redirectUrl` to come back to. */
export const accountVerificationFormInput = builder('accountVerificationForm')
/** A payment on the gateway's own page, by whatever it offers: no card, a `redirectUrl` to come back to. */
export const paymentFormInput = builder('paymentForm')
/** Stores the card of a payment that ended. Give the ids of an order. */
export const createCardRefInput = builder('createCardRef')
/** Asks about a stored card. Give its `cardRefId`. */
export const getCardInfoInput = builder('getCardInfo')
/** Charges a stored card without the customer, under a new client order id. Give its `cardRefId`. */
export const makeRebillInput = builder('makeRebill')
/** Asks how an order stands. Give its `clientOrderId`, and its `orderId` where you have it. */
export const statusInput = builder('status')
/** Pays out to a card, under a new client order id; to an account or a stored card where you name one. */
export const payoutInput = builder('payout')
/** A payout to the card that the receiver types on the gateway's own page: a `redirectUrl` to come back to. */
export const payoutFormInput = builder('payoutForm')
/** Stores the card of a payment, signed by RSA. Give the ids of an order. */
export const createCardRefV4Input = builder('createCardRefV4')
/** Charges a card each month from 2030-01-31 on, until it is changed here, under a new client order id. */
export const createRecurringPaymentInput = builder('createRecurringPayment')
/** The first step of a payout in two, under a new client order id: it is checked, and nothing is paid yet. */
export const payoutCheckInput = builder('payoutCheck')
/** The second step: pays what was checked. Give the ids of that order. */
export const payoutPayInput = builder('payoutPay')
/** Asks whether a card can send money. Give its `sendingCardRefId`, or a `sendingCardNumber`. */
export const panEligibilitySendInput = builder('panEligibilitySend')
/** Takes money from one card and brings it to another, under a new client order id. */
export const transferInput = builder('transfer')
/** Brings money to a stored card, under a new client order id. Give its `destinationCardRefId`. */
export const transferByRefInput = builder('transferByRef')
