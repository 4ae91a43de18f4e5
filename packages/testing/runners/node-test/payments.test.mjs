import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import {
  accepted,
  assertApproved,
  assertBalanced,
  assertChargedOnce,
  fakeClient,
  saleInput,
  startGateway,
  unknown,
  verifyScripts,
} from '@tallystick/testing'

afterEach(verifyScripts)

await test('a lost reply does not cause a second charge', async (test) => {
  const gateway = await startGateway()
  test.after(() => gateway.close())
  const sale = saleInput({ amount: '7.00' })
  gateway.next('sale').loseReplyAfterCommit()
  const result = await gateway.client().sale(sale)
  assert.equal(result.outcome, 'unknown')
  await gateway.settled()
  assertApproved(await result.resolve())
  assertChargedOnce(await gateway.order(sale.clientOrderId))
  assertBalanced(await gateway.orders())
})

await test('the assertions fail', () => {
  assert.throws(() => assertApproved({ status: 'declined' }), /The payment is declined/)
  assert.throws(() => assertChargedOnce([]), /Nothing was charged/)
})

await test('a fake client answers from the script', async () => {
  const fake = fakeClient()
  fake.answer('sale', unknown())
  fake.answer('status', accepted({ status: 'declined' }))
  const result = await fake.sale(saleInput())
  assert.equal((await result.resolve()).status, 'declined')
})

await test('a gateway on a socket is reached under fake timers', async (test) => {
  test.mock.timers.enable({ apis: ['Date', 'setInterval', 'setTimeout'], now: Date.now() })
  const gateway = await startGateway()
  test.after(() => gateway.close())
  const sale = saleInput()
  const client = gateway.client()
  assert.equal((await client.sale(sale)).outcome, 'accepted')
  for (const again of [saleInput(), saleInput()]) assert.equal((await client.sale(again)).outcome, 'accepted')
  await gateway.settled()
  assertApproved(await gateway.order(sale.clientOrderId))
})
