import { field, filledIn, stated } from '../models/field.ts'
import { amount as amountFormat, amountList, day, oneOf, wholeNumber } from '../models/formats.ts'

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
