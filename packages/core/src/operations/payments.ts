import { AsyncCheckoutFormRedirect, AsyncResponse } from '../replies/async.ts'
import { StatusResponse } from '../replies/status.ts'
import {
  AccountVerificationFormRequest,
  AccountVerificationRequest,
  AuthFormRequest,
  AuthRequest,
  CaptureRequest,
  PaymentFormRequest,
  RebillRequest,
  ReturnRequest,
  SaleFormRequest,
  SaleRequest,
  StatusRequest,
  VoidRequest,
} from '../requests/payments.ts'
import { control, defineOperation, filledInControl } from './operation.ts'

/** Card operations of v2 that charge, hold, release and refund money (interface part 4). */

const paymentControl = ['endpointId', 'clientOrderId', 'amountInCents', 'email'] as const
const modificationControl = ['login', 'clientOrderId', 'orderId', 'amountInCents', 'currency'] as const

/** Authorization and capture in one request. */
export const sale = defineOperation({
  name: 'SALE',
  path: '/api/v2/sale',
  request: SaleRequest,
  reply: AsyncResponse,
  auth: control(...paymentControl),
  effect: 'moves-money',
  meaning: 'Authorizes and captures in one request.',
})

/** A sale whose card is asked for on the gateway's page. */
export const saleForm = defineOperation({
  name: 'SALEFORM',
  path: '/api/v2/sale-form',
  request: SaleFormRequest,
  reply: AsyncCheckoutFormRedirect,
  auth: control(...paymentControl),
  effect: 'moves-money',
  kind: 'form',
  meaning: 'Gives the address of a hosted page that takes a sale.',
})

/** Reserves funds, to be captured or voided. */
export const preauth = defineOperation({
  name: 'PREAUTH',
  path: '/api/v2/preauth',
  request: AuthRequest,
  reply: AsyncResponse,
  auth: control(...paymentControl),
  effect: 'moves-money',
  meaning: 'Reserves funds, which are then captured or voided.',
})

/** A preauth whose card is asked for on the gateway's page. */
export const preauthForm = defineOperation({
  name: 'PREAUTHFORM',
  path: '/api/v2/preauth-form',
  request: AuthFormRequest,
  reply: AsyncCheckoutFormRedirect,
  auth: control(...paymentControl),
  effect: 'moves-money',
  kind: 'form',
  meaning: 'Gives the address of a hosted page that takes a preauth.',
})

/** Captures funds that a preauth holds. Partial if `amount` and `currency` are given, full otherwise. */
export const capture = defineOperation({
  name: 'CAPTURE',
  path: '/api/v2/capture',
  request: CaptureRequest,
  reply: AsyncResponse,
  auth: control(...modificationControl),
  effect: 'moves-money',
  meaning: 'Takes funds that a preauth holds, all or a part.',
})

/** Cancels what is authorized and not settled. Never partial. */
export const voidOperation = defineOperation({
  name: 'VOID',
  path: '/api/v2/void',
  request: VoidRequest,
  reply: AsyncResponse,
  auth: control('login', 'clientOrderId', 'orderId'),
  effect: 'moves-money',
  meaning: 'Cancels a transaction that is authorized and not settled.',
})

/** Returns funds: a cancel of a preauth, a reversal of a sale or capture. */
export const returnOperation = defineOperation({
  name: 'RETURN',
  path: '/api/v2/return',
  request: ReturnRequest,
  reply: AsyncResponse,
  auth: control(...modificationControl),
  effect: 'moves-money',
  meaning: 'Releases the hold of a preauth, or gives back what a sale or capture took, all or a part.',
})

/** Verifies a card by an authorization of zero. */
export const accountVerification = defineOperation({
  name: 'ACCOUNT_VERIFICATION',
  path: '/api/v2/account-verification',
  request: AccountVerificationRequest,
  reply: AsyncResponse,
  auth: control('endpointId', 'clientOrderId', 'email'),
  effect: 'moves-money',
  meaning: 'Issues an authorization of zero and does not charge the card.',
})

/** An account verification whose card is asked for on the gateway's page. */
export const accountVerificationForm = defineOperation({
  name: 'ACCOUNT_VERIFICATION_FORM',
  path: '/api/v2/account-verification-form',
  request: AccountVerificationFormRequest,
  reply: AsyncCheckoutFormRedirect,
  auth: control('endpointId', 'clientOrderId', 'email'),
  effect: 'moves-money',
  kind: 'form',
  meaning: 'Gives the address of a hosted page that verifies a card.',
})

/** The universal hosted form. Its formula is not shown; the family's official client uses the sale's. */
export const paymentForm = defineOperation({
  name: 'PAYMENTFORM',
  path: '/api/v2/payment-form',
  request: PaymentFormRequest,
  reply: AsyncCheckoutFormRedirect,
  auth: filledInControl(...paymentControl),
  effect: 'moves-money',
  kind: 'form',
  meaning: 'Gives the address of the universal hosted page.',
})

/** Charges a stored card while its holder is absent. Brands serve it under two other names as well (conflict C1). */
export const makeRebill = defineOperation({
  name: 'REBILL',
  path: '/api/v2/make-rebill',
  otherPaths: ['/api/v2/make-rebill-sale', '/api/v2/make-rebill-preauth'],
  request: RebillRequest,
  reply: AsyncResponse,
  auth: control('login', 'clientOrderId', 'cardRefId', 'amountInCents', 'currency'),
  effect: 'moves-money',
  meaning: 'Charges a stored card when the cardholder is absent; make-rebill-preauth only reserves.',
})

/** Asks what became of an order, by `orderId`, or by `clientOrderId` alone if the order id is unknown. */
export const status = defineOperation({
  name: 'STATUS',
  path: '/api/v2/status',
  request: StatusRequest,
  reply: StatusResponse,
  auth: control('login', 'clientOrderId', 'orderId'),
  effect: 'reads',
  meaning: 'Tells the status of an order, for polling and after a callback.',
})
