import * as card from '../fields/card.ts'
import * as order from '../fields/order.ts'
import * as payer from '../fields/payer.ts'
import * as schedule from '../fields/schedule.ts'
import { conditional, optional, required } from '../models/field.ts'
import {
  browserGroup,
  cardSourceGroup,
  moneyGroup,
  originalOrderGroup,
  partialMoneyGroup,
  payerGroup,
  WHERE_ASKED_FOR,
  wholeMoneyGroup,
} from './groups.ts'
import { defineRequest } from './request-fields.ts'
import { browserRules, cardSourceRules, moneyTogetherRule, stateRule } from './rules.ts'

/** Requests that charge, hold, release and refund money (interface part 4; gaps part 3.2). */

const directPayment = {
  fields: () => ({
    ...payerGroup(),
    ...moneyGroup(),
    ...cardSourceGroup(),
    ...browserGroup(),
    dapiImei: optional(order.dapiImei),
  }),
  rules: [stateRule, ...cardSourceRules, ...browserRules],
}

/** Hosted forms: no card fields, and the browser has to come back somewhere. */
const formFields = () => ({
  ...payerGroup(),
  firstName: conditional(payer.firstName, WHERE_ASKED_FOR),
  lastName: conditional(payer.lastName, WHERE_ASKED_FOR),
  redirectUrl: required(order.redirectUrl),
})

/** A verification does not need the payer's telephone number (gaps part 3.2). */
const verificationPhone = { phone: optional(payer.phone) }
const formPayment = { fields: () => ({ ...formFields(), ...moneyGroup() }), rules: [stateRule] }

export const SaleRequest = defineRequest({
  name: 'SaleRequest',
  meaning: 'Authorizes and captures in one step.',
  ...directPayment,
})

export const AuthRequest = defineRequest({
  name: 'AuthRequest',
  meaning: 'Holds funds until they are captured or released.',
  ...directPayment,
})

export const SaleFormRequest = defineRequest({
  name: 'SaleFormRequest',
  meaning: 'Opens a hosted page for a sale.',
  ...formPayment,
})

export const AuthFormRequest = defineRequest({
  name: 'AuthFormRequest',
  meaning: 'Opens a hosted page for a preauth.',
  ...formPayment,
})

export const PaymentFormRequest = defineRequest({
  name: 'PaymentFormRequest',
  meaning: 'Opens the universal hosted page.',
  ...formPayment,
})

export const AccountVerificationRequest = defineRequest({
  name: 'AccountVerificationRequest',
  meaning: 'Verifies a card by an authorization of zero.',
  fields: () => ({ ...payerGroup(), ...verificationPhone, ...cardSourceGroup(), ...browserGroup() }),
  rules: [stateRule, ...cardSourceRules, ...browserRules],
})

export const AccountVerificationFormRequest = defineRequest({
  name: 'AccountVerificationFormRequest',
  meaning: 'Opens a hosted page that verifies a card.',
  fields: () => ({ ...formFields(), ...verificationPhone }),
  rules: [stateRule],
})

export const CaptureRequest = defineRequest({
  name: 'CaptureRequest',
  meaning: 'Takes funds that a preauth holds.',
  fields: () => ({ ...originalOrderGroup(), ...partialMoneyGroup() }),
  rules: [moneyTogetherRule],
})

export const VoidRequest = defineRequest({
  name: 'VoidRequest',
  meaning: 'Cancels what is authorized and not settled; always in full.',
  fields: () => ({
    ...originalOrderGroup(),
    ...wholeMoneyGroup(),
    comment: conditional(order.comment, WHERE_ASKED_FOR),
  }),
  rules: [moneyTogetherRule],
})

export const ReturnRequest = defineRequest({
  name: 'ReturnRequest',
  meaning: 'Gives funds back, or releases a hold.',
  fields: () => ({
    ...originalOrderGroup(),
    ...partialMoneyGroup(),
    comment: conditional(order.comment, WHERE_ASKED_FOR),
  }),
  rules: [moneyTogetherRule],
})

export const RebillRequest = defineRequest({
  name: 'RebillRequest',
  meaning: 'Charges a stored card while its holder is absent.',
  fields: () => ({
    login: required(order.login),
    clientOrderId: required(order.clientOrderId),
    cardRefId: required(card.cardRefId),
    ...moneyGroup(),
    orderDesc: conditional(order.orderDesc, WHERE_ASKED_FOR),
    customerIp: conditional(payer.customerIp, WHERE_ASKED_FOR),
    enumerateAmounts: optional(schedule.enumerateAmounts),
    recurrentScenario: optional(order.recurrentScenario),
    comment: optional(order.comment),
    cvv2: optional(card.cvv2),
    redirectUrl: optional(order.redirectUrl),
    serverCallbackUrl: optional(order.serverCallbackUrl),
    notifyUrl: optional(order.notifyUrl),
    merchantData: optional(order.merchantData),
  }),
})

export const StatusRequest = defineRequest({
  name: 'StatusRequest',
  meaning: 'Asks what became of an order.',
  fields: () => ({
    ...originalOrderGroup(),
    orderId: conditional(order.orderId, 'when it is known'),
    byRequestSn: optional(order.byRequestSn),
  }),
})
