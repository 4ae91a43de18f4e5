import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { type Pair, serializeForm } from '@tallystick/core'
import { hmacKey, rsaPrivateKey, signControl, signOAuth } from '@tallystick/signing'

/** The requests of the benchmarks: what a shop sends, signed, each for another order and card. */

export const merchant = { login: 'shop', controlKey: randomUUID(), endpointId: '253' }
const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
export const publicKey = pair.publicKey

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
  const request = {
    httpMethod: 'POST',
    url: `${origin}/paynet${path}`,
    consumerKey: merchant.login,
    nonce: randomUUID(),
    timestamp: Math.floor(Date.now() / 1000),
    parameters,
  }
  const signed = signOAuth(
    method === 'HMAC-SHA1' ? { ...request, method, key: hmac } : { ...request, method, key: rsa },
  )
  return post(path, signed.body, `authorization: ${signed.authorization}\r\n`)
}

export function post(path: string, body: string, headers = ''): Uint8Array {
  return Buffer.from(
    `POST /paynet${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/vnd.pay+json\r\n` +
      `content-type: application/x-www-form-urlencoded\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** 16 digits with a right check digit. */
export function cardNumber(index: number): string {
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
