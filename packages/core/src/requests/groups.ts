import * as browser from '../fields/browser.ts'
import * as card from '../fields/card.ts'
import * as order from '../fields/order.ts'
import * as payer from '../fields/payer.ts'
import * as receiver from '../fields/receiver.ts'
import { conditional, optional, required } from '../models/field.ts'

/** Groups of fields that several requests share (gaps part 3.1 and 3.2). */

/** An acquirer can make these required (gaps part 2.4), and public sources disagree; the library demands none. */
export const WHERE_ASKED_FOR = 'where the gateway asks for it'

const STATE_COUNTRIES = 'when country is US, CA or AU'

/** Which order, for whom. */
const orderGroup = () => ({
  clientOrderId: required(order.clientOrderId),
  orderDesc: required(order.orderDesc),
  purpose: optional(order.purpose),
  siteUrl: optional(order.siteUrl),
  merchantData: optional(order.merchantData),
})

/** Where the browser and the outcome go. */
const addressGroup = () => ({
  redirectUrl: optional(order.redirectUrl),
  redirectSuccessUrl: optional(order.redirectSuccessUrl),
  redirectFailUrl: optional(order.redirectFailUrl),
  serverCallbackUrl: optional(order.serverCallbackUrl),
  notifyUrl: optional(order.notifyUrl),
})

/** The payer group of sale, preauth, their forms and account verification. */
export const payerGroup = () => ({
  ...orderGroup(),
  firstName: optional(payer.firstName),
  lastName: optional(payer.lastName),
  ssn: optional(payer.ssn),
  birthday: optional(payer.birthday),
  address1: required(payer.address1),
  city: required(payer.city),
  state: conditional(payer.state, STATE_COUNTRIES),
  zipCode: required(payer.zipCode),
  country: required(payer.country),
  phone: required(payer.phone),
  cellPhone: optional(payer.cellPhone),
  email: required(payer.email),
  customerIp: required(payer.customerIp),
  ...addressGroup(),
  preferredLanguage: optional(order.preferredLanguage),
})

/** What is charged or moved. */
export const moneyGroup = () => ({
  amount: required(order.amount),
  currency: required(order.currency),
})

/** Money that may be left out: then the operation is for the whole (interface part 3, rules 2 and 5). */
export const partialMoneyGroup = () => ({
  amount: conditional(order.amount, 'with currency, for a part'),
  currency: conditional(order.currency, 'with amount, for a part'),
})

/** Money that can only be the whole, and need not be said (interface part 3, rule 3; gaps part 3.2). It is not signed. */
export const wholeMoneyGroup = () => ({
  amount: conditional(order.amount, 'with currency; only the whole'),
  currency: conditional(order.currency, 'with amount'),
})

const WITHOUT_REFERENCE = 'unless a card reference is given'

/** The card itself. */
const cardGroup = () => ({
  cardNumber: conditional(card.cardNumber, WITHOUT_REFERENCE),
  cardPrintedName: conditional(card.cardPrintedName, WITHOUT_REFERENCE),
  expireMonth: conditional(card.expireMonth, WITHOUT_REFERENCE),
  expireYear: conditional(card.expireYear, WITHOUT_REFERENCE),
  cvv2: conditional(card.cvv2, WITHOUT_REFERENCE),
})

/** The card itself, or what stands for it (gaps part 3.1 and 13). */
export const cardSourceGroup = () => ({
  ...cardGroup(),
  cardRefId: conditional(card.cardRefId, 'without card fields'),
  cardRecurringPaymentId: conditional(card.cardRecurringPaymentId, 'without card fields'),
})

export const WITH_BROWSER_INFO = 'when browserInfo is true'
const WITH_SCRIPT = 'when browserInfo and browserJavascriptEnabled are true'

