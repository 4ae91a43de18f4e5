import { expect, test } from 'vitest'
import { APPROVED, deciding, declined, UNKNOWN, undecided } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { fieldsOf, SALE } from '../support/signed-requests.ts'
import { committing } from '../support/stores.ts'
import type { TestGatewayOptions } from '../support/test-gateway.ts'

/** The errors within a day after a sale was acknowledged, and for each whether it is reported with the sale's serial number. */
async function heardOf(options: TestGatewayOptions, later = () => {}) {
  const { gateway, request, clock, heard } = desk(options)
  const sold = request('/api/v2/sale', { ...SALE, server_callback_url: 'https://shop.example.com/cb' })
  const reply = fieldsOf(await gateway.handle(sold))
  await clock.advance('1d')
  later()
  await gateway.settled()
  const isOfSale = heard.map(([, serialNumber]) => serialNumber === reply['serial-number'])
  return { errors: heard.map(([error]) => (error as Error).message), isOfSale }
}

const boom = () => Promise.reject(new Error('boom'))

test('an acquirer that throws is reported with the failed request, and so is each look-up', async () => {
  const { errors, isOfSale } = await heardOf({ acquirer: deciding({ execute: boom, lookup: boom }) })
  expect(errors.length).toBeGreaterThan(3)
  expect([new Set(errors), new Set(isOfSale)]).toEqual([
    new Set(['The acquirer has failed in execute: boom', 'The acquirer has failed in lookup: boom']),
    new Set([true]),
  ])
})

test('an acquirer that does not answer, and later contradicts the outcome, is reported with the request', async () => {
  const { execute, decide } = undecided()
  const acquirer = deciding({ execute, lookup: async () => APPROVED })
  const { errors, isOfSale } = await heardOf({ acquirer }, () => decide(declined()))
  expect(errors).toEqual([
    expect.stringMatching(/^The acquirer has not answered for 15 minutes/),
    expect.stringMatching(/^The acquirer has declined the sale/),
  ])
  expect(isOfSale).toEqual([true, true])
})

test.for([
  ['the outcome', APPROVED, 5],
  ['that the outcome is not known', UNKNOWN, 5],
] as const)('a store that cannot take %s is told with the request, each time', async ([, decision, times]) => {
  let left: number = times
  const store = committing(async ({ order }, commit) => {
    if (order === undefined || order.basedOn === 'nothing' || left === 0) return await commit()
    left--
    throw new Error('the disk is full')
  })
  const acquirer = deciding({ execute: async () => decision, lookup: async () => APPROVED })
  const { errors, isOfSale } = await heardOf({ store, acquirer })
  expect(errors).toEqual(Array.from({ length: times }, () => 'the disk is full'))
  expect(new Set(isOfSale)).toEqual(new Set([true]))
})

test('a callback whose result cannot be written is reported with the request whose outcome it has', async () => {
  let left = 2
  const store = committing(async ({ attempts = [] }, commit) => {
    if (attempts.length === 0 || left === 0) return await commit()
    left--
    throw new Error('the disk is full')
  })
  const { errors, isOfSale } = await heardOf({ store })
  expect([errors, isOfSale]).toEqual([
    ['the disk is full', 'the disk is full'],
    [true, true],
  ])
})

test('what the last process had sent is reported with its request if the look-up fails', async () => {
  const { execute } = undecided()
  const first = desk({ acquirer: deciding({ execute }) })
  const reply = fieldsOf(await first.gateway.handle(first.request('/api/v2/sale', SALE)))
  const next = desk({ store: first.store, acquirer: deciding({ lookup: boom }) })
  await next.recovered()
  expect(next.heard).toEqual([
    [new Error('The acquirer has failed in lookup: boom', { cause: new Error('boom') }), reply['serial-number']],
  ])
})

test('a listener of callbacks that throws is reported with the request whose outcome the callback had', async () => {
  const { errors, isOfSale } = await heardOf({ onCallback: () => void JSON.parse('{') })
  expect([errors.length, isOfSale]).toEqual([1, [true]])
})
