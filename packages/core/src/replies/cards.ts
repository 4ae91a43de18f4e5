import * as reply from '../fields/reply.ts'
import { field, filledIn, optional, required } from '../models/field.ts'
import { anyText } from '../models/reply-formats.ts'
import { defineReply } from './reply-fields.ts'

/** Replies about stored cards (gaps part 4 and 13). */

/** What every reply about something stored may have. */
export const envelope = () => ({
  type: required(reply.type),
  serialNumber: optional(reply.serialNumber),
  errorMessage: optional(reply.errorMessage),
  errorCode: optional(reply.errorCode),
})

export const CardRefAsyncResponse = defineReply({
  name: 'CardRefAsyncResponse',
  meaning: 'The reference of the card.',
  fields: () => ({ ...envelope(), status: optional(reply.status), cardRefId: required(reply.cardRefId) }),
})

export const CardRefV4AsyncResponse = defineReply({
  name: 'CardRefV4AsyncResponse',
  meaning: 'The references of the card, and the tokens that stand for it.',
  fields: () => ({
    ...envelope(),
    cardRefId: required(reply.cardRefId),
    uniqueCardRefId: optional(reply.replyId('unq-card-ref-id', 'One id for each card number, whoever pays.')),
    recurringPaymentId: optional(reply.recurringPaymentId),
    destinationCardRefId: optional(reply.replyId('dst-card-ref-id', 'The reference of the card that receives.')),
    destinationRecurringPaymentId: optional(
      reply.replyId('dst-recurring-payment-id', 'The token of the card that receives.'),
    ),
  }),
})

export const CardInfoAsyncResponse = defineReply({
  name: 'CardInfoAsyncResponse',
  meaning: 'The BIN, the brand, the masked number and the expiry of a stored card.',
  fields: () => ({
    ...envelope(),
    bin: required(reply.bin),
    lastFourDigits: required(reply.lastFourDigits),
    expireMonth: optional(reply.replyField('expire-month', 'The month in which the card expires.')),
    expireYear: optional(reply.replyField('expire-year', 'The year in which the card expires.')),
    cardPrintedName: optional(reply.replyField('card-printed-name', 'The name printed on the card.')),
    cardType: optional(reply.cardType),
    maskedPan: optional(field('masked-pan', anyText, filledIn('13'), 'The card number with its middle hidden.')),
    result3d: optional(reply.replyField('result-3d', 'How 3DS went for this card.')),
  }),
})