export const browserGroup = () => ({
  browserInfo: optional(browser.browserInfo),
  browserAcceptHeader: conditional(browser.browserAcceptHeader, WITH_BROWSER_INFO),
  browserUserAgent: conditional(browser.browserUserAgent, WITH_BROWSER_INFO),
  browserJavascriptEnabled: conditional(browser.browserJavascriptEnabled, WITH_BROWSER_INFO),
  browserLanguage: conditional(browser.browserLanguage, WITH_BROWSER_INFO),
  browserJavaEnabled: conditional(browser.browserJavaEnabled, WITH_SCRIPT),
  browserColorDepth: conditional(browser.browserColorDepth, WITH_SCRIPT),
  browserScreenWidth: conditional(browser.browserScreenWidth, WITH_SCRIPT),
  browserScreenHeight: conditional(browser.browserScreenHeight, WITH_SCRIPT),
  browserTimeZone: conditional(browser.browserTimeZone, WITH_SCRIPT),
})

/** What names an order that exists: the merchant's login and both ids. */
export const originalOrderGroup = () => ({
  login: required(order.login),
  clientOrderId: required(order.clientOrderId),
  orderId: required(order.orderId),
})

/** What every payout and transfer carries besides its destination. */
export const payoutOrderGroup = () => ({
  clientOrderId: required(order.clientOrderId),
  ...moneyGroup(),
  orderDesc: optional(order.orderDesc),
  purpose: conditional(order.purpose, WHERE_ASKED_FOR),
  customerIp: conditional(payer.customerIp, WHERE_ASKED_FOR),
  merchantData: optional(order.merchantData),
  ...addressGroup(),
})

/** Personal fields of the payer that payouts and transfers may carry (interface part 2). */
export const personGroup = () => ({
  firstName: optional(payer.firstName),
  middleName: optional(payer.middleName),
  lastName: optional(payer.lastName),
  ssn: optional(payer.ssn),
  birthday: optional(payer.birthday),
  address1: optional(payer.address1),
  city: optional(payer.city),
  state: optional(payer.state),
  zipCode: optional(payer.zipCode),
  country: optional(payer.country),
  phone: optional(payer.phone),
  cellPhone: optional(payer.cellPhone),
  email: optional(payer.email),
})

/** The same for v4, which takes longer texts (gaps part 3.1). */
export const personGroupV4 = () => ({
  ...personGroup(),
  firstName: optional(payer.longer.firstName),
  middleName: optional(payer.longer.middleName),
  lastName: optional(payer.longer.lastName),
  city: optional(payer.longer.city),
  email: optional(payer.longer.email),
})

export const receiverGroup = () => ({
  receiverFirstName: optional(receiver.receiverFirstName),
  receiverMiddleName: optional(receiver.receiverMiddleName),
  receiverLastName: optional(receiver.receiverLastName),
  receiverPhone: optional(receiver.receiverPhone),
  receiverResident: optional(receiver.receiverResident),
  receiverDocumentSeries: optional(receiver.receiverDocumentSeries),
  receiverDocumentNumber: optional(receiver.receiverDocumentNumber),
  receiverDocumentId: optional(receiver.receiverDocumentId),
  receiverAddress1: optional(receiver.receiverAddress1),
  receiverCity: optional(receiver.receiverCity),
})

/** Where a payout goes: to a card, a bank account, a wallet, or by phone through a fast payment system. */
export const payoutDestinationGroup = () => ({
  cardNumber: conditional(card.cardNumber, 'for a payout to a card'),
  cardPrintedName: optional(card.cardPrintedName),
  expireMonth: optional(card.expireMonth),
  expireYear: optional(card.expireYear),
  destinationCardRefId: conditional(card.destinationCardRefId, 'for a payout to a stored card'),
  accountNumber: conditional(receiver.accountNumber, 'for a payout to a bank account'),
  bankName: optional(receiver.bankName),
  bankBranch: optional(receiver.bankBranch),
  bankProvince: optional(receiver.bankProvince),
  bankCity: optional(receiver.bankCity),
  routingNumber: optional(receiver.routingNumber),
  destinationWallet: conditional(receiver.destinationWallet, 'for a payout to a wallet'),
  destinationWalletType: optional(receiver.destinationWalletType),
})
