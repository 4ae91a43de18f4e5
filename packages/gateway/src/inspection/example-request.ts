import { type OperationKey, type RequestInput, recurringRows } from '@tallystick/core'
import { ROW_OPERATIONS, type RowOperation, type RowsKey } from '@tallystick/core/internal'

/** A customer who is no real person. */
export const exampleCustomer = {
  firstName: 'John',
  lastName: 'Smith',
  address1: '100 Main st',
  city: 'Seattle',
  state: 'WA',
  zipCode: '98102',
  country: 'US',
  phone: '+12063582043',
  email: 'john.smith@example.com',
} as const

/** A card whose payments a sandbox approves. No real card has its number (rule G10-05 of `spec/requirements`). */
export const exampleCard = {
  cardNumber: '4444555566661111',
  cardPrintedName: 'JOHN SMITH',
  expireMonth: '12',
  expireYear: '2039',
  cvv2: '123',
} as const

/**
 * A valid request of an operation, with only the fields that most shops send. Ids of an order, a card or a recurring payment are made up,
 * unless they are the client order id.
 */
export function exampleRequest<K extends OperationKey>(key: K, clientOrderId: string): RequestInput<K> {
  return examples[key](clientOrderId)
}

/** An id of an order, a card or a recurring payment, as gateways assign them. */
const SOME_ID = '100000000000001'

const RETURN_URL = 'https://shop.example.com/return'

const money = { amount: '10.42', currency: 'USD' } as const

const payer = { orderDesc: 'Test order', ...exampleCustomer, customerIp: '192.0.2.1' } as const

const { cvv2: _, ...plastic } = exampleCard

type Example<K extends OperationKey> = (clientOrderId: string) => RequestInput<K>

/** A record over the catalogue, so that a missing operation does not compile. */
const examples: { readonly [K in OperationKey]: Example<K> } = {
  // {"messageType":"CRes","messageVersion":"2.1.0","transStatus":"Y"} in base64url.
  uploadCresResult: (clientOrderId) => ({
    clientOrderId,
    orderId: SOME_ID,
    cRes: 'eyJtZXNzYWdlVHlwZSI6IkNSZXMiLCJtZXNzYWdlVmVyc2lvbiI6IjIuMS4wIiwidHJhbnNTdGF0dXMiOiJZIn0',
  }),
  uploadMethodUrlResult: (clientOrderId) => ({ clientOrderId, orderId: SOME_ID, methodCompletion: 'Y' }),
  uploadParesResult: (clientOrderId) => ({ clientOrderId, orderId: SOME_ID, paRes: 'eJzVV1mTqkgW', md: 'BB4A51' }),
  sale: (clientOrderId) => ({ clientOrderId, ...payer, ...money, ...exampleCard }),
  saleForm: (clientOrderId) => ({ clientOrderId, ...payer, ...money, redirectUrl: RETURN_URL }),
  preauth: (clientOrderId) => ({ clientOrderId, ...payer, ...money, ...exampleCard }),
  preauthForm: (clientOrderId) => ({ clientOrderId, ...payer, ...money, redirectUrl: RETURN_URL }),
  capture: (clientOrderId) => ({ clientOrderId, orderId: SOME_ID }),
  void: (clientOrderId) => ({ clientOrderId, orderId: SOME_ID }),
  return: (clientOrderId) => ({ clientOrderId, orderId: SOME_ID, comment: 'Sent back' }),
  accountVerification: (clientOrderId) => ({ clientOrderId, ...payer, ...exampleCard }),
  accountVerificationForm: (clientOrderId) => ({ clientOrderId, ...payer, redirectUrl: RETURN_URL }),
  paymentForm: (clientOrderId) => ({ clientOrderId, ...payer, ...money, redirectUrl: RETURN_URL }),
  createCardRef: (clientOrderId) => ({ clientOrderId, orderId: SOME_ID }),
  getCardInfo: () => ({ cardRefId: SOME_ID }),
  makeRebill: (clientOrderId) => ({
    clientOrderId,
    ...money,
    cardRefId: SOME_ID,
    orderDesc: 'Test order',
    customerIp: '192.0.2.1',
  }),
  status: (clientOrderId) => ({ clientOrderId }),
  payout: (clientOrderId) => ({ clientOrderId, ...money, ...plastic, orderDesc: 'Test payout' }),
  payoutForm: (clientOrderId) => ({ clientOrderId, ...money, orderDesc: 'Test payout', redirectUrl: RETURN_URL }),
  createCardRefV4: (clientOrderId) => ({ clientOrderId, orderId: SOME_ID }),
  createRecurringPayment: (clientOrderId) => ({
    clientOrderId,
    ...money,
    ...exampleCard,
    recurringCardType: 'SRC',
    period: 'month',
    interval: 1,
    startDate: '2030-01-31',
  }),
  payoutCheck: (clientOrderId) => ({ clientOrderId, ...money, ...plastic, orderDesc: 'Test payout' }),
  payoutPay: (clientOrderId) => ({ clientOrderId, orderId: SOME_ID }),
  panEligibilitySend: (clientOrderId) => ({ clientOrderId, sendingCardRefId: SOME_ID }),
  transfer: (clientOrderId) => ({
    clientOrderId,
    ...money,
    ...exampleCard,
    destinationCardNumber: '4444333322221111',
  }),
  transferByRef: (clientOrderId) => ({ clientOrderId, ...money, destinationCardRefId: SOME_ID }),
  processRecurringPayment: (clientOrderId) => ({ clientOrderId, ...money, recurringPaymentId: SOME_ID }),
  updateRecurringPayment: (clientOrderId) => ({ clientOrderId, recurringPaymentId: SOME_ID, amount: money.amount }),
  createRecurringPayments: (clientOrderId) => rowOf('createRecurringPayments', clientOrderId),
  processRecurringPayments: (clientOrderId) => rowOf('processRecurringPayments', clientOrderId),
  updateRecurringPayments: (clientOrderId) => rowOf('updateRecurringPayments', clientOrderId),
  getRecurringPayment: () => ({ recurringPaymentId: SOME_ID }),
}

/** A row of the operation without the plural. */
function rowOf<K extends RowsKey>(key: K, clientOrderId: string) {
  const row = examples[ROW_OPERATIONS[key]] as Example<RowOperation<K>>
  return { payload: recurringRows(key, [row(clientOrderId)]) }
}
