import { type Field, field, filledIn, stated } from '../models/field.ts'
import { format } from '../models/format.ts'
import { addressOfReply, anyText, eitherCase, idOfReply } from '../models/reply-formats.ts'
import { withDefault } from '../models/schemas.ts'
import { STATUSES } from '../statuses.ts'

/** Fields that a gateway writes: the envelope of every reply (gaps part 4). Names are the same in both formats. */

/** A field of a reply: any text. If it has two spellings, both are read. */
export function replyField(wireName: string, meaning: string, ...aliases: readonly string[]): Field<string, string> {
  return field(wireName, anyText, filledIn('4'), meaning, aliases)
}

/** An id from a gateway, or a word of its own: readers store and log it. */
export function replyId(wireName: string, meaning: string): Field<string, string> {
  return field(wireName, idOfReply, filledIn('4'), meaning)
}

/** Where a gateway sends the customer. */
export function replyAddress(wireName: string, meaning: string, ...aliases: readonly string[]): Field<string, string> {
  return field(wireName, addressOfReply, filledIn('4'), meaning, aliases)
}

export const type = replyField('type', 'What kind of reply this is.')
export const serialNumber = replyId('serial-number', "The gateway's number of the request; quote it to support.")
export const clientOrderId = replyField('merchant-order-id', "The merchant's own id of the order.")
export const orderId = replyId('paynet-order-id', "The gateway's own id of the order.")
export const endpointId = replyId('end-point-id', 'The endpoint that took the request.')
export const errorMessage = replyField('error-message', 'What went wrong, in words.')
export const errorCode = replyField('error-code', 'What went wrong, as a number or a text.')
export const status = field(
  'status',
  eitherCase(...STATUSES),
  filledIn('5'),
  'The status of the transaction: approved, declined, filtered, error, processing, unknown, or another text.',
)

/** In a status reply an absent status means that the order is still being processed (gaps part 5). */
export const statusOrProcessing = field(
  status.wireName,
  format(() => withDefault(status.format.schema, () => 'processing'), status.format),
  status.origin,
  status.meaning,
)

export const cardRefId = field('card-ref-id', idOfReply, stated('2', '4'), 'The reference of a stored card.')
export const bin = replyField('bin', 'The first six digits of the card number.')
export const lastFourDigits = replyField('last-four-digits', 'The last four digits of the card number.')
export const cardType = replyField('card-type', 'The brand of the card, such as VISA.')
export const recurringPaymentId = field(
  'recurring-payment-id',
  idOfReply,
  stated('2', '4'),
  'The id of a recurring payment.',
)

/** The specification names the field `redirect_url` (part 2); the family writes it with hyphens (gaps part 13). */
export const redirectUrl = replyAddress('redirect-url', 'Where to send the customer.', 'redirect_url', 'redirect-to')
