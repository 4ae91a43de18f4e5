import type { AmountText } from '../models/formats.ts'
import { modelsOf } from '../models/model.ts'
import type { Cvv, Payload } from '../sensitive/masked.ts'
import type { Pan } from '../sensitive/pan.ts'

/**
 * What a caller passes for the fields of requests. The compiler compares it with the formats of the fields, and the build
 * writes the catalogue's description above each, so that an editor shows it.
 */
export interface RequestFields {
  readonly login: string
  readonly clientOrderId: string
  readonly orderId: string
  readonly cRes: string
  readonly methodCompletion: 'Y' | 'N' | 'U'
  readonly threeDsServerTransId: string
  readonly browserAcceptHeader: string
  readonly browserIp: string
  readonly browserJavaEnabled: boolean | 'true' | 'false'
  readonly browserJavascriptEnabled: boolean | 'true' | 'false'
  readonly browserLanguage: string
  readonly browserColorDepth: '1' | '4' | '8' | '15' | '16' | '24' | '32' | '48'
  readonly browserScreenHeight: string
  readonly browserScreenWidth: string
  readonly browserTimeZone: string | number
  readonly browserUserAgent: string
  readonly paRes: string
  readonly md: string
  readonly orderDesc: string
  readonly purpose: string
  readonly siteUrl: string
  readonly merchantData: string
  readonly redirectUrl: string
  readonly redirectSuccessUrl: string
  readonly redirectFailUrl: string
  readonly serverCallbackUrl: string
  readonly notifyUrl: string
  readonly firstName: string
  readonly lastName: string
  readonly ssn: string
  readonly birthday: string
  readonly address1: string
  readonly city: string
  readonly state: string
  readonly zipCode: string
  readonly country: string
  readonly phone: string
  readonly cellPhone: string
  readonly email: string
  readonly customerIp: string
  readonly amount: AmountText
  readonly currency: string
  readonly cardNumber: string | Pan
  readonly cardPrintedName: string
  readonly expireMonth: string | number
  readonly expireYear: string | number
  readonly cvv2: string | Cvv
  readonly cardRefId: string
  readonly cardRecurringPaymentId: string
  readonly browserInfo: boolean | 'true' | 'false'
  readonly dapiImei: string
  readonly preferredLanguage: string
  readonly comment: string
  readonly enumerateAmounts: string
  readonly recurrentScenario: 'REGULAR' | 'IRREGULAR'
  readonly byRequestSn: string
  readonly middleName: string
  readonly receiverFirstName: string
  readonly receiverMiddleName: string
  readonly receiverLastName: string
  readonly receiverPhone: string
  readonly receiverResident: boolean | 'true' | 'false'
  readonly receiverDocumentSeries: string
  readonly receiverDocumentNumber: string
  readonly receiverDocumentId: string
  readonly receiverAddress1: string
  readonly receiverCity: string
  readonly destinationCardRefId: string
  readonly accountNumber: string
  readonly bankName: string
  readonly bankBranch: string
  readonly bankProvince: string
  readonly bankCity: string
  readonly routingNumber: string
  readonly destinationWallet: string
  readonly destinationWalletType: string
  readonly recurringCardType: 'SRC' | 'DST'
  readonly endpoint: string
  readonly amountFrom: AmountText
  readonly amountTo: AmountText
  readonly amountSequence: string
  readonly interval: string | number
  readonly period: 'day' | 'week' | 'month' | 'year'
  readonly startDate: string
  readonly finishDate: string
  readonly sendingCardRefId: string
  readonly sendingCardNumber: string | Pan
  readonly depositToCard: boolean | 'true' | 'false'
  readonly destinationCardNumber: string | Pan
  readonly destinationCardRecurringPaymentId: string
  readonly recurringPaymentId: string
  readonly recurringPaymentState: 'active' | 'stopped'
  readonly payload: string | Payload
}

export const defineRequest = modelsOf<RequestFields>()
