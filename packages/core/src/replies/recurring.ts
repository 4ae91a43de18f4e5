import * as reply from '../fields/reply.ts'
import { type Field, field, filledIn, optional, required } from '../models/field.ts'
import { anyText, idOfReply } from '../models/reply-formats.ts'
import { envelope } from './cards.ts'
import { defineReply } from './reply-fields.ts'

/** Replies about recurring payments (gaps part 4 for their creation, part 14 for all else). */

export const CreateRecurringPaymentResponse = defineReply({
  name: 'CreateRecurringPaymentResponse',
  meaning: 'The recurring payment was created.',
  fields: () => ({
    ...envelope(),
    status: optional(reply.status),
    recurringPaymentId: required(reply.recurringPaymentId),
  }),
})

/** The status is "not a transaction status" on one page and "see Status List" on others (conflict N3): it is no outcome. */
export const ProcessRecurringPaymentResponse = defineReply({
  name: 'ProcessRecurringPaymentResponse',
  origin: 'filled in',
  meaning: 'The charge was started; its outcome follows by status and callback.',
  fields: () => ({
    ...envelope(),
    clientOrderId: optional(reply.clientOrderId),
    endpointId: optional(reply.endpointId),
    orderId: optional(reply.orderId),
    status: optional(reply.status),
  }),
})

export const UpdateRecurringPaymentResponse = defineReply({
  name: 'UpdateRecurringPaymentResponse',
  origin: 'filled in',
  meaning: 'The recurring payment was changed.',
  fields: () => ({ ...envelope(), status: optional(reply.status) }),
})

export const RecurringPaymentRowsResponse = defineReply({
  name: 'RecurringPaymentRowsResponse',
  origin: 'filled in',
  meaning: 'The rows were carried out, each by itself.',
  fields: () => ({
    ...envelope(),
    status: optional(reply.status),
    payload: optional(
      ours('payload', 'What became of each row, as comma-separated values: `recurringResults` reads them.'),
    ),
  }),
})

export const RecurringPaymentResponse = defineReply({
  name: 'RecurringPaymentResponse',
  origin: 'filled in',
  meaning: 'A recurring payment, and the days on which it will charge.',
  fields: () => ({
    ...envelope(),
    recurringPaymentId: required(reply.recurringPaymentId),
    clientOrderId: optional(reply.clientOrderId),
    recurringPaymentState: required(
      field('recurring-payment-state', idOfReply, filledIn('14'), '`active`, `stopped` or `finished`.'),
    ),
    currency: optional(field('currency', idOfReply, filledIn('14'), 'The currency by its ISO 4217 letters.')),
    amount: optional(ours('amount', 'What each charge takes, if that is fixed.')),
    amountFrom: optional(ours('amount-from', 'The least that a charge takes.')),
    amountTo: optional(ours('amount-to', 'The most that a charge takes.')),
    amountSequence: optional(ours('amount-sequence', 'The amounts of the charges in their order.')),
    interval: optional(ours('interval', 'How many periods lie between two charges.')),
    period: optional(ours('period', 'The unit of the time between two charges.')),
    startDate: optional(ours('start-date', 'The day from which the schedule counts.')),
    finishDate: optional(ours('finish-date', 'The day after which nothing is charged.')),
    bin: optional(reply.bin),
    lastFourDigits: optional(reply.lastFourDigits),
    comingCharges: optional(
      ours('coming-charges', 'The days of the next charges, twelve at most, separated by commas.'),
    ),
  }),
})

function ours(wireName: string, meaning: string): Field<string, string> {
  return field(wireName, anyText, filledIn('14'), meaning)
}
