/**
 * One client of the benchmark, in a process of its own as in a shop: in one process with the others, V8 would optimize its code,
 * and undici's, for their calls as well.
 */
import assert from 'node:assert/strict'
import { createPaymentClient } from '@tallystick/client'
import { buildInput, customer, requestFixture, saleInput } from '@tallystick/testing'
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
const addresses = {
  redirectUrl: 'https://shop.example.com/pay/return',
  serverCallbackUrl: 'https://shop.example.com/pay/callback',
}
const [sale, payout] = [saleInput(addresses), buildInput('payout', { customerIp: '192.0.2.1' })]
const named = (number: number) => ({ clientOrderId: `order-${number}-z` })

function isTaken(result: { readonly outcome: string }): void {
  assert.equal(result.outcome, 'accepted')
}

/** Our client: a sale of 21 fields by control, or a payout by HMAC. */
function ours(port: number, operation: 'sale' | 'payout'): Call {
  const baseUrl = `http://127.0.0.1:${port}/paynet`
  const client = createPaymentClient({ baseUrl, login: 'bench', controlKey: key, endpointId: '253' })
  return operation === 'sale'
    ? async (number) => isTaken(await client.sale({ ...sale, ...named(number) }))
    : async (number) => isTaken(await client.payout({ ...payout, ...named(number) }))
}

/** Sends the same bytes, ready made, through a bare `dispatch`, reads the reply as text and compares its beginning. */
async function bare(port: number, operation: 'sale' | 'payout'): Promise<Call> {
  const options = { baseUrl: `http://127.0.0.1:${port}/paynet`, controlKey: key }
  const { url, headers, body } =
    operation === 'sale'
      ? await requestFixture('sale', { ...sale, ...named(1) }, options)
      : await requestFixture('payout', { ...payout, ...named(1) }, options)
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

/** A call of stripe-node with as many fields, to the same server. */
function stripe(port: number): Call {
  const { firstName: first_name, lastName: last_name, address1, city, state, zipCode, country, phone, email } = customer
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
      receipt_email: email,
      return_url: 'https://shop.example.com/pay/return',
      payment_method_data: {
        type: 'card',
        billing_details: {
          name: 'JOHN SMITH',
          email,
          phone,
          address: { line1: address1, city, state, postal_code: zipCode, country },
        },
      },
      metadata: { client_orderid: `order-${number}-z`, first_name, last_name, ipaddress: '192.0.2.1' },
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
