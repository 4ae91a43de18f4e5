import type { OperationKind, OperationStatus } from '@tallystick/core'

/** What people call an operation. The names of the interface are for machines. */
export const KIND_WORDS: Readonly<Record<OperationKind, string>> = {
  sale: 'Payment',
  preauth: 'Reservation',
  'account-verification': 'Check of the card',
  capture: 'Taken from the reservation',
  cancel: 'Reservation released',
  reversal: 'Refund',
  chargeback: 'Charged back by the bank',
  'payout-check': 'Check of the receiver',
  'payout-pay': 'Payout',
  payout: 'Payout',
  transfer: 'Transfer',
}

/** How it stands. What nobody knows yet is under way, whatever the interface calls it. */
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
