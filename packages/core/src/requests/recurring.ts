import * as card from '../fields/card.ts'
import * as order from '../fields/order.ts'
import * as payer from '../fields/payer.ts'
import * as schedule from '../fields/schedule.ts'
import { conditional, optional, required } from '../models/field.ts'
import { defineRequest } from './request-fields.ts'
import { atMostOne, datesInOrderRule, exactlyOne, requiredWhen, together } from './rules.ts'

/** Recurring payments of v4: interface part 4, gaps part 3.4 for one that is created, gaps part 14 for all else. */

const scheduleGroup = () => ({
  interval: conditional(schedule.interval, 'with period'),
  period: conditional(schedule.period, 'with interval'),
  startDate: optional(schedule.startDate),
  finishDate: optional(schedule.finishDate),
})

export const RecurringPaymentForCreation = defineRequest({
  name: 'RecurringPaymentForCreation',
  meaning: 'Defines what is charged when, on which card.',
  fields: () => ({
    recurringCardType: required(card.recurringCardType),
    clientOrderId: required(order.clientOrderIdRecurring),
    login: required(order.login),
    endpoint: optional(order.endpoint),
    orderDesc: optional(order.orderDesc),
    cardNumber: required(card.hyphened.cardNumber),
    cvv2: optional(card.cvv2),
    cardPrintedName: conditional(card.hyphened.cardPrintedName, 'when recurringCardType is SRC'),
    expireMonth: conditional(card.hyphened.expireMonth, 'when recurringCardType is SRC'),
    expireYear: conditional(card.hyphened.expireYear, 'when recurringCardType is SRC'),
    currency: required(order.currency),
    ...optionalPayer(),
    amount: conditional(order.amount, 'unless a range or a sequence is given'),
    amountFrom: conditional(schedule.amountFrom, 'with amountTo'),
    amountTo: conditional(schedule.amountTo, 'with amountFrom'),
    amountSequence: conditional(schedule.amountSequence, 'unless an amount or a range is given'),
    ...scheduleGroup(),
    serverCallbackUrl: optional(order.serverCallbackUrl),
  }),
  rules: [
    requiredWhen('recurringCardType', ['SRC'], ['cardPrintedName', 'expireMonth', 'expireYear']),
    exactlyOne('amount', 'amountFrom', 'amountSequence'),
    together('amountFrom', 'amountTo'),
    together('interval', 'period'),
    datesInOrderRule,
  ],
})

function optionalPayer() {
  const { firstName, lastName, address1, city, state, zipCode, country, phone, email, customerIp } = payer.recurring
  return {
    firstName: optional(firstName),
    lastName: optional(lastName),
    address1: optional(address1),
    city: optional(city),
    state: optional(state),
    zipCode: optional(zipCode),
    country: optional(country),
    phone: optional(phone),
    email: optional(email),
    customerIp: optional(customerIp),
  }
}

/**
 * Not a schema of the specification, which names the call alone ("for later process and update calls"). Older pages list the login
 * and the endpoint as well: neither is asked for, and a client sends them only by `recurringLogin` of the profile (conflict N1).
 */
export const RecurringPaymentForProcessing = defineRequest({
  name: 'RecurringPaymentForProcessing',
  origin: 'filled in',
  meaning: 'Charges a recurring payment now.',
  fields: () => ({
    clientOrderId: required(order.clientOrderIdRecurring),
    recurringPaymentId: required(schedule.recurringPaymentId),
    amount: conditional(order.amount, 'unless the recurring payment has an amount of its own'),
    currency: optional(order.currency),
    orderDesc: optional(order.orderDesc),
    ...optionalPayer(),
  }),
})

/** Not a schema of the specification, which names the call alone. What is left out stays as it is. */
export const RecurringPaymentForUpdate = defineRequest({
  name: 'RecurringPaymentForUpdate',
  origin: 'filled in',
  meaning: 'Changes the card, the amount, the schedule or the payer of a recurring payment.',
  fields: () => ({
    clientOrderId: required(order.clientOrderIdRecurring),
    recurringPaymentId: required(schedule.recurringPaymentId),
    cardNumber: conditional(card.hyphened.cardNumber, 'with cardPrintedName'),
    cardPrintedName: conditional(card.hyphened.cardPrintedName, 'with cardNumber'),
    expireMonth: conditional(card.hyphened.expireMonth, 'with cardNumber'),
    expireYear: conditional(card.hyphened.expireYear, 'with cardNumber'),
    ...optionalPayer(),
    amount: optional(order.amount),
    amountFrom: conditional(schedule.amountFrom, 'with amountTo'),
    amountTo: conditional(schedule.amountTo, 'with amountFrom'),
    amountSequence: optional(schedule.amountSequence),
    ...scheduleGroup(),
    recurringPaymentState: optional(schedule.recurringPaymentState),
  }),
  rules: [
    together('cardNumber', 'cardPrintedName', 'expireMonth', 'expireYear'),
    atMostOne('amount', 'amountFrom', 'amountSequence'),
    together('amountFrom', 'amountTo'),
    together('interval', 'period'),
    datesInOrderRule,
  ],
})

/** The rows of a plural form. Older pages have the fields of one row in its place, which is read as well (conflict N2). */
export const RecurringPaymentRows = defineRequest({
  name: 'RecurringPaymentRows',
  origin: 'filled in',
  meaning: 'Does for each row what the operation of the same name without the plural does.',
  fields: () => ({ payload: conditional(schedule.payload, 'unless the fields of a single row are there instead') }),
})

/** An extension of ours: no public page has a call that reads a recurring payment. */
export const RecurringPaymentForReading = defineRequest({
  name: 'RecurringPaymentForReading',
  origin: 'filled in',
  meaning: 'Reads a recurring payment by its id, or by the client order id of its creation.',
  fields: () => ({
    recurringPaymentId: conditional(schedule.recurringPaymentId, 'without clientOrderId'),
    clientOrderId: conditional(order.clientOrderIdRecurring, 'without recurringPaymentId'),
  }),
  rules: [exactlyOne('recurringPaymentId', 'clientOrderId')],
})
