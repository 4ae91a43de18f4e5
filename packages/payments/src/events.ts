import type { OperationOutcome, OrderNotice } from '@tallystick/client/ports'
import type { Exponents } from '@tallystick/core'
import { changeShown } from '@tallystick/core/internal'
import { inMajorUnits, type Money } from './money.ts'

/** A payment that was approved. Its amount is the one that was asked for: the journal has compared it. */
export interface PaidPayment extends Money {
  /** Your name for the payment: `'invoice 77'`. */
  readonly key: string
  /** Unique to this event: for effects outside of the transaction, such as an e-mail, which happen at least once. */
  readonly id: string
  /** The gateway's id of the order. */
  readonly orderId: string | undefined
  readonly clientOrderId: string
  /** All that the journal knows, with amounts in minor units. */
  readonly details: OperationOutcome
}

/**
 * What happened to an order after its result. `chargeback`: the issuer took money back. `refund`: returned or cancelled, but not by this shop's journal.
 * `late-payment`: a payment that was reported as declined is approved after all: book it, or refund it if the customer has
 * paid another way. `other`: see `details.transactionType`.
 */
export type NoticeKind = 'chargeback' | 'refund' | 'late-payment' | 'other'

/** Something that happened to an order later. Never the payment that `onPaid` is called with. */
export interface PaymentNotice {
  /** Your name for the payment: `'invoice 77'`. */
  readonly key: string
  readonly kind: NoticeKind
  /** Whether it came about: a chargeback has `approved`. */
  readonly status: OrderNotice['status']
  /** By how much the kept amount changed, in major units: `'10.42'`. `undefined` if the gateway does not say. */
  readonly amount: string | undefined
  /** What the shop keeps of the payment afterwards, in major units. */
  readonly kept: string | undefined
  readonly currency: string | undefined
  /** Unique to this notice: for effects outside of the transaction. */
  readonly id: string
  readonly orderId: string | undefined
  readonly clientOrderId: string
  /** All that the journal knows, with amounts in minor units. */
  readonly details: OrderNotice
}

/** Any other final result of the shop's own requests: a payment that came to nothing, a refund, a capture, a payout. */
export interface OperationEnd {
  /** Your name for the request: `'refund 1 of invoice 77'`. */
  readonly key: string
  readonly operation: OperationOutcome['operation']
  readonly status: OperationOutcome['status']
  /** In major units, as the gateway shows it; `undefined` if it does not, as for a full capture. */
  readonly amount: string | undefined
  readonly currency: string | undefined
  readonly id: string
  readonly orderId: string | undefined
  readonly clientOrderId: string
  readonly details: OperationOutcome
}

/** The operations that charge a customer at once. */
export const PAID_OPERATIONS = ['sale', 'saleForm', 'paymentForm', 'makeRebill', 'processRecurringPayment'] as const

/** Whether an outcome is a customer's payment that was approved. */
export function isPaid({ operation, status }: OperationOutcome): boolean {
  return status === 'approved' && PAID_OPERATIONS.some((one) => one === operation)
}

/**
 * The payment of an approved outcome.
 *
 * @throws TypeError if it has no amount: then it is called again, and nothing is booked with a wrong one
 */
export function paidPayment(details: OperationOutcome, exponents: Exponents): PaidPayment {
  const { amount, currency, ...end } = operationEnd(details, exponents)
  if (amount === undefined || currency === undefined)
    throw new TypeError(`${details.key} is approved and has no amount`)
  const { key, id, orderId, clientOrderId } = end
  return { key, amount, currency, id, orderId, clientOrderId, details }
}

export function operationEnd(details: OperationOutcome, exponents: Exponents): OperationEnd {
  const { operation, status } = details
  return { ...commonOf(details, exponents), operation, status, details }
}

export function paymentNotice(details: OrderNotice, exponents: Exponents): PaymentNotice {
  const kept = inMajorUnits(details.kept, details.currency, exponents)
  return { ...commonOf(details, exponents), kind: kindOf(details), status: details.status, kept, details }
}

function commonOf(
  { businessKey, amount, currency, key, orderId, clientOrderId }: OperationOutcome | OrderNotice,
  exponents: Exponents,
) {
  return {
    key: businessKey,
    amount: inMajorUnits(amount, currency, exponents),
    currency,
    id: key,
    orderId,
    clientOrderId,
  }
}

const KINDS: Readonly<Record<string, NoticeKind>> = {
  chargeback: 'chargeback',
  reversal: 'refund',
  cancel: 'refund',
  return: 'refund',
  refund: 'refund',
  void: 'refund',
}

function kindOf(notice: OrderNotice): NoticeKind {
  if (notice.isLatePayment) return 'late-payment'
  return KINDS[changeShown(notice) ?? ''] ?? 'other'
}
