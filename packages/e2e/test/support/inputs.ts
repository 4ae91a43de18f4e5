import { type OperationKey, type RequestInput, recurringRows } from '@tallystick/core'
import { cards, saleInput } from '@tallystick/testing'

const card = cards.approved
const payerWithoutMoney = {
  clientOrderId: 'form-77-a',
  orderDesc: 'A tally stick of hazel, 8" & more',
  address1: '100 Main st',
  city: 'Zürich',
  zipCode: '8001',
  country: 'CH',
  phone: '+41 44 123 4567',
  email: 'john.smith@example.com',
  customerIp: '2001:db8::1',
}
const redirectUrl = 'https://shop.example.com/return'
const original = { clientOrderId: 'inv-77-a', orderId: '123456789012345' }
const money = { amount: '34.00', currency: 'USD' }
const payer = { ...payerWithoutMoney, ...money }

const recurringPaymentId = '123456789012345'

/** A valid request of every operation: what a shop would write. */
export const inputs: { readonly [K in OperationKey]: RequestInput<K> } = {
  uploadCresResult: { ...original, cRes: 'eyJtZXNzYWdlVHlwZSI6IkNSZXMifQ' },
  uploadMethodUrlResult: { ...original, methodCompletion: 'Y', browserIp: '192.0.2.1', browserTimeZone: -180 },
  uploadParesResult: { ...original, paRes: 'eJzVWFmT4kqs', md: 'BB4A51' },
  sale: saleInput(),
  saleForm: { ...payer, redirectUrl },
  preauth: { ...saleInput(), browserInfo: false },
  preauthForm: { ...payer, clientOrderId: 'form-77-b', redirectUrl },
  capture: { ...original, ...money },
  void: original,
  return: { ...original, comment: 'the stick broke' },
  accountVerification: { ...payerWithoutMoney, clientOrderId: 'form-77-c', ...card },
  accountVerificationForm: { ...payerWithoutMoney, clientOrderId: 'form-77-d', redirectUrl },
  paymentForm: { ...payer, clientOrderId: 'form-77-e', redirectUrl },
  createCardRef: original,
  getCardInfo: { cardRefId: '123456789012345' },
  makeRebill: { clientOrderId: 'rebill-77-a', cardRefId: '123456789012345', ...money, comment: "it's (due)!*" },
  status: { clientOrderId: 'inv-77-a' },
  payout: {
    clientOrderId: 'out-77-a',
    ...money,
    cardNumber: card.cardNumber,
    orderDesc: 'Gewinn für Jürgen',
  },
  payoutForm: { clientOrderId: 'out-77-b', ...money, redirectUrl },
  createCardRefV4: original,
  createRecurringPayment: {
    recurringCardType: 'SRC',
    clientOrderId: 'rp-77-a',
    ...card,
    ...money,
    period: 'month',
    interval: 1,
    startDate: '2030-01-31',
  },
  processRecurringPayment: { clientOrderId: 'rp-77-b', recurringPaymentId, ...money },
  updateRecurringPayment: { clientOrderId: 'rp-77-c', recurringPaymentId, amount: '35.00' },
  createRecurringPayments: {
    payload: recurringRows('createRecurringPayments', [
      { recurringCardType: 'SRC', clientOrderId: 'rp-77-d', ...card, ...money },
    ]),
  },
  processRecurringPayments: {
    payload: recurringRows('processRecurringPayments', [
      { clientOrderId: 'rp-77-e', recurringPaymentId, amount: '1.00', orderDesc: 'A "stick", cut\nin two' },
    ]),
  },
  updateRecurringPayments: {
    payload: recurringRows('updateRecurringPayments', [
      { clientOrderId: 'rp-77-f', recurringPaymentId, amount: '2.00' },
    ]),
  },
  getRecurringPayment: { recurringPaymentId },
  payoutCheck: { clientOrderId: 'out-77-c', ...money, accountNumber: '40817810099910004312', bankName: 'A & B + C' },
  payoutPay: { clientOrderId: 'out-77-c', orderId: '123456789012345' },
  panEligibilitySend: { clientOrderId: 'pan-77-a', sendingCardRefId: '123456789012345' },
  transfer: { clientOrderId: 'tr-77-a', ...money, depositToCard: true, destinationCardNumber: card.cardNumber },
  transferByRef: { clientOrderId: 'tr-77-b', ...money, destinationCardRefId: '123456789012345' },
}
