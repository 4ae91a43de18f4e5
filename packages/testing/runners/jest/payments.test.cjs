const { saleInput, startGateway } = require('@tallystick/testing')

test('a lost reply does not cause a second charge', async () => {
  const gateway = await startGateway()
  const sale = saleInput({ amount: '7.00' })
  gateway.next('sale').loseReplyAfterCommit()
  const result = await gateway.client().sale(sale)
  await gateway.settled()
  expect(await result.resolve()).toBeApproved()
  expect(await gateway.order(sale.clientOrderId)).toHaveBeenChargedOnce()
  await gateway.close()
})
