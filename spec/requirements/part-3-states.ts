import type { Requirement } from '../requirement.ts'

/** Part 3 of the specification: states and transitions. The number of an entry is the number of its rule. */
export const states: readonly Requirement[] = [
  {
    id: 'S3-01',
    part: '3',
    origin: 'stated',
    text: 'A Preauth keeps funds on hold until they are captured (capture) or released (void).',
  },
  {
    id: 'S3-02',
    part: '3',
    origin: 'stated',
    text:
      'Capture references the original transaction by `orderid`. It may be partial when `amount` and `currency` ' +
      'are supplied.',
  },
  {
    id: 'S3-03',
    part: '3',
    origin: 'stated',
    text: 'Void cancels a transaction that is authorized but not settled. Void has no partial amount.',
  },
  {
    id: 'S3-04',
    part: '3',
    origin: 'stated',
    text:
      'Return on a Preauth issues a cancel that releases the hold. Return on a Sale or Capture issues a reversal ' +
      'or refund.',
  },
  {
    id: 'S3-05',
    part: '3',
    origin: 'stated',
    text: 'Return is partial when `amount` and `currency` are supplied. Omitting them gives a full reversal.',
  },
  {
    id: 'S3-06',
    part: '3',
    origin: 'stated',
    text: 'Return is allowed only when the original transaction is in a final successful status.',
  },
  {
    id: 'S3-07',
    part: '3',
    origin: 'stated',
    text:
      'Payout in two steps: payout-check validates the recipient and registers the payout without releasing funds. ' +
      'payout-pay then executes it.',
  },
]
