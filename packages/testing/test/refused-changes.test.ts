import { expect, test } from 'vitest'
import { cards, saleInput } from '../src/index.ts'
import { startedGateways } from './started-gateways.ts'

const start = startedGateways({ socket: false })

/** A gateway that has sold something, and the id that it gave the order. */
async function sold(card = cards.approved) {
  const gateway = await start()
  const { clientOrderId, ...sale } = saleInput(card)
  await gateway.client().sale({ clientOrderId, ...sale })
  await gateway.settled()
  const { orderId } = await gateway.order(clientOrderId)
  return { gateway, clientOrderId, orderId }
}

test('a chargeback that the gateway refuses fails the test, with the reason and the rule', async () => {
  const { gateway, orderId } = await sold(cards.insufficientFunds)
  await expect(gateway.chargeback(orderId)).rejects.toThrow(
    'gateway.chargeback was refused: no captured or sold funds are left (G13-22). ' +
      'If the order is not decided yet, wait for gateway.settled() first; a test of the refusal expects this error',
  )
})

test("a chargeback by the shop's own id fails the test", async () => {
  const { gateway, clientOrderId, orderId } = await sold()
  await expect(gateway.chargeback(clientOrderId)).rejects.toThrow('gateway.chargeback was refused: there is no order')
  expect(await gateway.chargeback(orderId, '1.00')).toEqual({ ok: true, operationId: `${orderId}-2` })
})

test('an outcome that the gateway does not record fails the test', async () => {
  const { gateway, orderId } = await sold(cards.insufficientFunds)
  const approved = { status: 'approved', approvalCode: '', processorTxId: '' } as const
  await expect(gateway.recordOutcome(`${orderId}-1`, approved)).rejects.toThrow(
    'gateway.recordOutcome was refused: the operation has ended as declined. If the order',
  )
})

test('an outcome that the gateway records is one', async () => {
  const gateway = await start()
  const sale = saleInput(cards.unknownThenApproved)
  await gateway.client().sale(sale)
  await gateway.settled()
  const { orderId } = await gateway.order(sale.clientOrderId)
  const approved = { status: 'approved', approvalCode: '', processorTxId: '' } as const
  expect(await gateway.recordOutcome(`${orderId}-1`, approved)).toEqual({ ok: true })
  expect(await gateway.order(sale.clientOrderId)).toMatchObject({ status: 'approved' })
})

test("callbacks that are sent again by the shop's own id fail the test", async () => {
  const { gateway, clientOrderId, orderId } = await sold()
  await expect(gateway.resendCallbacks(clientOrderId)).rejects.toThrow(
    `gateway.resendCallbacks: there is no order ${clientOrderId}; it takes the gateway's id of the order`,
  )
  expect(await gateway.resendCallbacks(orderId)).toBe(0)
})
