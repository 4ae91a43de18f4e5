import { format, inspect } from 'node:util'
import { createPaymentClient } from '@tallystick/client'
import { operationKeys } from '@tallystick/core'
import { cards, saleInput, startGateway } from '@tallystick/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inputs } from './support/inputs.ts'

/** A card number and a CVV that stand nowhere else in the product. */
const PAN = '4485940822379130'
const CVV = '9173'

const printed: string[] = []
beforeEach(() => {
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => printed.push(String(chunk)) > 0)
  }
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** Everything that a value can be made to say. */
function channels(value: unknown): string {
  const error = value as { message?: string; stack?: string; cause?: unknown }
  return [
    inspect(value, { showHidden: true, depth: Number.POSITIVE_INFINITY, getters: true }),
    format('%s %o %O %j', value, value, value, value),
    JSON.stringify(value),
    error?.message,
    error?.stack,
    inspect(error?.cause, { showHidden: true, depth: Number.POSITIVE_INFINITY }),
  ].join('\n')
}

function encodings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  return [secret, encodeURIComponent(secret), bytes.toString('base64'), bytes.toString('hex')]
}

test('no PAN, CVV, control key or private key in results, errors, logs or printed objects', async () => {
  const heard: string[] = []
  const acquirer = {
    prepare: async () => 'reference',
    authorize: async () => {
      throw new Error('the acquirer is down')
    },
  }
  const gateway = await startGateway({ onError: (error) => heard.push(channels(error)), acquirer })
  const controlKey = gateway.merchant.controlKey.reveal()
  const privateKey = gateway.merchant.privateKey.reveal()
  const client = gateway.client()
  const wrongKey = gateway.client({ controlKey: `${controlKey}!` })
  const nowhere = createPaymentClient({ ...gateway.merchant, baseUrl: 'http://127.0.0.1:1' })

  const card = { cardNumber: PAN, cvv2: CVV }
  for (const candidate of [client, wrongKey, nowhere]) {
    heard.push(channels(candidate))
    heard.push(channels(await candidate.sale(saleInput(card))))
    heard.push(channels(await candidate.sale(saleInput({ ...card, expireMonth: '13' }))))
    heard.push(
      channels(await candidate.sale(saleInput({ ...card, amount: PAN, email: PAN, phone: CVV, currency: CVV }))),
    )
    heard.push(channels(await candidate.sale(saleInput({ ...cards.approved, cardNumber: `${PAN}0`, cvv2: `${CVV}1` }))))
    for (const key of operationKeys) {
      const input = { ...inputs[key], ...('cardNumber' in inputs[key] ? card : {}) }
      heard.push(channels(await (client[key] as (given: unknown) => Promise<unknown>)(input).catch((error) => error)))
    }
  }
  await gateway.settled()
  heard.push(channels(gateway), channels(await client.status({ clientOrderId: 'a1b' }).catch((error) => error)))
  await nowhere.close()
  await gateway.close()

  const said = [...heard, ...printed].join('\n').replaceAll(gateway.merchant.login, '')
  const keyBody = privateKey.split('\n').slice(1, -2)
  const found = [PAN, CVV, controlKey, ...keyBody].flatMap(encodings).filter((secret) => said.includes(secret))
  expect(said.length).toBeGreaterThan(10_000)
  expect(found).toEqual([])
})

test('the scan finds what is planted', () => {
  for (const encoded of encodings(PAN)) expect(channels({ planted: { deep: [encoded] } })).toContain(encoded)
})
