import type { OperationKind, OperationStatus } from '@tallystick/core'

/** Operations in the words of customers, who do not know the names of the interface. */
export const KIND_WORDS: Readonly<Record<OperationKind, string>> = {
  sale: 'Payment',
  preauth: 'Reservation',
  'account-verification': 'Card check',
  capture: 'Charge from the reservation',
  cancel: 'Release of the reservation',
  reversal: 'Refund',
  chargeback: 'Chargeback by the bank',
  'payout-check': 'Receiver check',
  'payout-pay': 'Payout',
  payout: 'Payout',
  transfer: 'Transfer',
}

/** Statuses in the words of customers. Everything without an outcome is under way, whatever the interface calls it. */
export const STATUS_WORDS: Readonly<Record<OperationStatus, string>> = {
  created: 'under way',
  sent: 'under way',
  processing: 'under way',
  unknown: 'under way',
  approved: 'done',
  declined: 'declined',
  filtered: 'declined',
  error: 'did not work',
}
