import * as card from '../fields/card.ts'
import * as order from '../fields/order.ts'
import * as payer from '../fields/payer.ts'
import * as schedule from '../fields/schedule.ts'
import { conditional, optional, required } from '../models/field.ts'
import { defineModel } from '../models/model.ts'
import {
  browserGroup,
  cardSourceGroup,
  moneyGroup,
  originalOrderGroup,
  partialMoneyGroup,
  payerGroup,
  WHERE_ASKED_FOR,
} from './groups.ts'
import { browserRules, cardSourceRules, partialMoneyRule, stateRule } from './rules.ts'

/** Requests that take, hold, release and give back money (interface part 4; gaps part 3.2). */

const directPayment = {
  fields: { ...payerGroup, ...moneyGroup, ...cardSourceGroup, ...browserGroup, dapiImei: optional(order.dapiImei) },
  rules: [stateRule, ...cardSourceRules, ...browserRules],
}

/** Hosted forms: no card fields, and the browser has to come back somewhere. */
const formFields = {
  ...payerGroup,
  firstName: conditional(payer.firstName, WHERE_ASKED_FOR),
  lastName: conditional(payer.lastName, WHERE_ASKED_FOR),
  redirectUrl: required(order.redirectUrl),
  preferredLanguage: optional(order.preferredLanguage),
}

/** A verification does not need the payer's telephone number (gaps part 3.2). */
const verificationPhone = { phone: optional(payer.phone) }
const formPayment = { fields: { ...formFields, ...moneyGroup }, rules: [stateRule] }

export const SaleRequest = defineModel({
  name: 'SaleRequest',
  meaning: 'Authorizes and captures in one step.',
  ...directPayment,
})

export const AuthRequest = defineModel({
  name: 'AuthRequest',
  meaning: 'Holds funds until they are captured or released.',
  ...directPayment,
})

export const SaleFormRequest = defineModel({
  name: 'SaleFormRequest',
  meaning: 'Opens a hosted page for a sale.',
  ...formPayment,
})

export const AuthFormRequest = defineModel({
  name: 'AuthFormRequest',
  meaning: 'Opens a hosted page for a preauth.',
  ...formPayment,
})

export const PaymentFormRequest = defineModel({
  name: 'PaymentFormRequest',
  meaning: 'Opens the universal hosted page.',
  ...formPayment,
})

export const AccountVerificationRequest = defineModel({
  name: 'AccountVerificationRequest',
  meaning: 'Verifies a card by an authorization of zero.',
  fields: { ...payerGroup, ...verificationPhone, ...cardSourceGroup, ...browserGroup },
  rules: [stateRule, ...cardSourceRules, ...browserRules],
})

export const AccountVerificationFormRequest = defineModel({
  name: 'AccountVerificationFormRequest',
  meaning: 'Opens a hosted page that verifies a card.',
  fields: { ...formFields, ...verificationPhone },
  rules: [stateRule],
})

export const CaptureRequest = defineModel({
  name: 'CaptureRequest',
  meaning: 'Takes funds that a preauth holds.',
  fields: { ...originalOrderGroup, ...partialMoneyGroup },
  rules: [partialMoneyRule],
})

export const VoidRequest = defineModel({
  name: 'VoidRequest',
  meaning: 'Cancels what is authorized and not settled; always in full.',
  fields: { ...originalOrderGroup, comment: conditional(order.comment, WHERE_ASKED_FOR) },
})

export const ReturnRequest = defineModel({
  name: 'ReturnRequest',
  meaning: 'Gives funds back, or releases a hold.',
  fields: { ...originalOrderGroup, ...partialMoneyGroup, comment: conditional(order.comment, WHERE_ASKED_FOR) },
  rules: [partialMoneyRule],
})

export const RebillRequest = defineModel({
  name: 'RebillRequest',
  meaning: 'Charges a stored card while its holder is absent.',
  fields: {
    login: required(order.login),
    clientOrderId: required(order.clientOrderId),
    cardRefId: required(card.cardRefId),
    ...moneyGroup,
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
  },
})

export const StatusRequest = defineModel({
  name: 'StatusRequest',
  meaning: 'Asks what became of an order.',
  fields: {
    ...originalOrderGroup,
    orderId: conditional(order.orderId, 'when it is known'),
    byRequestSn: optional(order.byRequestSn),
  },
})
