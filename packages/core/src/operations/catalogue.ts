import type { ValuesOf } from '../models/model.ts'
import { createCardRef, createCardRefV4, getCardInfo, panEligibilitySend } from './cards.ts'
import {
  accountVerification,
  accountVerificationForm,
  capture,
  makeRebill,
  paymentForm,
  preauth,
  preauthForm,
  returnOperation,
  sale,
  saleForm,
  status,
  voidOperation,
} from './payments.ts'
import { payout, payoutCheck, payoutForm, payoutPay, transfer, transferByRef } from './payouts.ts'
import {
  createRecurringPayment,
  createRecurringPayments,
  getRecurringPayment,
  processRecurringPayment,
  processRecurringPayments,
  updateRecurringPayment,
  updateRecurringPayments,
} from './recurring.ts'
import { uploadCresResult, uploadMethodUrlResult, uploadParesResult } from './three-ds.ts'

/** Every operation of the interface, by the name of the client's method (specification part 4). */
export const catalogue = {
  uploadCresResult,
  uploadMethodUrlResult,
  uploadParesResult,
  sale,
  saleForm,
  preauth,
  preauthForm,
  capture,
  void: voidOperation,
  return: returnOperation,
  accountVerification,
  accountVerificationForm,
  paymentForm,
  createCardRef,
  getCardInfo,
  makeRebill,
  status,
  payout,
  payoutForm,
  createCardRefV4,
  createRecurringPayment,
  payoutCheck,
  payoutPay,
  panEligibilitySend,
  transfer,
  transferByRef,
  processRecurringPayment,
  updateRecurringPayment,
  createRecurringPayments,
  processRecurringPayments,
  updateRecurringPayments,
  getRecurringPayment,
} as const

/** The catalogue's type: an operation by its key. */
export type Operations = typeof catalogue

/** The key of an operation in the catalogue, which is the client's method. */
export type OperationKey = keyof Operations

type RequestFor<K extends OperationKey> = ValuesOf<Operations[K]['request']>
type ReplyFor<K extends OperationKey> = ValuesOf<Operations[K]['reply']>

// Mapped once more, so that an editor shows `RequestValues<'sale'>` and not its parts.

/** A request as the gateway sees it after validation. */
export type RequestValues<K extends OperationKey> = { [P in keyof RequestFor<K>]: RequestFor<K>[P] }

/** The reply to a success. */
export type ReplyValues<K extends OperationKey> = { [P in keyof ReplyFor<K>]: ReplyFor<K>[P] }

/** All keys, in the order of the specification; those that it only names, and ours, come last. */
export const operationKeys = Object.keys(catalogue) as readonly OperationKey[]

/**
 * The number of a stored card as it may be shown: `masked-pan`, or, from gateways that do not send that, the BIN, six
 * asterisks and the last four digits.
 */
export function maskedNumberOf(card: Pick<ReplyValues<'getCardInfo'>, 'bin' | 'lastFourDigits' | 'maskedPan'>): string {
  return card.maskedPan ?? `${card.bin}******${card.lastFourDigits}`
}
