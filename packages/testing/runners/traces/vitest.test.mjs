import { saleInput, startGateway } from '@tallystick/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

async function paid(clientOrderId) {
  const gateway = await startGateway({ socket: false })
  await gateway.client().sale(saleInput({ clientOrderId }))
  await gateway.settled()
  await gateway.close()
}

test('a green test', async () => {
  await paid('green')
})

test('a test fails', async () => {
  await paid('inv-1')
  expect('approved').toBe('declined')
})

test('two gateways: 50 % / "C:\\x" <b>, déjà vu', async () => {
  await paid('inv-1')
  await paid('inv-2')
  expect(1).toBe(2)
})

let tries = 0
test('a test that passes when it is tried again', { retry: 1 }, async () => {
  await paid('again')
  expect(++tries).toBe(2)
})

test('a test without a gateway fails', () => {
  expect(1).toBe(2)
})

describe('a shared gateway', () => {
  let gateway
  beforeAll(async () => {
    gateway = await startGateway({ socket: false })
    await gateway.client().sale(saleInput({ clientOrderId: 'before' }))
  })
  afterAll(() => gateway.close())

  test('has what came before', async () => {
    await gateway.client().sale(saleInput({ clientOrderId: 'within' }))
    expect(1).toBe(2)
  })
})

describe.concurrent('at the same time', () => {
  const bothRun = Promise.withResolvers()
  const oneFailed = Promise.withResolvers()

  test('one fails', async ({ onTestFinished }) => {
    onTestFinished(() => oneFailed.resolve())
    await paid('one')
    await bothRun.promise
    expect(1).toBe(2)
  })

  test('one passes', async () => {
    await paid('other')
    bothRun.resolve()
    await oneFailed.promise
  })
})

test('a fault is left over', async () => {
  const gateway = await startGateway({ socket: false })
  gateway.next('capture').truncateReply()
  await gateway.client().sale(saleInput({ clientOrderId: 'left' }))
  await gateway.close()
})

test('a gateway that is not to leave a trace', async () => {
  const gateway = await startGateway({ socket: false, trace: 'off' })
  await gateway.client().sale(saleInput())
  await gateway.close()
  expect(1).toBe(2)
})
