import { type OperationKey, operationKeys } from '../../packages/core/src/index.ts'

/** Operations that share a page. */
export type Family = {
  readonly file: string
  readonly title: string
}

const PAYMENTS: Family = { file: 'payments.md', title: 'Payments' }
const STORED_CARDS: Family = { file: 'stored-cards.md', title: 'Stored cards and schedules' }
const PAYOUTS: Family = { file: 'payouts.md', title: 'Payouts and transfers' }
const THREE_DS: Family = { file: 'three-ds.md', title: 'Results of 3-D Secure' }

/** In the order of the index. */
export const FAMILIES: readonly Family[] = [PAYMENTS, STORED_CARDS, PAYOUTS, THREE_DS]

const FAMILY_OF: Readonly<Record<OperationKey, Family>> = {
  sale: PAYMENTS,
  saleForm: PAYMENTS,
  preauth: PAYMENTS,
  preauthForm: PAYMENTS,
  capture: PAYMENTS,
  void: PAYMENTS,
  return: PAYMENTS,
  accountVerification: PAYMENTS,
  accountVerificationForm: PAYMENTS,
  paymentForm: PAYMENTS,
  status: PAYMENTS,
  createCardRef: STORED_CARDS,
  getCardInfo: STORED_CARDS,
  makeRebill: STORED_CARDS,
  createCardRefV4: STORED_CARDS,
  createRecurringPayment: STORED_CARDS,
  processRecurringPayment: STORED_CARDS,
  updateRecurringPayment: STORED_CARDS,
  createRecurringPayments: STORED_CARDS,
  processRecurringPayments: STORED_CARDS,
  updateRecurringPayments: STORED_CARDS,
  getRecurringPayment: STORED_CARDS,
  payout: PAYOUTS,
  payoutForm: PAYOUTS,
  payoutCheck: PAYOUTS,
  payoutPay: PAYOUTS,
  panEligibilitySend: PAYOUTS,
  transfer: PAYOUTS,
  transferByRef: PAYOUTS,
  uploadCresResult: THREE_DS,
  uploadMethodUrlResult: THREE_DS,
  uploadParesResult: THREE_DS,
}

/** In the order of the specification. */
export function operationsOf(family: Family): readonly OperationKey[] {
  return operationKeys.filter((key) => FAMILY_OF[key] === family)
}
