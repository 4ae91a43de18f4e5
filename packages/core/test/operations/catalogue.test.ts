import { catalogue, type Operation, type OperationKey, operationKeys } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { controlFormula } from '../../src/openapi/authentication.ts'

/** The formula of a control, or the method of OAuth, as the specification's tables write it. */
function authText({ auth, ...operation }: Operation): string {
  return auth.scheme === 'control' ? controlFormula({ auth, ...operation }, auth) : `OAuth ${auth.method}`
}

type Row = readonly [title: string, path: string, name: string, request: string, reply: string, auth: string]

const UPLOAD = 'login + client-order-id + orderid + key'
const PAYMENT = 'endpointId + client_orderid + amount + email + key'
const MODIFICATION = 'login + client_orderid + orderid + amount + currency + key'
const VERIFICATION = 'endpointId + client_orderid + email + key'
const ORDER = 'login + client_orderid + orderid + key'

/** The rows of the specification's tables whose every column is shown (part 4). */
const STATED: Readonly<Record<string, Row>> = {
  uploadCresResult: [
    '[S4-10] upload-cres-result is as its row says',
    '/api/3ds/v1/upload-cres-result',
    'TDS_UPLOAD_CRES_RESULT',
    'TdsCResResultRequest',
    'AsyncResponse',
    UPLOAD,
  ],
  uploadMethodUrlResult: [
    '[S4-11] upload-method-url-result is as its row says',
    '/api/3ds/v1/upload-method-url-result',
    'TDS_UPLOAD_METHOD_URL_RESULT',
    'TdsMethodUrlResultRequest',
    'AsyncResponse',
    UPLOAD,
  ],
  uploadParesResult: [
    '[S4-12] upload-pares-result is as its row says',
    '/api/3ds/v1/upload-pares-result',
    'TDS_UPLOAD_PARES_RESULT',
    'TdsPaResResultRequest',
    'AsyncResponse',
    UPLOAD,
  ],
  sale: ['[S4-17] sale is as its row says', '/api/v2/sale', 'SALE', 'SaleRequest', 'AsyncResponse', PAYMENT],
  saleForm: [
    '[S4-18] sale-form is as its row says',
    '/api/v2/sale-form',
    'SALEFORM',
    'SaleFormRequest',
    'AsyncCheckoutFormRedirect',
    PAYMENT,
  ],
  preauth: [
    '[S4-19] preauth is as its row says',
    '/api/v2/preauth',
    'PREAUTH',
    'AuthRequest',
    'AsyncResponse',
    PAYMENT,
  ],
  preauthForm: [
    '[S4-20] preauth-form is as its row says',
    '/api/v2/preauth-form',
    'PREAUTHFORM',
    'AuthFormRequest',
    'AsyncCheckoutFormRedirect',
    PAYMENT,
  ],
  capture: [
    '[S4-21] capture is as its row says',
    '/api/v2/capture',
    'CAPTURE',
    'CaptureRequest',
    'AsyncResponse',
    MODIFICATION,
  ],
  void: ['[S4-22] void is as its row says', '/api/v2/void', 'VOID', 'VoidRequest', 'AsyncResponse', ORDER],
  return: [
    '[S4-23] [G12-11] return is as its row says, and is not signed as a sale',
    '/api/v2/return',
    'RETURN',
    'ReturnRequest',
    'AsyncResponse',
    MODIFICATION,
  ],
  accountVerification: [
    '[S4-24] account-verification is as its row says',
    '/api/v2/account-verification',
    'ACCOUNT_VERIFICATION',
    'AccountVerificationRequest',
    'AsyncResponse',
    VERIFICATION,
  ],
  accountVerificationForm: [
    '[S4-25] account-verification-form is as its row says',
    '/api/v2/account-verification-form',
    'ACCOUNT_VERIFICATION_FORM',
    'AccountVerificationFormRequest',
    'AsyncCheckoutFormRedirect',
    VERIFICATION,
  ],
  createCardRef: [
    '[S4-27] create-card-ref is as its row says',
    '/api/v2/create-card-ref',
    'CARDREF',
    'CreateCardRefRequest',
    'CardRefAsyncResponse',
    ORDER,
  ],
  makeRebill: [
    '[S4-29] make-rebill is as its row says',
    '/api/v2/make-rebill',
    'REBILL',
    'RebillRequest',
    'AsyncResponse',
    'login + client_orderid + cardrefid + amount + currency + key',
  ],
  status: ['[S4-30] status is as its row says', '/api/v2/status', 'STATUS', 'StatusRequest', 'StatusResponse', ORDER],
  payout: [
    '[S4-43] payout is as its row says',
    '/api/v2/payout',
    'PAYOUT',
    'PayoutRequest',
    'AsyncResponse',
    'OAuth HMAC-SHA1',
  ],
  createCardRefV4: [
    '[S4-45] v4 create-card-ref is as its row says',
    '/api/v4/create-card-ref',
    'CARDREF_V4',
    'CreateCardRefV4Request',
    'CardRefV4AsyncResponse',
    'OAuth RSA-SHA256',
  ],
  createRecurringPayment: [
    '[S4-46] create-recurring-payment is as its row says',
    '/api/v4/create-recurring-payment',
    'CREATE_RP_V4',
    'RecurringPaymentForCreation',
    'CreateRecurringPaymentResponse',
    'OAuth RSA-SHA256',
  ],
  payoutCheck: [
    '[S4-47] payout-check is as its row says',
    '/api/v4/payout-check',
    'PAYOUT_V4_CHECK',
    'PayoutCheckRequest',
    'AsyncResponse',
    'OAuth RSA-SHA256',
  ],
}

