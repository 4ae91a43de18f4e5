import { randomUUID } from 'node:crypto'
import {
  type OperationKey,
  type RequestInput,
  ROW_OPERATIONS,
  type RowOperation,
  type RowsKey,
  recurringRows,
} from '@tallystick/core'
import { cards } from '../cards.ts'
import { customer } from '../customer.ts'

/** An id of an order, a card or a recurring payment, as gateways assign them. */
export const SOME_ID = '100000000000001'

const RETURN_URL = 'https://shop.example.com/return'

const money = { amount: '10.42', currency: 'USD' } as const

const payer = { orderDesc: 'Test order', ...customer, customerIp: '192.0.2.1' } as const

const { cvv2: _, ...plastic } = cards.approved

/** An id that begins and ends with a letter, so that its borders in a control string cannot shift. */
function newOrder() {
  return { clientOrderId: `t${randomUUID().replaceAll('-', '').slice(0, 24)}z` }
}

/** An existing order. A gateway only knows it by the ids that it assigned. */
function knownOrder() {
  return { ...newOrder(), orderId: SOME_ID }
}

/**
 * A valid request of each operation, with only the fields that most shops send. A record over the catalogue, so that a missing
 * operation does not compile.
 */
export const defaultInputs: { readonly [K in OperationKey]: () => RequestInput<K> } = {
  // {"messageType":"CRes","messageVersion":"2.1.0","transStatus":"Y"} in base64url.
  uploadCresResult: () => ({
    ...knownOrder(),
    cRes: 'eyJtZXNzYWdlVHlwZSI6IkNSZXMiLCJtZXNzYWdlVmVyc2lvbiI6IjIuMS4wIiwidHJhbnNTdGF0dXMiOiJZIn0',
  }),
  uploadMethodUrlResult: () => ({ ...knownOrder(), methodCompletion: 'Y' }),
  uploadParesResult: () => ({ ...knownOrder(), paRes: 'eJzVV1mTqkgW', md: 'BB4A51' }),
  sale: () => ({ ...newOrder(), ...payer, ...money, ...cards.approved }),
  saleForm: () => ({ ...newOrder(), ...payer, ...money, redirectUrl: RETURN_URL }),
  preauth: () => ({ ...newOrder(), ...payer, ...money, ...cards.approved }),
  preauthForm: () => ({ ...newOrder(), ...payer, ...money, redirectUrl: RETURN_URL }),
  capture: () => knownOrder(),
  void: () => knownOrder(),
  return: () => ({ ...knownOrder(), comment: 'Sent back' }),
  accountVerification: () => ({ ...newOrder(), ...payer, ...cards.approved }),
  accountVerificationForm: () => ({ ...newOrder(), ...payer, redirectUrl: RETURN_URL }),
  paymentForm: () => ({ ...newOrder(), ...payer, ...money, redirectUrl: RETURN_URL }),
  createCardRef: () => knownOrder(),
  getCardInfo: () => ({ cardRefId: SOME_ID }),
  makeRebill: () => ({ ...newOrder(), ...money, cardRefId: SOME_ID, orderDesc: 'Test order', customerIp: '192.0.2.1' }),
  status: () => newOrder(),
  payout: () => ({ ...newOrder(), ...money, ...plastic, orderDesc: 'Test payout' }),
  payoutForm: () => ({ ...newOrder(), ...money, orderDesc: 'Test payout', redirectUrl: RETURN_URL }),
  createCardRefV4: () => knownOrder(),
  createRecurringPayment: () => ({
    ...newOrder(),
    ...money,
    ...cards.approved,
    recurringCardType: 'SRC',
    period: 'month',
    interval: 1,
    startDate: '2030-01-31',
  }),
  payoutCheck: () => ({ ...newOrder(), ...money, ...plastic, orderDesc: 'Test payout' }),
  payoutPay: () => knownOrder(),
  panEligibilitySend: () => ({ ...newOrder(), sendingCardRefId: SOME_ID }),
  transfer: () => ({ ...newOrder(), ...money, ...cards.approved, destinationCardNumber: '4444333322221111' }),
  transferByRef: () => ({ ...newOrder(), ...money, destinationCardRefId: SOME_ID }),
  processRecurringPayment: () => ({ ...newOrder(), ...money, recurringPaymentId: SOME_ID }),
  updateRecurringPayment: () => ({ ...newOrder(), recurringPaymentId: SOME_ID, amount: money.amount }),
  createRecurringPayments: () => rowOf('createRecurringPayments'),
  processRecurringPayments: () => rowOf('processRecurringPayments'),
  updateRecurringPayments: () => rowOf('updateRecurringPayments'),
  getRecurringPayment: () => ({ recurringPaymentId: SOME_ID }),
}

/** A row of the operation without the plural. */
function rowOf<K extends RowsKey>(key: K) {
  const row = defaultInputs[ROW_OPERATIONS[key]] as () => RequestInput<RowOperation<K>>
  return { payload: recurringRows(key, [row()]) }
}
