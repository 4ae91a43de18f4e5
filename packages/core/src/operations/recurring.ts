import {
  CreateRecurringPaymentResponse,
  ProcessRecurringPaymentResponse,
  RecurringPaymentResponse,
  RecurringPaymentRowsResponse,
  UpdateRecurringPaymentResponse,
} from '../replies/recurring.ts'
import {
  RecurringPaymentForCreation,
  RecurringPaymentForProcessing,
  RecurringPaymentForReading,
  RecurringPaymentForUpdate,
  RecurringPaymentRows,
} from '../requests/recurring.ts'
import { defineOperation, oauth } from './operation.ts'

/** Recurring payments (interface part 4; gaps part 14). No group can be addressed: pages print an endpoint alone. */

const ofV4 = { groupAddress: 'none', auth: oauth('RSA-SHA256', 'filled in'), nameOrigin: 'filled in' } as const

/** Defines a schedule of charges. Answered synchronously; a group cannot be addressed (gaps part 1). */
export const createRecurringPayment = defineOperation({
  name: 'CREATE_RP_V4',
  path: '/api/v4/create-recurring-payment',
  groupAddress: 'none',
  request: RecurringPaymentForCreation,
  reply: CreateRecurringPaymentResponse,
  auth: oauth('RSA-SHA256'),
  effect: 'stores-card',
  meaning: 'Defines a schedule, an amount and a card, and gives the id of the recurring payment.',
})

/** Charges now. The specification names it without a path: "for later process and update calls". */
export const processRecurringPayment = defineOperation({
  ...ofV4,
  name: 'PROCESS_RP_V4',
  path: '/api/v4/process-recurring-payment',
  request: RecurringPaymentForProcessing,
  reply: ProcessRecurringPaymentResponse,
  effect: 'moves-money',
  meaning: 'Charges a recurring payment now, with its stored card: an order of its own.',
})

export const updateRecurringPayment = defineOperation({
  ...ofV4,
  name: 'UPDATE_RP_V4',
  path: '/api/v4/update-recurring-payment',
  request: RecurringPaymentForUpdate,
  reply: UpdateRecurringPaymentResponse,
  effect: 'stores-card',
  meaning: 'Changes the card, the amount, the schedule or the payer of a recurring payment: later charges use them.',
})

export const createRecurringPayments = defineOperation({
  ...ofV4,
  name: 'CREATE_RPS_V4',
  path: '/api/v4/create-recurring-payments',
  request: RecurringPaymentRows,
  reply: RecurringPaymentRowsResponse,
  effect: 'stores-card',
  meaning: 'Defines a recurring payment for each row.',
})

export const processRecurringPayments = defineOperation({
  ...ofV4,
  name: 'PROCESS_RPS_V4',
  path: '/api/v4/process-recurring-payments',
  request: RecurringPaymentRows,
  reply: RecurringPaymentRowsResponse,
  effect: 'moves-money',
  meaning: 'Charges the recurring payment of each row now.',
})

export const updateRecurringPayments = defineOperation({
  ...ofV4,
  name: 'UPDATE_RPS_V4',
  path: '/api/v4/update-recurring-payments',
  request: RecurringPaymentRows,
  reply: RecurringPaymentRowsResponse,
  effect: 'stores-card',
  meaning: 'Changes the recurring payment of each row.',
})

/** An extension of ours: pages of the family say that a recurring payment can be seen in the gateway's own pages alone. */
export const getRecurringPayment = defineOperation({
  ...ofV4,
  name: 'GET_RP_V4',
  path: '/api/v4/get-recurring-payment',
  request: RecurringPaymentForReading,
  reply: RecurringPaymentResponse,
  effect: 'reads',
  meaning:
    'Reads a recurring payment and its coming charges: an extension of ours, off unless the profile has `recurringExtensions`.',
})
