import type { OperationKey, RequestInput } from '@tallystick/core'
import { buildInput } from './build-input.ts'

/** Makes a request of one operation: valid by default, changed where a test names something. */
export type InputBuilder<K extends OperationKey> = (changes?: Partial<RequestInput<K>>) => RequestInput<K>

function builder<K extends OperationKey>(key: K): InputBuilder<K> {
  return (changes) => buildInput(key, changes)
}

export const uploadCresResultInput = builder('uploadCresResult')
export const uploadMethodUrlResultInput = builder('uploadMethodUrlResult')
export const uploadParesResultInput = builder('uploadParesResult')
/** A sale that is valid and approved, under a new client order id. Name only what your test is about. */
export const saleInput = builder('sale')
export const saleFormInput = builder('saleForm')
export const preauthInput = builder('preauth')
export const preauthFormInput = builder('preauthForm')
/** Of the whole. What names an order has a made-up id until you give the ids of one. */
export const captureInput = builder('capture')
export const voidInput = builder('void')
export const returnInput = builder('return')
export const accountVerificationInput = builder('accountVerification')
export const accountVerificationFormInput = builder('accountVerificationForm')
export const paymentFormInput = builder('paymentForm')
export const createCardRefInput = builder('createCardRef')
export const getCardInfoInput = builder('getCardInfo')
export const makeRebillInput = builder('makeRebill')
export const statusInput = builder('status')
export const payoutInput = builder('payout')
export const payoutFormInput = builder('payoutForm')
export const createCardRefV4Input = builder('createCardRefV4')
export const createRecurringPaymentInput = builder('createRecurringPayment')
export const payoutCheckInput = builder('payoutCheck')
export const payoutPayInput = builder('payoutPay')
export const panEligibilitySendInput = builder('panEligibilitySend')
export const transferInput = builder('transfer')
export const transferByRefInput = builder('transferByRef')
