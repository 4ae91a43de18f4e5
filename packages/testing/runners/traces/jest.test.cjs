const { saleInput, startGateway } = require('@tallystick/testing')

async function paid(clientOrderId) {
  const gateway = await startGateway({ socket: false })
  await gateway.client().sale(saleInput({ clientOrderId }))
  await gateway.settled()
  await gateway.close()
}

jest.retryTimes(1)

test('a green test', async () => {
  await paid('green')
})

test('a test fails', async () => {
  await paid('inv-1')
  expect('approved').toBe('declined')
})

let tries = 0
test('a test that passes when it is tried again', async () => {
  await paid('again')
  expect(++tries).toBe(2)
})

test('a fault is left over', async () => {
  const gateway = await startGateway({ socket: false })
  gateway.next('capture').truncateReply()
  await gateway.client().sale(saleInput({ clientOrderId: 'left' }))
  await gateway.close()
})
