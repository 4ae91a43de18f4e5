import type { OperationKey, RequestInput } from '@tallystick/core'
import type { CallOptions, PaymentClient } from '../src/index.ts'
import type { OperationMethods } from '../src/methods.ts'
import { keyedClient, merchantClient } from './merchant.ts'

/** How the specification says that an operation is signed: the terms of its control, or an OAuth method. */
type Signed = { readonly control: readonly string[] } | { readonly oauth: 'HMAC-SHA1' | 'RSA-SHA256' }

interface Expected {
  /** The entries of the manifest that state address, formula and schemas. */
  readonly rules: string
  readonly path: string
  /** The form without authentication, under the names of the wire. */
  readonly form: Readonly<Record<string, string>>
  readonly signed: Signed
  /** A reply of the gateway to the request. */
  readonly reply: Readonly<Record<string, string>>
}

export interface OperationCase extends Expected {
  readonly key: OperationKey
  send(client: PaymentClient, options?: CallOptions, extra?: Readonly<Record<string, string>>): Promise<unknown>
}

function operation<K extends OperationKey>(key: K, input: RequestInput<K>, expected: Expected): OperationCase {
  return {
    key,
    ...expected,
    send: (client, options, extra) => {
      const methods: OperationMethods = client
      return methods[key](extra === undefined ? input : { ...input, extra }, options)
    },
  }
}

const payer = {
  clientOrderId: '902B4FF5',
  orderDesc: 'Tea & "biscuits" + milk!',
  address1: '100 Main st',
  city: 'Seattle',
  state: 'WA',
  zipCode: '98102',
  country: 'US',
  phone: '+12063582043',
  email: 'john.smith@gmail.com',
  customerIp: '65.153.12.232',
}
const payerForm = {
  client_orderid: '902B4FF5',
  order_desc: 'Tea & "biscuits" + milk!',
  address1: '100 Main st',
  city: 'Seattle',
  state: 'WA',
  zip_code: '98102',
  country: 'US',
  phone: '+12063582043',
  email: 'john.smith@gmail.com',
  ipaddress: '65.153.12.232',
}
const card = {
  cardNumber: '4444555566661111',
  cardPrintedName: 'JOHN SMITH',
  expireMonth: '12',
  expireYear: '2099',
  cvv2: '123',
}
const cardForm = {
  credit_card_number: '4444555566661111',
  card_printed_name: 'JOHN SMITH',
  expire_month: '12',
  expire_year: '2099',
  cvv2: '123',
}
const money = { amount: '10.42', currency: 'USD' }
const back = { redirectUrl: 'https://shop.example.com/back?order=1' }
const backForm = { redirect_url: 'https://shop.example.com/back?order=1' }
const paid = { clientOrderId: '902B4FF5', orderId: '6768788' }
const paidForm = { login: 'test-login', client_orderid: '902B4FF5', orderid: '6768788' }
const uploadedForm = { login: 'test-login', 'client-order-id': '902B4FF5', orderid: '6768788' }

const paymentControl = { control: ['253', '902B4FF5', '1042', 'john.smith@gmail.com'] }
const verificationControl = { control: ['253', '902B4FF5', 'john.smith@gmail.com'] }
const orderControl = { control: ['test-login', '902B4FF5', '6768788'] }
const partControl = { control: ['test-login', '902B4FF5', '6768788', '1042', 'USD'] }
const hmac = { oauth: 'HMAC-SHA1' } as const
const rsa = { oauth: 'RSA-SHA256' } as const

const async = {
  type: 'async-response',
  'serial-number': '00000000-0000-0000-0000-000002d9b22a',
  'merchant-order-id': '902B4FF5',
  'paynet-order-id': '6768788',
  'end-point-id': '253',
}
const form = { ...async, type: 'async-form-response', 'redirect-url': 'https://gate.example.com/form/6768788' }

