import { field, filledIn, stated } from '../models/field.ts'
import {
  amount as amountFormat,
  amountList,
  day,
  id,
  oneOf,
  payload as payloadFormat,
  wholeNumber,
} from '../models/formats.ts'

/** When and how much a recurring payment charges. Interface part 2, gaps part 3.4 and 13. */

export const period = field(
  'period',
  oneOf('day', 'week', 'month', 'year'),
  stated('2', '13'),
  'The unit of the time between two charges.',
)
export const interval = field(
  'interval',
  wholeNumber(1, 366),
  stated('2', '13'),
  'How many periods lie between two charges.',
)
export const startDate = field('start-date', day, filledIn('3.4'), 'The day of the first charge.')
export const finishDate = field('finish-date', day, filledIn('3.4'), 'The day after which nothing is charged.')
export const amountFrom = field('amount-from', amountFormat, filledIn('3.4'), 'The least that a charge may take.')
export const amountTo = field('amount-to', amountFormat, filledIn('3.4'), 'The most that a charge may take.')
export const amountSequence = field(
  'amount-sequence',
  amountList,
  filledIn('3.4'),
  'The amounts of the charges in their order, separated by commas.',
)
export const enumerateAmounts = field(
  'enumerate_amounts',
  amountList,
  filledIn('3.2'),
  'Amounts to try in turn until one is approved, separated by commas.',
)

/** Ten characters in one copy of the vendor's pages, 128 in another (conflict N4). */
export const recurringPaymentId = field(
  'recurring-payment-id',
  id(128),
  stated('2', '14'),
  'The id of the recurring payment, as its creation gave it.',
)

/** No public page shows how a merchant stops a recurring payment (gaps part 14): the field is our own. */
export const recurringPaymentState = field(
  'recurring-payment-state',
  oneOf('active', 'stopped'),
  filledIn('14'),
  "An extension of ours: `stopped` ends its charges, on a schedule and on request, and `active` lets them go on. Needs the profile's `recurringExtensions`.",
)

export const payload = field(
  'payload',
  payloadFormat,
  filledIn('14'),
  'A header with the names of the fields, and a line for each recurring payment, as comma-separated values (RFC 4180).',
)
