import { randomUUID } from 'node:crypto'
import { type Clock, createPaymentClient, type OutgoingRequest } from '@tallystick/client'
import type { RequestInput } from '@tallystick/core'
import {
  buildInput,
  customer,
  requestFixture,
  saleInput,
  signedCallback,
  testControlKey,
  testKeyPair,
} from '@tallystick/testing'

/** The requests of the benchmarks, each for another order and card, as our client sends them, and a gateway's callback. */

const { publicKey, privateKey } = testKeyPair()
/** With the address of every gateway here, for which OAuth signs, wherever it listens. */
export const merchant = {
  baseUrl: 'https://gate.example.com/paynet',
  login: 'shop',
  controlKey: testControlKey(),
  endpointId: '253',
  publicKey,
}
const { baseUrl, login, controlKey, endpointId } = merchant

let sent: OutgoingRequest | undefined
const client = createPaymentClient({
  baseUrl,
  login,
  controlKey,
  privateKey,
  endpointId,
  readAttempts: 1,
  transport: {
    send: async (request) => {
      sent = request
      return { kind: 'not-sent', seen: 'it was kept' }
    },
    close: async () => {},
  },
})

/** The bytes of a call. A read throws because it has no reply. */
async function bytesOf(call: () => Promise<unknown>): Promise<Uint8Array> {
  await call().catch(() => undefined)
  if (sent === undefined) throw new Error('nothing was sent')
  const { url, headers, body } = sent
  const fields = Object.entries({ host: '127.0.0.1', ...headers, 'content-length': String(Buffer.byteLength(body)) })
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`POST ${new URL(url).pathname} HTTP/1.1\r\n${head}\r\n${body}`)
}

/** A sale of 19 fields by control, and more fields if they are given. */
export function sale(index: number, run: string, more: Partial<RequestInput<'sale'>> = {}): Promise<Uint8Array> {
  const input = saleInput({ clientOrderId: `${run}${index}z`, cardNumber: cardNumber(index), ...more })
  return bytesOf(() => client.sale(input))
}

/** A hosted form for a sale, by control. */
export function saleForm(index: number, run: string): Promise<Uint8Array> {
  const input = buildInput('saleForm', { clientOrderId: `${run}${index}z`, amount: (10.42 + index).toFixed(2) })
  return bytesOf(() => client.saleForm(input))
}

/** A status request with both ids, or only with the merchant's. */
export function status(clientOrderId: string, orderId?: string): Promise<Uint8Array> {
  return bytesOf(() => client.status({ clientOrderId, orderId }))
}

/** A payout to an account by HMAC-SHA1 (v2), or its check by RSA-SHA256 (v4). */
export function payout(index: number, run: string, method: 'HMAC-SHA1' | 'RSA-SHA256'): Promise<Uint8Array> {
  const account = { ...customer, customerIp: '192.0.2.1', accountNumber: '40817810099910004312', bankName: 'A bank' }
  const input = {
    ...account,
    clientOrderId: `${run}${index}z`,
    amount: '10.42',
    currency: 'USD',
    orderDesc: 'Winnings',
  }
  return bytesOf(() => (method === 'HMAC-SHA1' ? client.payout(input) : client.payoutCheck(input)))
}

/** A charge of 9.99 EUR on that day of each month of 2030. */
export function recurringPayment(number: number, startDate: string, clock: Clock): Promise<OutgoingRequest> {
  const schedule = { amount: '9.99', currency: 'EUR', startDate, finishDate: '2030-12-31' }
  const order = { clientOrderId: `profile-${number}`, cardNumber: cardNumber(number), email: customer.email }
  return requestFixture(
    'createRecurringPayment',
    { ...schedule, ...order, serverCallbackUrl: 'https://shop.example.com/callback' },
    { baseUrl, login, controlKey, privateKey, clock, nonce: randomUUID },
  )
}

/** The order id of the first callback of a run. */
export const FIRST_ORDER_ID = 100_000_000_000_000

/** An approved sale's callback, as the gateway sends it. */
export async function callback(index: number, run: string): Promise<Uint8Array> {
  const orderId = String(FIRST_ORDER_ID + index)
  const query = signedCallback(
    {
      status: 'approved',
      orderId,
      clientOrderId: `${run}${index}z`,
      type: 'sale',
      amount: '10.42',
      currency: 'USD',
      descriptor: 'test-descriptor',
      processorTxId: `PNTEST-${orderId}`,
      approvalCode: '123456',
      name: 'JOHN SMITH',
      email: 'john.smith@example.com',
      cardType: 'VISA',
      bin: '444455',
      lastFourDigits: '1111',
    },
    controlKey,
  )
  return Buffer.from(`GET /callback?${query} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
}

/** 16 digits with a right check digit. */
function cardNumber(index: number): string {
  const digits = `444455${String(index % 1_000_000_000).padStart(9, '0')}`
  const sum = Array.from(digits, (digit, at) => Number(digit) * (at % 2 === 0 ? 2 : 1))
    .map((value) => (value > 9 ? value - 9 : value))
    .reduce((total, value) => total + value)
  return digits + String((10 - (sum % 10)) % 10)
}
