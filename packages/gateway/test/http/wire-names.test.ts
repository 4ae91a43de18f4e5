import { expect, test } from 'vitest'
import { sale, status } from '../support/signed-requests.ts'
import { testGateway } from '../support/test-gateway.ts'

test('[G13-01] replies are written by the names of the profile, numbers included', async () => {
  const wireNames = {
    StatusResponse: { status: 'order-status', creqFormCreq: 'creq', errorCode: 'code' },
    AsyncResponse: { orderId: 'order-no' },
  }
  const { gateway } = testGateway({ profile: { wireNames }, numericIds: true })
  const taken = JSON.parse((await gateway.handle(sale({ cvv2: '101' }))).body)
  expect(taken).toMatchObject({ 'merchant-order-id': 'inv-1', 'order-no': expect.any(Number) })
  expect(taken).not.toHaveProperty('paynet-order-id')
  await gateway.settled()
  const told = JSON.parse((await gateway.handle(status({ client_orderid: 'inv-1' }))).body)
  expect(told).toMatchObject({ 'order-status': 'declined', code: 101 })
  expect(told).not.toHaveProperty('status')
})

test('[G13-01] [G2.1-03] so are classic replies', async () => {
  const wireNames = { AsyncResponse: { orderId: 'order-no' } }
  const { gateway } = testGateway({ profile: { wireNames }, replyFormat: 'classic' })
  const { headers, ...request } = sale()
  const { body } = await gateway.handle({ ...request, headers: { ...headers, accept: '*/*' } })
  expect(body).toMatch(/&order-no=\d{15}\n/)
  expect(body).not.toContain('paynet-order-id')
})