/** The rows with a column that the specification does not show, filled by the gaps or by us. */
const FILLED_IN: Readonly<Record<string, Row>> = {
  paymentForm: [
    '[S4-26] [G3.2-03] payment-form is as its row says, signed like a sale',
    '/api/v2/payment-form',
    'PAYMENTFORM',
    'PaymentFormRequest',
    'AsyncCheckoutFormRedirect',
    PAYMENT,
  ],
  getCardInfo: [
    '[S4-28] [G3.2-09] get-card-info is as its row says, signed by login and cardrefid',
    '/api/v2/get-card-info',
    'CARDINFO',
    'GetCardInfoRequest',
    'CardInfoAsyncResponse',
    'login + cardrefid + key',
  ],
  payoutForm: [
    '[S4-44] payout-form is as its row says, signed as the profile says',
    '/api/v2/payout-form',
    'PAYOUTFORM',
    'PayoutFormRequest',
    'AsyncCheckoutFormRedirect',
    'OAuth by-profile',
  ],
  payoutPay: [
    '[S4-48] payout-pay is the second step, signed like all of v4',
    '/api/v4/payout-pay',
    'PAYOUT_V4_PAY',
    'PayoutPayRequest',
    'AsyncResponse',
    'OAuth RSA-SHA256',
  ],
}

/** The operations that the specification shows in signing examples: a path and a method, no name and no schema. */
const EXAMPLES: Readonly<Record<string, Row>> = {
  panEligibilitySend: [
    '[S4-55] [S5.2-13] pan-eligibility send is signed by HMAC-SHA1',
    '/api/v2/pan-eligibility/send',
    'PAN_ELIGIBILITY_SEND',
    'PanEligibilitySendRequest',
    'AsyncResponse',
    'OAuth HMAC-SHA1',
  ],
  transfer: [
    '[S4-56] transfer is signed by RSA-SHA256',
    '/api/v4/transfer',
    'TRANSFER_V4',
    'TransferRequest',
    'AsyncResponse',
    'OAuth RSA-SHA256',
  ],
  transferByRef: [
    '[S4-57] transfer-by-ref is signed by RSA-SHA256',
    '/api/v4/transfer-by-ref',
    'TRANSFER_BY_REF_V4',
    'TransferByRefRequest',
    'AsyncResponse',
    'OAuth RSA-SHA256',
  ],
}

