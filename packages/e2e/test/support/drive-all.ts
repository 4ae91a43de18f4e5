import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import { createPaymentClient, type PaymentClient, type Transport, undiciTransport } from '@tallystick/client'
import { operationKeys } from '@tallystick/core'
import { cards, testKeyPair } from '@tallystick/testing'
import { flows, type Merchant } from './flows.ts'

export interface Drive {
  readonly merchant: {
    readonly baseUrl: string
    readonly login: string
    readonly endpointId: string
    readonly controlKey: string
  }
  /** The cards to pay with. */
  readonly canaries: readonly Canary[]
  /** Collects everything that a caller gets to see. */
  readonly heard: string[]
  readonly notifyUrl: string | undefined
}

export interface Canary {
  readonly cardNumber: string
  readonly cvv2: string
}

/** Sends every operation with every canary, signed with the right key and with a wrong one, and malformed requests. */
export async function driveAll({ merchant: named, canaries, heard, notifyUrl }: Drive): Promise<void> {
  const { privateKey } = testKeyPair()
  const transport = recording(heard)
  let nonces = 0
  const nonce = () => `nonce-${'abcdefghij'.charAt(nonces++ % 10).repeat(1 + (nonces % 40))}${'k'.repeat(nonces / 40)}`
  const client = createPaymentClient({ ...named, privateKey, transport, nonce })
  const stranger = createPaymentClient({ ...named, privateKey, controlKey: `${named.controlKey}!`, transport, nonce })
  for (const canary of canaries) {
    const card = { ...cards.approved, ...canary }
    const merchant = { client, card, settled: settledBy(client), ...(notifyUrl === undefined ? {} : { notifyUrl }) }
    for (const key of operationKeys) heard.push(await tell(key, merchant, client), await tell(key, merchant, stranger))
    heard.push(...(await outOfShape(canary, named)))
  }
  await client.close()
}

/** What the caller gets to see of an operation, or of one that had to come before it. */
async function tell<K extends keyof typeof flows>(key: K, merchant: Merchant, client: PaymentClient): Promise<string> {
  try {
    const method = client[key] as (input: unknown) => Promise<unknown>
    return inspect(await method(await flows[key](merchant)), { depth: 10, showHidden: true })
  } catch (error) {
    return inspect(error, { depth: 10, showHidden: true })
  }
}

function recording(heard: string[]): Transport {
  const { send, close } = undiciTransport()
  return {
    close,
    send: async (...request) => {
      const exchange = await send(...request)
      heard.push(exchange.kind === 'replied' ? exchange.body : exchange.seen)
      return exchange
    },
  }
}

function settledBy(client: PaymentClient) {
  return async (clientOrderId: string): Promise<void> => {
    for (;;) {
      const { status, orderStage } = await client.status({ clientOrderId })
      if (status !== 'processing' || orderStage !== undefined) return
      await pause(5)
    }
  }
}

/** Card data where none belongs, and requests that no client makes. */
async function outOfShape({ cardNumber, cvv2 }: Canary, { baseUrl, endpointId, controlKey }: Drive['merchant']) {
  const card = { credit_card_number: cardNumber, cvv2 }
  const fields = { client_orderid: 'shapeless', amount: '1.00', currency: 'USD', email: 'a@example.com', ...card }
  const control = createHash('sha1').update(`${endpointId}shapeless100a@example.com${controlKey}`).digest('hex')
  const sale = `/api/v2/sale/${endpointId}`
  const form = (changes: Readonly<Record<string, string>>) => new URLSearchParams({ ...fields, control, ...changes })
  const requests: readonly (readonly [path: string, body: string, headers?: Readonly<Record<string, string>>])[] = [
    [sale, String(form({}))],
    [sale, String(form({ expire_month: cardNumber, expire_year: cvv2 }))],
    [sale, String(form({ amount: cardNumber, currency: cvv2 }))],
    [sale, String(form({ control: cardNumber }))],
    [sale, String(form({ cvv2: `${cvv2}${cardNumber}` }))],
    [sale, `${form({})}&credit_card_number=${cardNumber}`],
    [sale, `${form({})}&${cardNumber}=%`],
    [sale, `${form({})}&padding=${cardNumber.repeat(5000)}`],
    [sale, JSON.stringify(fields), { 'content-type': 'application/json' }],
    [sale, String(form({})), { accept: `text/${cardNumber}` }],
    [sale, String(form({})), { authorization: `OAuth oauth_consumer_key="${cardNumber}"` }],
    [`/api/v2/sale/${cardNumber}`, String(form({}))],
    [`/api/v2/${cardNumber}/${endpointId}`, String(form({}))],
    [`${sale}?credit_card_number=${cardNumber}&cvv2=${cvv2}`, String(form({}))],
  ]
  const usual = { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' }
  return await Promise.all(
    requests.map(async ([path, body, headers]) => {
      const reply = await fetch(baseUrl + path, { method: 'POST', body, headers: { ...usual, ...headers } })
      return `${reply.status} ${inspect(reply.headers)} ${await reply.text()}`
    }),
  )
}
