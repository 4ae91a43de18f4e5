import { field, filledIn, respelled, stated } from '../models/field.ts'
import { cvv, expiryMonth, expiryYear, id, oneOf, pan, text } from '../models/formats.ts'

/** The card that pays or is paid, as itself or by a reference. Interface part 2, gaps part 3.1 and 3.4. */

const origin = stated('2', '3.1')

export const cardNumber = field('credit_card_number', pan, origin, 'The card number (PAN).')
export const cvv2 = field('cvv2', cvv, origin, 'The card verification value.')
export const expireMonth = field('expire_month', expiryMonth, origin, 'The month in which the card expires.')
export const expireYear = field('expire_year', expiryYear, origin, 'The year in which the card expires.')
export const cardPrintedName = field('card_printed_name', text(128), origin, 'The name printed on the card.')

export const cardRefId = field('cardrefid', id(20), stated('2', '3.2'), 'The reference of a stored card.', [
  'card-ref-id',
])

export const cardRecurringPaymentId = field(
  'card_recurring_payment_id',
  id(128),
  origin,
  'The recurring payment id that stands for the card.',
)

export const destinationCardNumber = field(
  'destination-card-no',
  pan,
  stated('2', '3.4'),
  'The number of the card that receives.',
)

export const destinationCardRefId = field(
  'destination-card-ref-id',
  id(20),
  stated('2', '3.4'),
  'The reference of the stored card that receives.',
)

export const destinationCardRecurringPaymentId = field(
  'destination_card_recurring_payment_id',
  id(128),
  stated('2', '3.4'),
  'The recurring payment id that stands for the card that receives.',
)

export const sendingCardRefId = field(
  'sending-card-ref-id',
  id(20),
  stated('2', '3.2'),
  'The reference of the stored card that would send.',
)

export const sendingCardNumber = field(
  'sending-card-number',
  pan,
  filledIn('3.2'),
  'The number of the card that would send.',
)

export const recurringCardType = field(
  'rp_card_type',
  oneOf('SRC', 'DST'),
  filledIn('3.4'),
  'Whether the card pays (SRC) or receives (DST).',
)

const v4 = { origin: filledIn('3.4') }

/** The card fields with hyphens, as the v4 recurring and the pan eligibility operations spell them. */
export const hyphened = {
  cardNumber: respelled(cardNumber, 'credit-card-number', v4),
  cardPrintedName: respelled(cardPrintedName, 'card-printed-name', v4),
  expireMonth: respelled(expireMonth, 'expire-month', v4),
  expireYear: respelled(expireYear, 'expire-year', v4),
}