/** What "for later process and update calls" names, as the vendor's pages have it; the last is an extension of ours. */
const LATER: Readonly<Record<string, Row>> = {
  processRecurringPayment: [
    '[G14-01] process-recurring-payment is under v4',
    '/api/v4/process-recurring-payment',
    'PROCESS_RP_V4',
    'RecurringPaymentForProcessing',
    'ProcessRecurringPaymentResponse',
    'OAuth RSA-SHA256',
  ],
  updateRecurringPayment: [
    '[G14-01] update-recurring-payment is under v4',
    '/api/v4/update-recurring-payment',
    'UPDATE_RP_V4',
    'RecurringPaymentForUpdate',
    'UpdateRecurringPaymentResponse',
    'OAuth RSA-SHA256',
  ],
  createRecurringPayments: [
    '[G14-01] create-recurring-payments is under v4',
    '/api/v4/create-recurring-payments',
    'CREATE_RPS_V4',
    'RecurringPaymentRows',
    'RecurringPaymentRowsResponse',
    'OAuth RSA-SHA256',
  ],
  processRecurringPayments: [
    '[G14-01] process-recurring-payments is under v4',
    '/api/v4/process-recurring-payments',
    'PROCESS_RPS_V4',
    'RecurringPaymentRows',
    'RecurringPaymentRowsResponse',
    'OAuth RSA-SHA256',
  ],
  updateRecurringPayments: [
    '[G14-01] update-recurring-payments is under v4',
    '/api/v4/update-recurring-payments',
    'UPDATE_RPS_V4',
    'RecurringPaymentRows',
    'RecurringPaymentRowsResponse',
    'OAuth RSA-SHA256',
  ],
  getRecurringPayment: [
    '[G14-12] get-recurring-payment is ours, under v4',
    '/api/v4/get-recurring-payment',
    'GET_RP_V4',
    'RecurringPaymentForReading',
    'RecurringPaymentResponse',
    'OAuth RSA-SHA256',
  ],
}

const ROWS: Readonly<Record<string, Row>> = { ...STATED, ...FILLED_IN, ...EXAMPLES, ...LATER }

const operationOf = (key: string): Operation => catalogue[key as OperationKey]

describe('the tables of the specification', () => {
  test.each(Object.entries(ROWS).map(([key, [title, ...row]]) => [title, key, row] as const))(
    '%s',
    (_title, key, row) => {
      const operation = operationOf(key)
      const { path, name, request, reply } = operation
      expect([path, name, request.name, reply.name, authText(operation)]).toEqual(row)
    },
  )

  test('there are 32 operations and no other', () => {
    expect(operationKeys).toHaveLength(32)
    expect([...operationKeys].sort()).toEqual(Object.keys(ROWS).sort())
  })

  test('what the specification does not show is marked as filled in', () => {
    const authOrigins = (rows: object) => Object.keys(rows).map((key) => operationOf(key).auth.origin)
    expect(new Set(authOrigins(STATED))).toEqual(new Set(['stated']))
    expect(new Set(authOrigins(FILLED_IN))).toEqual(new Set(['filled in']))
    expect(new Set(authOrigins(EXAMPLES))).toEqual(new Set(['stated']))
    const unnamed = operationKeys.filter((key) => catalogue[key].nameOrigin === 'filled in')
    const named = ['panEligibilitySend', 'payoutPay', 'transfer', 'transferByRef', ...Object.keys(LATER)]
    expect([...unnamed].sort()).toEqual(named.sort())
    expect(new Set(authOrigins(LATER))).toEqual(new Set(['filled in']))
  })
})

const REQUEST_SCHEMAS =
  'TdsCResResultRequest TdsMethodUrlResultRequest TdsPaResResultRequest AccountVerificationFormRequest ' +
  'AccountVerificationRequest CaptureRequest CreateCardRefRequest GetCardInfoRequest RebillRequest PaymentFormRequest ' +
  'PayoutFormRequest PayoutRequest AuthFormRequest AuthRequest ReturnRequest SaleFormRequest SaleRequest StatusRequest ' +
  'VoidRequest CreateCardRefV4Request RecurringPaymentForCreation PayoutCheckRequest'

const REPLY_SCHEMAS =
  'AsyncResponse AsyncCheckoutFormRedirect CardRefAsyncResponse CardInfoAsyncResponse CardRefV4AsyncResponse ' +
  'CreateRecurringPaymentResponse StatusResponse'

