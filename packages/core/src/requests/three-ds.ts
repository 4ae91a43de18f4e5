import * as order from '../fields/order.ts'
import * as threeDs from '../fields/three-ds.ts'
import { optional, required } from '../models/field.ts'
import { modelsOf } from '../models/model.ts'
import { defineRequest, type RequestFields } from './request-fields.ts'

/** Uploads of what the 3DS steps gave (interface part 4; gaps part 3.3). */

const uploadGroup = () => ({
  login: required(order.login),
  clientOrderId: required(order.clientOrderIdHyphened),
  orderId: required(order.uploadedOrderId),
})

export const TdsCResResultRequest = defineRequest({
  name: 'TdsCResResultRequest',
  meaning: 'Uploads the CRes at the end of a 3DS 2.x challenge.',
  fields: () => ({ ...uploadGroup(), cRes: required(threeDs.cRes) }),
})

export const TdsPaResResultRequest = defineRequest({
  name: 'TdsPaResResultRequest',
  meaning: 'Uploads the PaRes of a 3DS 1.0.2 flow.',
  fields: () => ({ ...uploadGroup(), paRes: required(threeDs.paRes), md: optional(threeDs.md) }),
})

/** The fields of an upload, whose colour depth is any number of bits. */
export interface MethodUrlFields extends Omit<RequestFields, 'browserColorDepth'> {
  readonly browserColorDepth: string
}

export const TdsMethodUrlResultRequest = modelsOf<MethodUrlFields>()({
  name: 'TdsMethodUrlResultRequest',
  meaning: 'Uploads the result of the 3DS method step.',
  fields: () => ({
    ...uploadGroup(),
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
  }),
})
