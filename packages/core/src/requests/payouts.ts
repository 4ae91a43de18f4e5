import * as card from '../fields/card.ts'
import * as order from '../fields/order.ts'
import * as payer from '../fields/payer.ts'
import * as receiver from '../fields/receiver.ts'
import { conditional, optional, required } from '../models/field.ts'
import {
  browserGroup,
  originalOrderGroup,
  payoutDestinationGroup,
  payoutOrderGroup,
  personGroup,
  personGroupV4,
  receiverGroup,
  WHERE_ASKED_FOR,
  WITH_BROWSER_INFO,
} from './groups.ts'
import { defineRequest } from './request-fields.ts'
import { browserRules, exactlyOne, payoutDestinationRule, requiredWith, transferSenderRule } from './rules.ts'

/** Requests that send money out (interface parts 2 and 4; gaps part 3.2 and 3.4). */

const payoutFields = () => ({
  ...payoutOrderGroup(),
  ...payoutDestinationGroup(),
  ...receiverGroup(),
  receiverPhone: conditional(receiver.receiverPhone, 'for a payout to a phone, unless phone is given'),
})

export const PayoutRequest = defineRequest({
  name: 'PayoutRequest',
  meaning: 'Sends funds of the merchant to a card, an account, a wallet or a phone.',
  fields: () => ({ ...payoutFields(), orderDesc: optional(order.payoutDesc), ...personGroup() }),
  rules: [payoutDestinationRule],
})

export const PayoutCheckRequest = defineRequest({
  name: 'PayoutCheckRequest',
  meaning: 'Validates the receiver and registers the payout without releasing funds.',
  fields: () => ({ ...payoutFields(), ...personGroupV4() }),
  rules: [payoutDestinationRule],
})

export const PayoutFormRequest = defineRequest({
  name: 'PayoutFormRequest',
  meaning: 'Opens a hosted page that asks the receiver for the destination.',
  fields: () => ({
    ...payoutOrderGroup(),
    orderDesc: conditional(order.orderDesc, WHERE_ASKED_FOR),
    redirectUrl: required(order.redirectUrl),
    preferredLanguage: optional(order.preferredLanguage),
    ...personGroup(),
    ...receiverGroup(),
  }),
})

/** Not a schema of the specification: it shows no field of payout-pay. */
export const PayoutPayRequest = defineRequest({
  name: 'PayoutPayRequest',
  origin: 'filled in',
  meaning: 'Confirms and executes a payout that was checked.',
  fields: originalOrderGroup,
})

/** Who pays for a transfer: a card, what stands for it, or the merchant's deposit. */
const senderGroup = () => ({
  cardNumber: conditional(card.cardNumber, 'without another sender'),
  cardPrintedName: conditional(card.cardPrintedName, 'with cardNumber'),
  expireMonth: conditional(card.expireMonth, 'with cardNumber'),
  expireYear: conditional(card.expireYear, 'with cardNumber'),
  cvv2: optional(card.cvv2),
  cardRecurringPaymentId: conditional(card.cardRecurringPaymentId, 'without another sender'),
  depositToCard: conditional(order.depositToCard, 'without another sender'),
})

/** Not a schema of the specification: it lists the fields (part 2). Six kinds, by sender and receiver. */
export const TransferRequest = defineRequest({
  name: 'TransferRequest',
  origin: 'filled in',
  meaning: 'Moves funds from a card or a deposit to a card.',
  fields: () => ({
    ...payoutOrderGroup(),
    customerIp: conditional(payer.customerIp, WITH_BROWSER_INFO),
    ...senderGroup(),
    destinationCardNumber: conditional(card.destinationCardNumber, 'without another destination'),
    destinationCardRefId: conditional(card.destinationCardRefId, 'without another destination'),
    destinationCardRecurringPaymentId: conditional(
      card.destinationCardRecurringPaymentId,
      'without another destination',
    ),
    ...browserGroup(),
    ...personGroupV4(),
    ...receiverGroup(),
  }),
  rules: [
    transferSenderRule,
    requiredWith('cardNumber', 'cardPrintedName', 'expireMonth', 'expireYear'),
    exactlyOne('destinationCardNumber', 'destinationCardRefId', 'destinationCardRecurringPaymentId'),
    ...browserRules,
  ],
})

/** Not a schema of the specification: a signing example shows its fields. The login is in the OAuth header alone. */
export const TransferByRefRequest = defineRequest({
  name: 'TransferByRefRequest',
  origin: 'filled in',
  meaning: "Moves funds from the merchant's deposit to a card or a stored card.",
  fields: () => ({
    ...payoutOrderGroup(),
    clientOrderId: required(order.clientOrderIdHyphened),
    destinationCardNumber: conditional(card.destinationCardNumber, 'without destinationCardRefId'),
    destinationCardRefId: conditional(card.destinationCardRefId, 'without destinationCardNumber'),
  }),
  rules: [exactlyOne('destinationCardNumber', 'destinationCardRefId')],
})
