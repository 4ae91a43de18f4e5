import { Script } from 'node:vm'
import { readRecording } from '@tallystick/core'
import { buildInput, cards, fakeClock, saleInput, startGateway } from '@tallystick/testing'
import { exportedTest } from '@tallystick/workbench/exported-test'
import { wireNames } from '@tallystick/workbench/wire-names'
import { expect, onTestFinished, test } from 'vitest'

const names = wireNames()

async function recorded(changes: Parameters<typeof saleInput>[0]) {
  const gateway = await startGateway({
    socket: false,
    clock: fakeClock('2030-01-01T12:00:00Z'),
    sendCallback: async () => ({ status: 200 }),
  })
  onTestFinished(() => gateway.close())
  const sale = saleInput({ ...changes, serverCallbackUrl: 'http://127.0.0.1:3000/callback' })
  gateway.faults.forOrder(sale.clientOrderId, 'callback-twice')
  await gateway.client().sale(sale)
  await gateway.settled()
  const { orderId } = await gateway.order(sale.clientOrderId)
  await gateway.clock.advance('1h')
  await gateway
    .client()
    .return({ clientOrderId: sale.clientOrderId, orderId, comment: 'all' })
    .catch(() => {})
  await gateway.settled()
  return { orderId, events: readRecording(gateway.recording?.ndjson() ?? '') }
}

test('[F-E43] a test of an order has its calls, its faults, its time and what came of it', async () => {
  const { orderId, events } = await recorded({ ...cards.insufficientFunds, clientOrderId: 'inv-1', amount: '10.42' })
  const source = exportedTest(events, orderId, { runner: 'vitest', names })
  for (const part of [
    "import { expect, onTestFinished, test } from 'vitest'",
    "clock: fakeClock('2030-01-01T12:00:00.000Z'),",
    "gateway.faults.forOrder('inv-1', 'callback-twice')",
    '  const order = {\n    ...cards.insufficientFunds,\n',
    "    amount: '10.42',\n",
    '  await client.sale(order)\n',
    "await until('2030-01-01T13:00:00.000Z')",
    "      'sale: 200',\n",
    "      'sale of 10.42 USD: declined, error 116',\n",
    "    callbacks: [\n      'declined sale: 200',\n",
  ])
    expect(source).toContain(part)
  expect(source).not.toContain(cards.insufficientFunds.cardNumber)
  expect(exportedTest(events, '1', { runner: 'vitest', names })).toBeUndefined()
})

test('[F-E43] whatever a merchant writes stays a text in it, for every runner', async () => {
  const odd = "'); process.exit(1) //\n\u2028\\'$`"
  const { orderId, events } = await recorded({ clientOrderId: "o'1\\", orderDesc: odd, merchantData: odd })
  for (const runner of ['vitest', 'jest', 'node:test'] as const) {
    const source = exportedTest(events, orderId, { runner, names }) ?? ''
    const body = source.replace(/^import .*$/gm, '')
    expect(() => new Script(body)).not.toThrow()
    const [, literal = "''"] = /^ {4}orderDesc: (.*),$/m.exec(source) ?? []
    expect(new Script(literal).runInNewContext()).toBe(odd)
  }
})

test('[F-E43] it says what it does not replay', async () => {
  const gateway = await startGateway({ socket: false, clock: fakeClock('2030-01-01T12:00:00Z') })
  onTestFinished(() => gateway.close())
  const client = gateway.client()
  const sale = saleInput({ clientOrderId: 'first' })
  await client.sale(sale)
  await gateway.settled()
  const first = await gateway.order('first')
  const stored = await client.createCardRef({ clientOrderId: 'first', orderId: first.orderId })
  const cardRefId = stored.outcome === 'accepted' ? stored.reply.cardRefId : ''
  await client.makeRebill({ ...buildInput('makeRebill'), clientOrderId: 'second', cardRefId })
  const opened = await client.saleForm({ ...buildInput('saleForm'), clientOrderId: 'third' })
  await gateway.fetch(opened.outcome === 'accepted' ? opened.reply.redirectUrl : '')
  await gateway.settled()
  const events = readRecording(gateway.recording?.ndjson() ?? '')
  const sourceOf = async (id: string) =>
    exportedTest(events, (await gateway.order(id)).orderId, { runner: 'vitest', names })
  expect(await sourceOf('first')).not.toContain('Not replayed')
  expect(await sourceOf('second')).toContain('// Not replayed: cardrefid is an id of the gateway that was recorded')
  // They opened the page, and paid nothing.
  expect(await sourceOf('third')).not.toContain('payOnPages')
})

test('[F-E43] a customer who is told to wait is told so again', async () => {
  const gateway = await startGateway({ socket: false, clock: fakeClock('2030-01-01T12:00:00Z') })
  onTestFinished(() => gateway.close())
  const opened = await gateway.client().saleForm({ ...buildInput('saleForm'), clientOrderId: 'inv-1' })
  const address = opened.outcome === 'accepted' ? opened.reply.redirectUrl : ''
  await expect(gateway.payOnPages(address, cards.unknown)).rejects.toThrow('One moment, please')
  await gateway.settled()
  const events = readRecording(gateway.recording?.ndjson() ?? '')
  const source = exportedTest(events, (await gateway.order('inv-1')).orderId, { runner: 'vitest', names })
  expect(source).toContain(
    "await gateway.payOnPages(opened.reply.redirectUrl, cards.unknown, 'confirms').catch(() => {})",
  )
})

test('[F-E43] a callback that a fault held back, and a person sent, is sent again', async () => {
  const gateway = await startGateway({
    socket: false,
    clock: fakeClock('2030-01-01T12:00:00Z'),
    sendCallback: async () => ({ status: 200 }),
  })
  onTestFinished(() => gateway.close())
  gateway.faults.forOrder('inv-1', 'callback-never')
  await gateway
    .client()
    .sale(saleInput({ clientOrderId: 'inv-1', serverCallbackUrl: 'http://127.0.0.1:3000/callback' }))
  await gateway.settled()
  const { orderId } = await gateway.order('inv-1')
  const source = () =>
    exportedTest(readRecording(gateway.recording?.ndjson() ?? ''), orderId, { runner: 'vitest', names })
  expect(source()).not.toContain('resendCallbacks')
  await gateway.resendCallbacks(orderId)
  await gateway.settled()
  expect(source()).toContain('await gateway.resendCallbacks(orderId)')
})

test('[F-E43] what is called back for late comes about before the callbacks are waited for', async () => {
  const gateway = await startGateway({
    socket: false,
    clock: fakeClock('2030-01-01T12:00:00Z'),
    onCallback: () => {},
    sendCallback: async () => ({ status: 503 }),
  })
  onTestFinished(() => gateway.close())
  const serverCallbackUrl = 'http://127.0.0.1:3000/callback'
  await gateway.client().saleForm({ ...buildInput('saleForm'), clientOrderId: 'inv-1', serverCallbackUrl })
  // The form expires, and the shop does not take the callback.
  await gateway.clock.advance('1h')
  await gateway.settled()
  const { orderId } = await gateway.order('inv-1')
  const source =
    exportedTest(readRecording(gateway.recording?.ndjson() ?? ''), orderId, { runner: 'vitest', names }) ?? ''
  expect(source).toMatch(/await until\('2030-01-01T12:30:00\.000Z'\)\s+await gateway\.settled\(\)\s+await calledBack\(/)
})
