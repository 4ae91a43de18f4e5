import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { callbackControlTerms, type GatewayRequest, type Pair, serializeForm } from '@tallystick/core'
import { writeCallback } from '@tallystick/core/internal'
import { hmacKey, rsaPrivateKey, signControl, signOAuth } from '@tallystick/signing'

/** The requests of the benchmarks, signed, each for another order and card: what a shop sends, and a gateway's callback. */

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

export const merchant = { login: 'shop', controlKey: randomUUID(), endpointId: '253', publicKey: pair.publicKey }

const PAYER: readonly Pair[] = [
  ['order_desc', 'A tally stick of hazel'],
  ['first_name', 'John'],
  ['last_name', 'Smith'],
  ['address1', '100 Main st'],
  ['city', 'Seattle'],
  ['state', 'WA'],
  ['zip_code', '98102'],
  ['country', 'US'],
  ['phone', '+12063582043'],
  ['email', 'john.smith@example.com'],
  ['ipaddress', '192.0.2.1'],
  ['amount', '10.42'],
  ['currency', 'USD'],
]
const CARD: readonly Pair[] = [
  ['card_printed_name', 'JOHN SMITH'],
  ['expire_month', '12'],
  ['expire_year', '2039'],
  ['cvv2', '123'],
]

/** A hosted form for a sale, by control. */
export function saleForm(index: number, run: string): Uint8Array {
  const clientOrderId = `${run}${index}z`
  const minorUnits = String(1042 + index)
  const terms = [merchant.endpointId, clientOrderId, minorUnits, 'john.smith@example.com']
  const control = signControl({ terms, key: merchant.controlKey })
  const redirect: Pair = ['redirect_url', 'https://shop.example.com/return']
  return post(
    '/api/v2/sale-form/253',
    serializeForm([['client_orderid', clientOrderId], ...payerOf(minorUnits), redirect, ['control', control]]),
  )
}

function payerOf(minorUnits: string): readonly Pair[] {
  return PAYER.map(([name, value]) => [
    name,
    name === 'amount' ? `${minorUnits.slice(0, -2)}.${minorUnits.slice(-2)}` : value,
  ])
}

/** A sale of 19 fields by control, and more fields if they are given. */
export function sale(index: number, run: string, more: readonly Pair[] = []): Uint8Array {
  const clientOrderId = `${run}${index}z`
  const terms = [merchant.endpointId, clientOrderId, '1042', 'john.smith@example.com']
  const control = signControl({ terms, key: merchant.controlKey })
  const pairs: Pair[] = [
    ['client_orderid', clientOrderId],
    ...PAYER,
    ['credit_card_number', cardNumber(index)],
    ...CARD,
    ...more,
    ['control', control],
  ]
  return post('/api/v2/sale/253', serializeForm(pairs))
}

/** A status request with both ids, or only with the merchant's. */
export function status(clientOrderId: string, orderId = ''): Uint8Array {
  const { login, controlKey: key, endpointId } = merchant
  const control = signControl({ terms: [login, clientOrderId, orderId], key })
  const named: readonly Pair[] = orderId === '' ? [] : [['orderid', orderId]]
  const pairs: readonly Pair[] = [['login', login], ['client_orderid', clientOrderId], ...named, ['control', control]]
  return post(`/api/v2/status/${endpointId}`, serializeForm(pairs))
}

/** The order id of the first callback of a run. */
export const FIRST_ORDER_ID = 100_000_000_000_000

/** An approved sale's callback, as the gateway sends it. */
export function callback(index: number, run: string): Uint8Array {
  const orderId = String(FIRST_ORDER_ID + index)
  const fields = {
    status: 'approved',
    orderId,
    clientOrderId: `${run}${index}z`,
    type: 'sale',
    amount: '10.42',
    currency: 'USD',
    descriptor: 'test-descriptor',
    gatePartialReversal: 'enabled',
    processorTxId: `PNTEST-${orderId}`,
    approvalCode: '123456',
    name: 'JOHN SMITH',
    email: 'john.smith@example.com',
    cardType: 'VISA',
    bin: '444455',
    lastFourDigits: '1111',
  }
  const control = signControl({ terms: callbackControlTerms(fields), key: merchant.controlKey })
  const query = serializeForm(writeCallback({ ...fields, control }))
  return Buffer.from(`GET /callback?${query} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
}

const hmac = hmacKey(merchant.controlKey)
const rsa = rsaPrivateKey(pair.privateKey)

/** A payout to an account by HMAC-SHA1 (v2), or its check by RSA-SHA256 (v4). */
export function payout(index: number, run: string, method: 'HMAC-SHA1' | 'RSA-SHA256', origin: string): Uint8Array {
  const path = method === 'HMAC-SHA1' ? '/api/v2/payout/253' : '/api/v4/payout-check/253'
  const parameters: Pair[] = [
    ['client_orderid', `${run}${index}z`],
    ...PAYER,
    ['account_number', '40817810099910004312'],
    ['bank_name', 'A bank'],
  ]
  const signed = signedByOAuth(`${origin}/paynet${path}`, parameters, method, Date.now())
  return post(path, signed.body, `authorization: ${signed.authorization}\r\n`)
}

/** Where {@link recurringPayment} is sent. */
export const RECURRING_ORIGIN = 'https://gate.example.com'

/** A charge of 9.99 EUR on that day of each month of 2030. */
export function recurringPayment(number: number, day: string, at: number): GatewayRequest {
  const url = `/paynet/api/v4/create-recurring-payment/${merchant.endpointId}`
  const parameters: Pair[] = [
    ['login', merchant.login],
    ['client-orderid', `profile-${number}`],
    ['rp_card_type', 'SRC'],
    ['credit-card-number', cardNumber(number)],
    ['card-printed-name', 'JOHN SMITH'],
    ['expire-month', '12'],
    ['expire-year', '2039'],
    ['currency', 'EUR'],
    ['amount', '9.99'],
    ['period', 'month'],
    ['interval', '1'],
    ['start-date', `2030-01-${day}`],
    ['finish-date', '2030-12-31'],
    ['email', 'john.smith@example.com'],
    ['server_callback_url', 'https://shop.example.com/callback'],
  ]
  const { authorization, body } = signedByOAuth(RECURRING_ORIGIN + url, parameters, 'RSA-SHA256', at)
  const headers = {
    authorization,
    accept: 'application/vnd.pay+json',
    'content-type': 'application/x-www-form-urlencoded',
  }
  return { method: 'POST', url, headers, body }
}

function signedByOAuth(url: string, parameters: readonly Pair[], method: 'HMAC-SHA1' | 'RSA-SHA256', at: number) {
  const timestamp = Math.floor(at / 1000)
  const request = { httpMethod: 'POST', url, consumerKey: merchant.login, nonce: randomUUID(), timestamp, parameters }
  return signOAuth(method === 'HMAC-SHA1' ? { ...request, method, key: hmac } : { ...request, method, key: rsa })
}

function post(path: string, body: string, headers = ''): Uint8Array {
  return Buffer.from(
    `POST /paynet${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/vnd.pay+json\r\n` +
      `content-type: application/x-www-form-urlencoded\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** 16 digits with a right check digit. */
function cardNumber(index: number): string {
  const digits = `444455${String(index % 1_000_000_000).padStart(9, '0')}`
  const sum = digits
    .split('')
    .reverse()
    .reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return digits + String((10 - (sum % 10)) % 10)
}
