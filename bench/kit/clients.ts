/**
 * One client of the benchmark, in a process of its own as in a shop: in one process with the others, V8 would optimize its code,
 * and undici's, for their calls as well.
 */
import assert from 'node:assert/strict'
import { createPaymentClient } from '@tallystick/client'
import { defineProfile, type RequestInput } from '@tallystick/core'
import Stripe from 'stripe'
import { Agent, type Dispatcher } from 'undici'
import { report } from './processes.ts'

export interface ClientSetUp {
  readonly name: ClientName
  /** Of the server that it calls. */
  readonly port: number
}

/** How many calls to make, and how many of them at a time. */
export interface Round {
  readonly calls: number
  readonly inFlight: number
}

export interface Cost {
  /** CPU time of a call in microseconds, of all threads. */
  readonly cpu: number
  /** In milliseconds. */
  readonly p99: number
}

/** One call, which throws if its result is wrong. */
type Call = (number: number) => Promise<void>

const key = 'D5F82EC1-8575-4482-AD89-97F6X0X20X22'

const saleInput = (number: number): RequestInput<'sale'> => ({
  clientOrderId: `order-${number}-z`,
  orderDesc: 'Two cups of tea & a biscuit',
  firstName: 'John',
  lastName: 'Smith',
  address1: '100 Main st',
  city: 'Seattle',
  state: 'WA',
  zipCode: '98102',
  country: 'US',
  phone: '+12063582043',
  email: 'john.smith@example.com',
  customerIp: '192.0.2.1',
  amount: '10.42',
  currency: 'USD',
  cardNumber: '4444555566661111',
  cardPrintedName: 'JOHN SMITH',
  expireMonth: '12',
  expireYear: '2039',
  cvv2: '123',
  redirectUrl: 'https://shop.example.com/pay/return',
  serverCallbackUrl: 'https://shop.example.com/pay/callback',
})

const payoutInput = (number: number): RequestInput<'payout'> => ({
  clientOrderId: `order-${number}-z`,
  amount: '10.42',
  currency: 'USD',
  orderDesc: 'Winnings',
  cardNumber: '4444555566661111',
  customerIp: '192.0.2.1',
  serverCallbackUrl: 'https://shop.example.com/pay/callback',
})

function isTaken(result: { readonly outcome: string }): void {
  assert.equal(result.outcome, 'accepted')
}

/** Our client: a sale of 21 fields by control, or a payout by HMAC. */
function ours(port: number, operation: 'sale' | 'payout'): Call {
  const profile = defineProfile({ baseUrl: `http://127.0.0.1:${port}/paynet` })
  const client = createPaymentClient({ profile, login: 'bench', controlKey: key, endpointId: '253' })
  return operation === 'sale'
    ? async (number) => isTaken(await client.sale(saleInput(number)))
    : async (number) => isTaken(await client.payout(payoutInput(number)))
}

/** Sends the same bytes, ready made, through a bare `dispatch`, reads the reply as text and compares its beginning. */
async function bare(port: number, operation: 'sale' | 'payout'): Promise<Call> {
  const { url, headers, body } = await sentBytes(port, operation)
  const { origin, pathname: path } = new URL(url)
  const agent = new Agent({ allowH2: false })
  return () =>
    new Promise((resolve, reject) => {
      const chunks: Uint8Array[] = []
      let status = 0
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode) => {
          status = statusCode
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () => {
          const text = Buffer.concat(chunks).toString('utf8')
          if (status === 200 && text.startsWith('{"type":"async-response"')) resolve()
          else reject(new Error(text))
        },
        onResponseError: (_controller, error) => reject(error),
      }
      agent.dispatch({ origin, path, method: 'POST', headers, body }, handler)
    })
}

/** The bytes that our client sends, recorded from it. */
async function sentBytes(port: number, operation: 'sale' | 'payout') {
  const sent: Array<{ url: string; headers: Record<string, string>; body: string }> = []
  const profile = defineProfile({ baseUrl: `http://127.0.0.1:${port}/paynet` })
  const client = createPaymentClient({
    profile,
    login: 'bench',
    controlKey: key,
    endpointId: '253',
    transport: {
      send: async ({ url, headers, body }) => {
        sent.push({ url, headers: { ...headers }, body })
        return { kind: 'lost', seen: 'recorded' }
      },
      close: async () => undefined,
    },
  })
  await (operation === 'sale' ? client.sale(saleInput(1)) : client.payout(payoutInput(1)))
  const [first] = sent
  assert.ok(first)
  return first
}

/** A call of stripe-node with as many fields, to the same server. */
function stripe(port: number): Call {
  const api = new Stripe('sk_test_bench', {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  })
  return async (number) => {
    const intent = await api.paymentIntents.create({
      amount: 1042,
      currency: 'usd',
      description: 'Two cups of tea & a biscuit',
      confirm: true,
      receipt_email: 'john.smith@example.com',
      return_url: 'https://shop.example.com/pay/return',
      payment_method_data: {
        type: 'card',
        billing_details: {
          name: 'JOHN SMITH',
          email: 'john.smith@example.com',
          phone: '+12063582043',
          address: { line1: '100 Main st', city: 'Seattle', state: 'WA', postal_code: '98102', country: 'US' },
        },
      },
      metadata: { client_orderid: `order-${number}-z`, first_name: 'John', last_name: 'Smith', ipaddress: '192.0.2.1' },
    })
    assert.equal(intent.status, 'succeeded')
  }
}

const clients = {
  bare: (port: number) => bare(port, 'sale'),
  ours: (port: number) => ours(port, 'sale'),
  bareHmac: (port: number) => bare(port, 'payout'),
  oursHmac: (port: number) => ours(port, 'payout'),
  stripe,
}
export type ClientName = keyof typeof clients

const { name, port } = JSON.parse(process.argv[2] ?? '{}') as ClientSetUp
const call = await clients[name](port)
report(port, (question) => (question === 'usage' ? undefined : costOf(question as Round)))

async function costOf({ calls, inFlight }: Round): Promise<Cost> {
  const latencies: number[] = []
  let next = 0
  const worker = async () => {
    for (let number = next++; number < calls; number = next++) {
      const started = performance.now()
      await call(number)
      latencies.push(performance.now() - started)
    }
  }
  const before = process.cpuUsage()
  await Promise.all(Array.from({ length: inFlight }, worker))
  const { user, system } = process.cpuUsage(before)
  latencies.sort((a, b) => a - b)
  return { cpu: (user + system) / calls, p99: latencies[Math.floor(calls * 0.99)] ?? Number.NaN }
}
