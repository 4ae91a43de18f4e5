import { accepted, fakeClient, saleInput, startGateway, unknown } from '@tallystick/testing'
import { expect, test, vi } from 'vitest'

test('a lost reply does not cause a second charge', async () => {
  const gateway = await startGateway()
  const sale = saleInput({ amount: '7.00' })
  gateway.next('sale').loseReplyAfterCommit()
  const result = await gateway.client().sale(sale)
  expect(result.outcome).toBe('unknown')
  await gateway.settled()
  expect(await result.resolve()).toBeApproved()
  expect(await gateway.order(sale.clientOrderId)).toHaveBeenChargedOnce()
  expect(await gateway.orders()).toBalance()
  await gateway.close()
})

test('the matchers can be negated', () => {
  expect({ status: 'declined' }).not.toBeApproved()
  expect([]).not.toHaveBeenChargedOnce()
})

test('a fake client answers from the script', async () => {
  const fake = fakeClient()
  fake.answer('sale', unknown())
  fake.answer('status', accepted({ status: 'declined' }))
  const result = await fake.sale(saleInput())
  expect(await result.resolve()).not.toBeApproved()
})

test('a gateway on a socket is reached under fake timers', async () => {
  vi.useFakeTimers({ toNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] })
  const gateway = await startGateway()
  const sale = saleInput()
  const client = gateway.client()
  expect((await client.sale(sale)).outcome).toBe('accepted')
  for (const again of [saleInput(), saleInput()]) expect((await client.sale(again)).outcome).toBe('accepted')
  await gateway.settled()
  expect(await gateway.order(sale.clientOrderId)).toBeApproved()
  await gateway.close()
  vi.useRealTimers()
})