describe('the named schemas', () => {
  const models = operationKeys.map((key) => operationOf(key))

  test('[S2-12] the 22 request schemas have the names of the specification', () => {
    const stated = models.map(({ request }) => request).filter(({ origin }) => origin === 'stated')
    expect(stated.map(({ name }) => name).sort()).toEqual(REQUEST_SCHEMAS.split(' ').sort())
    expect(stated).toHaveLength(22)
  })

  test('eight requests have no schema in the specification', () => {
    const filledIn = models.map(({ request }) => request).filter(({ origin }) => origin === 'filled in')
    expect([...new Set(filledIn.map(({ name }) => name))].sort()).toEqual([
      'PanEligibilitySendRequest',
      'PayoutPayRequest',
      'RecurringPaymentForProcessing',
      'RecurringPaymentForReading',
      'RecurringPaymentForUpdate',
      'RecurringPaymentRows',
      'TransferByRefRequest',
      'TransferRequest',
    ])
  })

  test('the replies of operations have the names of the specification', () => {
    const stated = models.map(({ reply }) => reply).filter(({ origin }) => origin === 'stated')
    const names = new Set(stated.map(({ name }) => name))
    expect([...names].sort()).toEqual(REPLY_SCHEMAS.split(' ').sort())
  })
})

describe('what follows from the tables', () => {
  const namesWhere = (condition: (operation: Operation) => boolean) =>
    operationKeys.filter((key) => condition(operationOf(key))).sort()

  test('[S5-01] [S4-09] [S9-03] [S9-04] v4 is signed by RSA-SHA256, v2 by control or HMAC-SHA1, uploads by control', () => {
    const schemes = (prefix: string) =>
      new Set(
        operationKeys
          .map((key) => operationOf(key))
          .filter(({ path }) => path.startsWith(prefix))
          .map(({ auth }) => (auth.scheme === 'control' ? 'control' : auth.method)),
      )
    expect(schemes('/api/v4/')).toEqual(new Set(['RSA-SHA256']))
    expect(schemes('/api/v2/')).toEqual(new Set(['control', 'HMAC-SHA1', 'by-profile']))
    expect(schemes('/api/3ds/v1/')).toEqual(new Set(['control']))
  })

  test('[S5.2-15] RSA-SHA256 belongs to v4 alone', () => {
    const rsa = namesWhere(({ auth }) => auth.scheme === 'oauth' && auth.method === 'RSA-SHA256')
    expect(rsa).toEqual(namesWhere(({ path }) => path.startsWith('/api/v4/')))
  })

  test('[S9-01] the version is part of every path', () => {
    const versions = new Set(operationKeys.map((key) => /^\/api\/(?:3ds\/v1|v2|v4)\//.exec(catalogue[key].path)?.[0]))
    expect(versions).toEqual(new Set(['/api/3ds/v1/', '/api/v2/', '/api/v4/']))
  })

  test('hosted forms are the five that the specification names', () => {
    expect(namesWhere(({ kind }) => kind === 'form')).toEqual([
      'accountVerificationForm',
      'paymentForm',
      'payoutForm',
      'preauthForm',
      'saleForm',
    ])
  })

  test('only status, get-card-info, pan-eligibility and get-recurring-payment can be asked again without an effect', () => {
    expect(namesWhere(({ effect }) => effect === 'reads')).toEqual([
      'getCardInfo',
      'getRecurringPayment',
      'panEligibilitySend',
      'status',
    ])
  })

  test('[S5.1-04] uploads spell client-order-id, the other operations with a control client_orderid', () => {
    const spelled = (spelling: string) =>
      namesWhere(
        ({ auth, request }) => auth.scheme === 'control' && request.fields['clientOrderId']?.wireName === spelling,
      )
    expect(spelled('client-order-id')).toEqual(['uploadCresResult', 'uploadMethodUrlResult', 'uploadParesResult'])
    expect(spelled('client_orderid')).toHaveLength(13)
  })

  test('every operation says in a sentence what it does', () => {
    for (const key of operationKeys) expect(catalogue[key].meaning).toMatch(/^[A-Z].*\.$/)
  })
})
