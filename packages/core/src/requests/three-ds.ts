import * as order from '../fields/order.ts'
import * as threeDs from '../fields/three-ds.ts'
import { optional, required } from '../models/field.ts'
import { defineModel } from '../models/model.ts'

/** Uploads of what the 3DS steps gave (interface part 4; gaps part 3.3). */

const uploadGroup = {
  login: required(order.login),
  clientOrderId: required(order.clientOrderIdHyphened),
  orderId: required(order.uploadedOrderId),
}

export const TdsCResResultRequest = defineModel({
  name: 'TdsCResResultRequest',
  meaning: 'Uploads the CRes at the end of a 3DS 2.x challenge.',
  fields: { ...uploadGroup, cRes: required(threeDs.cRes) },
})

export const TdsPaResResultRequest = defineModel({
  name: 'TdsPaResResultRequest',
  meaning: 'Uploads the PaRes of a 3DS 1.0.2 flow.',
  fields: { ...uploadGroup, paRes: required(threeDs.paRes), md: optional(threeDs.md) },
})

export const TdsMethodUrlResultRequest = defineModel({
  name: 'TdsMethodUrlResultRequest',
  meaning: 'Uploads the result of the 3DS method step.',
  fields: {
    ...uploadGroup,
    methodCompletion: required(threeDs.methodCompletion),
    threeDsServerTransId: optional(threeDs.threeDsServerTransId),
    browserAcceptHeader: optional(threeDs.browserAcceptHeader),
    browserIp: optional(threeDs.browserIp),
    browserJavaEnabled: optional(threeDs.browserJavaEnabled),
    browserJavascriptEnabled: optional(threeDs.browserJavascriptEnabled),
    browserLanguage: optional(threeDs.browserLanguage),
    browserColorDepth: optional(threeDs.browserColorDepth),
    browserScreenHeight: optional(threeDs.browserScreenHeight),
    browserScreenWidth: optional(threeDs.browserScreenWidth),
    browserTimeZone: optional(threeDs.browserTimeZone),
    browserUserAgent: optional(threeDs.browserUserAgent),
  },
})
