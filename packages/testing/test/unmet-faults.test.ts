import { memoryStore } from '@tallystick/gateway'
import { describe, expect, test } from 'vitest'
import { saleInput, type TestGateway, verifyScripts } from '../src/index.ts'
import { startedGateways } from './started-gateways.ts'

const start = startedGateways({ socket: false, sendCallback: async () => ({ status: 200 }) })

const serverCallbackUrl = 'https://shop.example.com/callback'

/** Sends a sale, with a callback address unless the test removes it. */
async function sell(gateway: TestGateway, changes: Parameters<typeof saleInput>[0] = {}) {
  const sale = saleInput({ serverCallbackUrl, ...changes })
  await gateway.client().sale(sale)
  await gateway.settled()
  const { orderId } = await gateway.order(sale.clientOrderId)
  return { clientOrderId: sale.clientOrderId, orderId }
}

describe('a fault of an order that never came is named', () => {
  test.each([
    'callBackTwice',
    'loseReplyAfterCommit',
    'beUnknownThenApproved',
    'chargeBackAfterReturn',
    'abandonThreeDs',
  ] as const)('%s', async (act) => {
    const gateway = await start()
    gateway.forOrder('abc')[act]()
    expect(() => verifyScripts()).toThrow(`gateway: forOrder('abc').${act}(): no request opened an order`)
  })

  test('with the order that may have been meant', async () => {
    const gateway = await start()
    gateway.forOrder('invoice-seventyseven').callBackTwice()
    await sell(gateway, { clientOrderId: 'invoice-seventyseve' })
    const message =
      "forOrder('invoice-seventyseven').callBackTwice(): no request opened it; did you mean invoice-seventyseve?"
    expect(() => gateway.verify()).toThrow(message)
  })

  test('or else with those that came', async () => {
    const gateway = await start()
    gateway.forOrder('abc').callBackTwice()
    await sell(gateway, { clientOrderId: 'invoice-a' })
    await sell(gateway, { clientOrderId: 'invoice-b' })
    expect(() => gateway.verify()).toThrow('no request opened it; there were invoice-a, invoice-b')
  })

  test('unless the order may have been opened elsewhere: before, or by the gateway itself', async () => {
    const gateway = await start({ store: memoryStore() })
    gateway.forOrder('abc').callBackTwice()
    expect(() => gateway.verify()).not.toThrow()
    const other = await start()
    other.forOrder('123456789012345-1').callBackTwice()
    expect(() => other.verify()).not.toThrow()
  })
})

describe('a fault that did nothing is named', () => {
  test('of a reply and of an outcome, if the order came but nothing of it met the fault', async () => {
    const gateway = await start()
    const { clientOrderId } = await sell(gateway)
    gateway.forOrder(clientOrderId).truncateReply()
    gateway.forOrder(clientOrderId).beUnknownThenDeclined()
    await gateway.client().status({ clientOrderId })
    expect(() => gateway.verify()).toThrow(
      [
        `  gateway: forOrder('${clientOrderId}').truncateReply(): no request that changes this order came after it`,
        `  gateway: forOrder('${clientOrderId}').beUnknownThenDeclined(): the acquirer was given no operation`,
      ].join('\n'),
    )
  })

  test('of the callbacks, if the order has no address for them', async () => {
    const gateway = await start()
    const { clientOrderId } = await sell(gateway, { serverCallbackUrl: undefined })
    gateway.forOrder(clientOrderId).callBackTwice()
    const why = 'it has no serverCallbackUrl and no notifyUrl, so nothing was called'
    expect(() => gateway.verify()).toThrow(`gateway: forOrder('${clientOrderId}').callBackTwice(): ${why}`)
  })

  test('of the issuer, if nothing was returned', async () => {
    const gateway = await start()
    gateway.next('sale').chargeBackAfterReturn()
    const sold = await sell(gateway)
    const message = "gateway: next('sale').chargeBackAfterReturn(): nothing of this order was returned"
    expect(() => gateway.verify()).toThrow(message)
    await gateway.client().return({ ...sold, amount: '1.00', currency: 'USD', comment: 'Broken' })
    gateway.verify()
  })

  test('of the callbacks, if it was asked for a status and no order was opened', async () => {
    const gateway = await start()
    gateway.next('status').callBackOutOfOrder()
    await gateway
      .client()
      .status({ clientOrderId: 'a-1-z' })
      .catch(() => undefined)
    expect(() => gateway.verify()).toThrow("gateway: next('status').callBackOutOfOrder(): no request opened an order")
  })
})

test('an order that came through `handle`, as in an app with a mounted gateway, is known', async () => {
  const gateway = await start()
  const sale = saleInput({ clientOrderId: 'invoice-a' })
  gateway.forOrder('invoice-a').replySlowly()
  gateway.forOrder('invoice-b').replySlowly()
  const body = new URLSearchParams({ client_orderid: sale.clientOrderId }).toString()
  await gateway.handle({ method: 'POST', url: '/paynet/api/v2/sale/253', headers: {}, body })
  expect(() => gateway.verify()).toThrow("forOrder('invoice-b').replySlowly(): no request opened it; did you mean")
})

test('faults that were met are not reported', async () => {
  const gateway = await start()
  const sale = saleInput({ serverCallbackUrl })
  gateway.forOrder(sale.clientOrderId).callBackTwice()
  gateway.forOrder(sale.clientOrderId).failAfterCommit()
  gateway.next('sale').beUnknownThenApproved()
  await gateway.client().sale(sale)
  await gateway.settled()
  expect(() => gateway.verify()).not.toThrow()
})

describe('the error for a fault that was asked for wrongly says how to ask', () => {
  /** A program without types may write anything. */
  const untyped = (scenario: unknown) =>
    scenario as Readonly<Record<string, () => Readonly<Record<string, () => void>>>>

  test.each([
    ['looseReply', 'did you mean loseReplyBeforeCommit or loseReplyAfterCommit?'],
    ['callbackTwice', 'did you mean callBackTwice?'],
    ['explode', 'there are loseReplyBeforeCommit, '],
  ])('%s', async (act, advice) => {
    const gateway = await start()
    const wrong = () => untyped(gateway.next('sale'))[act]?.()
    expect(wrong).toThrow(TypeError)
    expect(wrong).toThrow(`gateway.next('sale'): there is no ${act}; ${advice}`)
    expect(() => untyped(gateway.forOrder('abc'))[act]).toThrow(`gateway.forOrder('abc'): there is no ${act}; `)
  })

  test('two at once', async () => {
    const gateway = await start()
    expect(() => untyped(gateway.next('sale'))['loseReplyAfterCommit']?.()['callBackTwice']).toThrow(
      "ask for each fault in a statement of its own: gateway.next('sale').callBackTwice()",
    )
    await gateway.client().sale(saleInput())
  })

  test('but awaiting or printing one is no error', async () => {
    const gateway = await start()
    expect(Object.keys(await Promise.resolve(gateway.next('sale')))).toContain('callBackTwice')
    await Promise.resolve(gateway.next('sale').truncateReply() as unknown)
    expect(`${Object.keys(gateway.next('sale').truncateReply() as unknown as object)}`).toBe('')
    gateway.faults.clear()
    gateway.verify()
  })
})
