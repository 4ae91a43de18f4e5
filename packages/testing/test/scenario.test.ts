import { FAULTS } from '@tallystick/gateway'
import { expect, test } from 'vitest'
import { ACTS } from '../src/gateway/scenario.ts'
import { cards, cardWithFault, saleInput, startGateway, verifyScripts } from '../src/index.ts'
import { startedGateways } from './started-gateways.ts'

const start = startedGateways({ socket: false })

test('every fault of the gateway has a method', () => {
  expect(Object.values(ACTS).sort()).toEqual(Object.keys(FAULTS).sort())
})

test('a reply that is lost after the commit leaves an order, and one before it none', async () => {
  const gateway = await start()
  const client = gateway.client()
  const [lost, never] = [saleInput(), saleInput()]
  gateway.next('sale').loseReplyAfterCommit()
  gateway.next('sale').loseReplyBeforeCommit()
  expect(await client.sale(lost)).toMatchObject({ outcome: 'unknown' })
  expect(await client.sale(never)).toMatchObject({ outcome: 'unknown' })
  await gateway.settled()
  expect(await gateway.order(lost.clientOrderId)).toMatchObject({ status: 'approved' })
  await expect(gateway.order(never.clientOrderId)).rejects.toThrow(
    `The merchant has no order ${never.clientOrderId}: nothing of it arrived, or it was refused`,
  )
  gateway.verify()
})

test('no order is shown without its id', async () => {
  const gateway = await start()
  await gateway.client().sale(saleInput())
  const sale: { readonly id?: string } = {}
  await expect(gateway.order(sale.id as string)).rejects.toThrow(
    'gateway.order: the client order id must be a text, not undefined',
  )
})

test('a fault of one order affects only that order', async () => {
  const gateway = await start()
  const client = gateway.client()
  const [struck, spared] = [saleInput(), saleInput()]
  gateway.forOrder(struck.clientOrderId).failAfterCommit()
  expect((await client.sale(spared)).outcome).toBe('accepted')
  expect(await client.sale(struck)).toMatchObject({ outcome: 'unknown', error: { code: 'GATEWAY_ERROR' } })
})

test.each([
  ['unknownThenApproved', 'approved'],
  ['unknownThenDeclined', 'declined'],
] as const)('[G10-05] the card %s ends %s, a minute later', async (name, status) => {
  const gateway = await start()
  const client = gateway.client()
  const sale = saleInput(cards[name])
  await client.sale(sale)
  await gateway.settled()
  expect(await client.status({ clientOrderId: sale.clientOrderId })).toMatchObject({ status: 'unknown' })
  await gateway.clock.advance('1m')
  expect(await client.status({ clientOrderId: sale.clientOrderId })).toMatchObject({ status })
})

test('a card gives its orders the fault of its number', async () => {
  const gateway = await start()
  expect(await gateway.client().sale(saleInput(cardWithFault('overloaded')))).toMatchObject({ outcome: 'unknown' })
  expect(await gateway.orders()).toEqual([])
})

test.for(['three-ds-abandoned', 'method-time-out'] as const)(
  'a card with a fault of 3DS asks for 3DS: %s',
  async (fault) => {
    const gateway = await start()
    const client = gateway.client()
    const sale = saleInput({ ...cardWithFault(fault), redirectUrl: 'https://shop.example.com/return' })
    await client.sale(sale)
    await gateway.settled()
    const { status, redirectTo = '' } = await client.status({ clientOrderId: sale.clientOrderId })
    expect(status).toBe('processing')
    const page = await (await gateway.fetch(redirectTo)).text()
    expect(page.includes('<iframe name="method"')).toBe(fault === 'method-time-out')
  },
)

test('a fault that no request met is named, once for each way of asking', async () => {
  const gateway = await start()
  gateway.next('capture').truncateReply()
  expect(() => gateway.verify()).toThrow("gateway: next('capture').truncateReply()")
  gateway.next('void').replyWithPage()
  expect(() => verifyScripts()).toThrow("gateway: next('void').replyWithPage()")
  verifyScripts()
})

test('a gateway that is declared with `await using` is closed and verified', async () => {
  const gateway = await startGateway({ socket: false })
  gateway.next('sale').refuseAsOverloaded()
  await expect(gateway[Symbol.asyncDispose]()).rejects.toThrow("next('sale').refuseAsOverloaded()")
  expect(await gateway.client().sale(saleInput())).toMatchObject({ outcome: 'notSent' })
})

test('without a sandbox, what only a sandbox can do is an error', async () => {
  const gateway = await start({ sandbox: false })
  expect(() => gateway.next('sale').loseReplyAfterCommit()).toThrow('faults are for a sandbox alone')
  expect(() => gateway.orders()).toThrow('only a sandbox shows orders: leave out sandbox: false')
})
