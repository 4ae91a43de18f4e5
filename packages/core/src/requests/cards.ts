import * as card from '../fields/card.ts'
import * as order from '../fields/order.ts'
import { conditional, optional, required } from '../models/field.ts'
import { originalOrderGroup } from './groups.ts'
import { defineRequest } from './request-fields.ts'
import { exactlyOne, requiredWith } from './rules.ts'

/** Requests about stored cards (interface part 4; gaps part 3.2 and 3.4). */

export const CreateCardRefRequest = defineRequest({
  name: 'CreateCardRefRequest',
  meaning: 'Turns the card of a paid order into a reference.',
  fields: originalOrderGroup,
})

export const CreateCardRefV4Request = defineRequest({
  name: 'CreateCardRefV4Request',
  meaning: 'Turns the card of a paid order into a reference.',
  fields: originalOrderGroup,
})

export const GetCardInfoRequest = defineRequest({
  name: 'GetCardInfoRequest',
  meaning: 'Asks for the BIN, the brand, the masked number and the expiry of a stored card.',
  fields: () => ({ login: required(order.login), cardRefId: required(card.cardRefId) }),
})

/** Not a schema of the specification: it shows two of the fields in a signing example. */
export const PanEligibilitySendRequest = defineRequest({
  name: 'PanEligibilitySendRequest',
  origin: 'filled in',
  meaning: 'Asks whether a card can send a transfer.',
  fields: () => ({
    clientOrderId: required(order.clientOrderIdHyphened),
    sendingCardRefId: conditional(card.sendingCardRefId, 'without a card number'),
    sendingCardNumber: conditional(card.sendingCardNumber, 'without a card reference'),
    cardPrintedName: conditional(card.hyphened.cardPrintedName, 'with sendingCardNumber'),
    expireMonth: conditional(card.hyphened.expireMonth, 'with sendingCardNumber'),
    expireYear: conditional(card.hyphened.expireYear, 'with sendingCardNumber'),
    serverCallbackUrl: optional(order.serverCallbackUrl),
  }),
  rules: [
    exactlyOne('sendingCardRefId', 'sendingCardNumber'),
    requiredWith('sendingCardNumber', 'cardPrintedName', 'expireMonth', 'expireYear'),
  ],
})
