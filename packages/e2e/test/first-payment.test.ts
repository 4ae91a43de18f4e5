import { createCallbackHandler, createPaymentClient, type Inbound, type PaymentOutcome } from '@tallystick/client'
import { defineProfile } from '@tallystick/core'
import { virtualClock } from '@tallystick/gateway'
import {
  cards,
  type StartGatewayOptions,
  saleInput,
  signedCallback,
  startGateway,
  type TestGateway,
} from '@tallystick/testing'
import { afterEach, describe, expect, test } from 'vitest'

const open: TestGateway[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((gateway) => gateway.close()))
})

/** A gateway whose callbacks go straight to a handler of the shop, which collects the outcomes. */
async function shopAndGateway(options: StartGatewayOptions = {}) {
  const outcomes: PaymentOutcome[] = []
  const inbound: Inbound[] = []
  const answers: number[] = []
  const gateway = await startGateway({
    ...options,
    sendCallback: async (url) => {
      const callback = { method: 'GET', query: new URL(url).search.slice(1) }
      inbound.push(callback)
      const { status } = await handle(callback)
      answers.push(status)
      return { status }
    },
  })
  open.push(gateway)
  const client = gateway.client()
  const take = (outcome: PaymentOutcome) => void outcomes.push(outcome)
  const handle = createCallbackHandler({ client, onOutcome: take, onNotice: take })
  return { gateway, client, handle, outcomes, inbound, answers }
}

const serverCallbackUrl = 'http://shop.example.com/payments/callback'

describe('a sale from the shop to its final status', () => {
  test('[S1-15] [S4-33] [S6-02] [S6-03] [S6-04] an approved sale is called back and confirmed by status', async () => {
    const { gateway, client, outcomes, inbound, answers } = await shopAndGateway()
    const input = saleInput({ amount: '10.42', currency: 'USD', serverCallbackUrl })
    const result = await client.sale(input)
    await gateway.settled()
    expect(result).toMatchObject({ outcome: 'accepted', reply: { type: 'async-response' } })
    expect(outcomes).toMatchObject([{ status: 'approved', clientOrderId: input.clientOrderId }])
    expect(outcomes[0]?.reply).toMatchObject({ amount: '10.42', currency: 'USD', transactionType: 'sale' })
    expect(new URLSearchParams(inbound[0]?.query).get('merchant_order')).toBe(input.clientOrderId)
    expect(answers).toEqual([200])
  })

  test('[G9-01] a declined sale is accepted first, and declined by its status', async () => {
    const { gateway, client, outcomes } = await shopAndGateway()
    const result = await client.sale(saleInput({ ...cards.insufficientFunds, serverCallbackUrl }))
    await gateway.settled()
    expect(result.outcome).toBe('accepted')
    expect(outcomes).toMatchObject([{ status: 'declined', reply: { errorMessage: 'Not sufficient funds' } }])
  })

  test('[S4-41] polling reads the outcome by the client order id alone', async () => {
    const { gateway, client } = await shopAndGateway()
    const input = saleInput()
    await client.sale(input)
    await gateway.settled()
    expect(await client.status({ clientOrderId: input.clientOrderId })).toMatchObject({ status: 'approved' })
  })

  test('[S6-01] without an address nothing is sent: there is no stream of events', async () => {
    const { gateway, client, inbound } = await shopAndGateway()
    await client.sale(saleInput())
    await gateway.settled()
    expect(inbound).toEqual([])
  })

  test('an order that is unknown to the acquirer is not called back', async () => {
    const { gateway, client, outcomes } = await shopAndGateway()
    const input = saleInput({ ...cards.unknown, serverCallbackUrl })
    await client.sale(input)
    await gateway.settled()
    expect(outcomes).toEqual([])
    expect(await client.status({ clientOrderId: input.clientOrderId })).toMatchObject({ status: 'unknown' })
  })

  test('[S4-07] [S7-01] a refusal of the gateway names the field by both its names', async () => {
    const { client } = await shopAndGateway({ currencies: ['EUR'] })
    const result = await client.sale(saleInput({ currency: 'USD' }))
    expect(result).toMatchObject({ outcome: 'rejected', error: { code: 'REJECTED', httpStatus: 400 } })
    expect(result.outcome === 'rejected' && result.error.errorMessage).toContain(
      'currency (currency) must be one of EUR',
    )
  })

  test('[G2.1-01] [G2.1-02] the classic reply format carries the same payment', async () => {
    const { gateway } = await shopAndGateway({ replyFormat: 'classic' })
    const { baseUrl, ...merchant } = gateway.merchant
    const client = createPaymentClient({ ...merchant, profile: defineProfile({ baseUrl, replyFormat: 'classic' }) })
    const input = saleInput()
    expect(await client.sale(input)).toMatchObject({
      outcome: 'accepted',
      reply: { clientOrderId: input.clientOrderId },
    })
    await gateway.settled()
    expect(await client.status({ clientOrderId: input.clientOrderId })).toMatchObject({ status: 'approved' })
    expect(await client.sale({ ...input, amount: '11.00' })).toMatchObject({
      outcome: 'unknown',
      error: { code: 'GATEWAY_ERROR', httpStatus: 200 },
    })
    expect(await client.void({ clientOrderId: 'anotherz', orderId: '123456789012345' })).toMatchObject({
      outcome: 'rejected',
      error: { httpStatus: 200 },
    })
    await client.close()
  })
})

describe('callbacks that lie', () => {
  test('[G6-09] a signed callback with another amount leaves the amount of the status', async () => {
    const { gateway, client, handle, outcomes } = await shopAndGateway()
    const input = saleInput({ amount: '10.42' })
    const sale = await client.sale(input)
    await gateway.settled()
    const orderId = sale.outcome === 'accepted' ? sale.reply.orderId : ''
    const notice = { status: 'approved', orderId, clientOrderId: input.clientOrderId, amount: '0.01' }
    const query = signedCallback(notice, gateway.merchant.controlKey)
    expect(await handle({ method: 'GET', query })).toMatchObject({ status: 200 })
    expect(outcomes).toMatchObject([{ reply: { amount: '10.42' } }])
  })

  test('a callback that calls a declined order approved brings the status, not the claim', async () => {
    const { gateway, client, handle, outcomes } = await shopAndGateway()
    const input = saleInput(cards.declined)
    const sale = await client.sale(input)
    await gateway.settled()
    const orderId = sale.outcome === 'accepted' ? sale.reply.orderId : ''
    const notice = { status: 'approved', orderId, clientOrderId: input.clientOrderId }
    await handle({ method: 'GET', query: signedCallback(notice, gateway.merchant.controlKey) })
    expect(outcomes).toMatchObject([{ status: 'declined' }])
  })

  test('a forged callback is refused and causes no status check', async () => {
    const { handle, outcomes } = await shopAndGateway()
    const notice = { status: 'approved', orderId: '123456789012345', clientOrderId: 'a1b' }
    expect(await handle({ method: 'GET', query: signedCallback(notice, 'a key') })).toMatchObject({ status: 403 })
    expect(outcomes).toEqual([])
  })
})

test('[G13-03] a callback that fails comes again after the documented wait', async () => {
  const clock = virtualClock()
  const statuses = [503, 200]
  const gateway = await startGateway({
    clock,
    sendCallback: async () => ({ status: statuses.shift() ?? 200 }),
    onCallback: () => {},
  })
  open.push(gateway)
  await gateway.client().sale(saleInput({ serverCallbackUrl }))
  await gateway.settled()
  expect(statuses).toEqual([200])
  await clock.advance(6000)
  await gateway.settled()
  expect(statuses).toEqual([])
})
