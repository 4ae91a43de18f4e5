import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { keepTrace, saleInput, startGateway } from '@tallystick/testing'

afterEach(keepTrace)

async function paid(clientOrderId) {
  const gateway = await startGateway({ socket: false, trace: 'on-failure' })
  await gateway.client().sale(saleInput({ clientOrderId }))
  await gateway.settled()
  await gateway.close()
}

await test('a green test', async () => {
  await paid('green')
})

await describe('a shop', async () => {
  await test('fails', async () => {
    await paid('inv-1')
    assert.equal('approved', 'declined')
  })
})
