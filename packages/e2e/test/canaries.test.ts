import { format, inspect } from 'node:util'
import { createPaymentClient } from '@tallystick/client'
import { operationKeys } from '@tallystick/core'
import { simulator } from '@tallystick/gateway'
import { cards, saleInput, startGateway } from '@tallystick/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inputs } from './support/inputs.ts'
import { formsOf, innocentIn, type Secret, scan } from './support/secret-scan.ts'

/** A card number and a CVV that occur nowhere else in the product. */
const PAN = '4485940822379130'
const CVV = '9173'
const CARD_NUMBER: Secret = { name: 'PAN', bytes: Buffer.from(PAN) }
const VERIFICATION: Secret = { name: 'CVV', bytes: Buffer.from(CVV), isShort: true }

const printed: string[] = []
beforeEach(() => {
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => printed.push(String(chunk)) > 0)
  }
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** Everything that a value can be made to print. */
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

test('no PAN, CVV, control key or private key in results, errors, logs or printed objects', async () => {
  const heard: string[] = []
  const acquirer = {
    ...simulator(),
    execute: async () => {
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

  const said = [...heard, ...printed].join('\n')
  const channel = { name: 'what was said', bytes: Buffer.from(said), innocent: innocentIn([said]) }
  const keys = [controlKey, ...privateKey.split('\n').slice(1, -2)].map((key) => ({
    name: 'a key',
    bytes: Buffer.from(key),
  }))
  expect(said.length).toBeGreaterThan(10_000)
  expect(scan([channel], [CARD_NUMBER, VERIFICATION, ...keys])).toEqual([])
})

test('the scan finds what is planted', () => {
  for (const { form, pattern } of formsOf(CARD_NUMBER)) {
    const bytes = Buffer.from(channels({ planted: { deep: [pattern.toString('latin1')] } }), 'latin1')
    // Printed as a text, a zero byte is an escape.
    const isSpelledOtherwise = form.startsWith('utf16')
    expect([form, scan([{ name: 'it', bytes }], [CARD_NUMBER]).length > 0 || isSpelledOtherwise]).toEqual([form, true])
  }
})