/** Each operation of the specification with one request, written by hand from the tables of its part 4. */
export const operations: readonly OperationCase[] = [
  operation(
    'uploadCresResult',
    { ...paid, cRes: 'eyJtZXNzYWdlVHlwZSI6IkNSZXMifQ' },
    {
      rules: '[S4-10]',
      path: '/api/3ds/v1/upload-cres-result/253',
      form: { ...uploadedForm, cRes: 'eyJtZXNzYWdlVHlwZSI6IkNSZXMifQ' },
      signed: orderControl,
      reply: async,
    },
  ),
  operation(
    'uploadMethodUrlResult',
    { ...paid, methodCompletion: 'Y', browserTimeZone: -60, browserJavaEnabled: false },
    {
      rules: '[S4-11]',
      path: '/api/3ds/v1/upload-method-url-result/253',
      form: { ...uploadedForm, threeDSCompInd: 'Y', browserTZ: '-60', browserJavaEnabled: 'false' },
      signed: orderControl,
      reply: async,
    },
  ),
  operation(
    'uploadParesResult',
    { ...paid, paRes: 'eJzVWFmTo0YSfu9f0', md: 'BB4A51' },
    {
      rules: '[S4-12]',
      path: '/api/3ds/v1/upload-pares-result/253',
      form: { ...uploadedForm, paRes: 'eJzVWFmTo0YSfu9f0', md: 'BB4A51' },
      signed: orderControl,
      reply: async,
    },
  ),
  operation(
    'sale',
    { ...payer, ...money, ...card },
    {
      rules: '[S4-17]',
      path: '/api/v2/sale/253',
      form: { ...payerForm, ...money, ...cardForm },
      signed: paymentControl,
      reply: async,
    },
  ),
  operation(
    'saleForm',
    { ...payer, ...money, ...back },
    {
      rules: '[S4-18]',
      path: '/api/v2/sale-form/253',
      form: { ...payerForm, ...money, ...backForm },
      signed: paymentControl,
      reply: form,
    },
  ),
  operation(
    'preauth',
    { ...payer, ...money, cardRefId: '1326586' },
    {
      rules: '[S4-19]',
      path: '/api/v2/preauth/253',
      form: { ...payerForm, ...money, cardrefid: '1326586' },
      signed: paymentControl,
      reply: async,
    },
  ),
  operation(
    'preauthForm',
    { ...payer, ...money, ...back },
    {
      rules: '[S4-20]',
      path: '/api/v2/preauth-form/253',
      form: { ...payerForm, ...money, ...backForm },
      signed: paymentControl,
      reply: form,
    },
  ),
  operation(
    'capture',
    { ...paid, ...money },
    {
      rules: '[S4-21]',
      path: '/api/v2/capture/253',
      form: { ...paidForm, ...money },
      signed: partControl,
      reply: async,
    },
  ),
  operation(
    'void',
    { ...paid, comment: 'out of stock' },
    {
      rules: '[S4-22]',
      path: '/api/v2/void/253',
      form: { ...paidForm, comment: 'out of stock' },
      signed: orderControl,
      reply: async,
    },
  ),
  operation(
    'return',
    { ...paid, ...money, comment: 'one cup broke' },
    {
      rules: '[S4-23] [G12-11]',
      path: '/api/v2/return/253',
      form: { ...paidForm, ...money, comment: 'one cup broke' },
      signed: partControl,
      reply: async,
    },
  ),
  operation(
    'accountVerification',
    { ...payer, ...card },
    {
      rules: '[S4-24]',
      path: '/api/v2/account-verification/253',
      form: { ...payerForm, ...cardForm },
      signed: verificationControl,
      reply: async,
    },
  ),
  operation(
    'accountVerificationForm',
    { ...payer, ...back },
    {
      rules: '[S4-25]',
      path: '/api/v2/account-verification-form/253',
      form: { ...payerForm, ...backForm },
      signed: verificationControl,
      reply: form,
    },
  ),
  operation(
    'paymentForm',
    { ...payer, ...money, ...back },
    {
      rules: '[S4-26] [G3.2-03]',
      path: '/api/v2/payment-form/253',
      form: { ...payerForm, ...money, ...backForm },
      signed: paymentControl,
      reply: form,
    },
  ),
  operation('createCardRef', paid, {
    rules: '[S4-27]',
    path: '/api/v2/create-card-ref/253',
    form: paidForm,
    signed: orderControl,
    reply: { type: 'create-card-ref-response', status: 'approved', 'card-ref-id': '1326586' },
  }),
  operation(
    'getCardInfo',
    { cardRefId: '1326586' },
    {
      rules: '[S4-28] [G3.2-09]',
      path: '/api/v2/get-card-info/253',
      form: { login: 'test-login', cardrefid: '1326586' },
      signed: { control: ['test-login', '1326586'] },
      reply: { type: 'get-card-info-response', bin: '444455', 'last-four-digits': '1111' },
    },
  ),
  operation(
    'makeRebill',
    { clientOrderId: '902B4FF5', cardRefId: '1326586', ...money },
    {
      rules: '[S4-29]',
      path: '/api/v2/make-rebill/253',
      form: { login: 'test-login', client_orderid: '902B4FF5', cardrefid: '1326586', ...money },
      signed: { control: ['test-login', '902B4FF5', '1326586', '1042', 'USD'] },
      reply: async,
    },
  ),
  operation('status', paid, {
    rules: '[S4-30]',
    path: '/api/v2/status/253',
    form: paidForm,
    signed: orderControl,
    reply: { type: 'status-response', status: 'approved', 'paynet-order-id': '6768788' },
  }),
  operation(
    'payout',
    { clientOrderId: '902B4FF5', ...money, accountNumber: '40817810099910004312', bankName: 'Bank' },
    {
      rules: '[S4-43] [S5.2-13]',
      path: '/api/v2/payout/253',
      form: { client_orderid: '902B4FF5', ...money, account_number: '40817810099910004312', bank_name: 'Bank' },
      signed: hmac,
      reply: async,
    },
  ),
  operation(
    'payoutForm',
    { clientOrderId: '902B4FF5', ...money, ...back },
    {
      rules: '[S4-44]',
      path: '/api/v2/payout-form/253',
      form: { client_orderid: '902B4FF5', ...money, ...backForm },
      signed: hmac,
      reply: form,
    },
  ),
  operation('createCardRefV4', paid, {
    rules: '[S4-45] [S5.2-15]',
    path: '/api/v4/create-card-ref/253',
    form: paidForm,
    signed: rsa,
    reply: { type: 'create-card-ref-response', 'card-ref-id': '1326586' },
  }),
  operation(
    'createRecurringPayment',
    {
      clientOrderId: '902B4FF5',
      recurringCardType: 'DST',
      cardNumber: '4444555566661111',
      ...money,
      period: 'month',
      interval: 1,
    },
    {
      rules: '[S4-46] [S5.2-15]',
      path: '/api/v4/create-recurring-payment/253',
      form: {
        login: 'test-login',
        'client-orderid': '902B4FF5',
        rp_card_type: 'DST',
        'credit-card-number': '4444555566661111',
        ...money,
        period: 'month',
        interval: '1',
      },
      signed: rsa,
      reply: { type: 'create-recurring-payment-response', 'recurring-payment-id': '77' },
    },
  ),
  operation(
    'payoutCheck',
    { clientOrderId: '902B4FF5', ...money, cardNumber: '4444555566661111' },
    {
      rules: '[S4-47] [S5.2-15]',
      path: '/api/v4/payout-check/253',
      form: { client_orderid: '902B4FF5', ...money, credit_card_number: '4444555566661111' },
      signed: rsa,
      reply: async,
    },
  ),
  operation('payoutPay', paid, {
    rules: '[S4-48] [S5.2-15]',
    path: '/api/v4/payout-pay/253',
    form: paidForm,
    signed: rsa,
    reply: async,
  }),
  operation(
    'panEligibilitySend',
    { clientOrderId: '902B4FF5', sendingCardRefId: '1326586' },
    {
      rules: '[S4-55] [S5.2-13]',
      path: '/api/v2/pan-eligibility/send/253',
      form: { 'client-order-id': '902B4FF5', 'sending-card-ref-id': '1326586' },
      signed: hmac,
      reply: async,
    },
  ),
  operation(
    'transfer',
    { clientOrderId: '902B4FF5', ...money, depositToCard: true, destinationCardNumber: '4444333322221111' },
    {
      rules: '[S4-56] [S5.2-15]',
      path: '/api/v4/transfer/253',
      form: {
        client_orderid: '902B4FF5',
        ...money,
        deposit2card: 'true',
        'destination-card-no': '4444333322221111',
      },
      signed: rsa,
      reply: async,
    },
  ),
  operation(
    'transferByRef',
    { clientOrderId: '902B4FF5', ...money, orderDesc: "Sam's (100 %) *", destinationCardNumber: '4444333322221111' },
    {
      rules: '[S4-57] [S5.2-15] [G3.4-06]',
      path: '/api/v4/transfer-by-ref/253',
      form: {
        'client-order-id': '902B4FF5',
        ...money,
        order_desc: "Sam's (100 %) *",
        'destination-card-no': '4444333322221111',
      },
      signed: rsa,
      reply: async,
    },
  ),
  operation(
    'processRecurringPayment',
    { clientOrderId: '902B4FF5', recurringPaymentId: '77', ...money },
    {
      rules: '[G14-01] [G14-02]',
      path: '/api/v4/process-recurring-payment/253',
      form: { 'client-orderid': '902B4FF5', 'recurring-payment-id': '77', ...money },
      signed: rsa,
      reply: { type: 'process-recurring-payment-response', status: 'processing', 'serial-number': 's-1' },
    },
  ),
  operation(
    'updateRecurringPayment',
    { clientOrderId: '902B4FF5', recurringPaymentId: '77', amountFrom: '1.00', amountTo: '2.00' },
    {
      rules: '[G14-01]',
      path: '/api/v4/update-recurring-payment/253',
      form: {
        'client-orderid': '902B4FF5',
        'recurring-payment-id': '77',
        'amount-from': '1.00',
        'amount-to': '2.00',
      },
      signed: rsa,
      reply: { type: 'update-recurring-payment-response', status: 'approved' },
    },
  ),
  ...(['create', 'process', 'update'] as const).map((verb) =>
    operation(
      `${verb}RecurringPayments`,
      { payload: 'client-orderid,amount\r\n902B4FF5,10.42' },
      {
        rules: '[G14-01] [G14-08]',
        path: `/api/v4/${verb}-recurring-payments/253`,
        form: { payload: 'client-orderid,amount\r\n902B4FF5,10.42' },
        signed: rsa,
        reply: { type: `${verb}-recurring-payment-response` },
      },
    ),
  ),
  operation(
    'getRecurringPayment',
    { recurringPaymentId: '77' },
    {
      rules: '[G14-12]',
      path: '/api/v4/get-recurring-payment/253',
      form: { 'recurring-payment-id': '77' },
      signed: rsa,
      reply: {
        type: 'get-recurring-payment-response',
        'recurring-payment-id': '77',
        'recurring-payment-state': 'active',
      },
    },
  ),
]

/** Makes the client that an operation needs. */
export const clientFor = ({ signed }: OperationCase) =>
  'oauth' in signed && signed.oauth === 'RSA-SHA256' ? keyedClient : merchantClient

export const reads: ReadonlySet<OperationKey> = new Set([
  'getCardInfo',
  'status',
  'panEligibilitySend',
  'getRecurringPayment',
])
export const storingCards: ReadonlySet<OperationKey> = new Set([
  'createCardRef',
  'createCardRefV4',
  'createRecurringPayment',
  'updateRecurringPayment',
  'createRecurringPayments',
  'updateRecurringPayments',
])
