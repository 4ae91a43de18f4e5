const { accepted, fakeClient, startGateway } = require('@tallystick/testing')

/** Both fail, by the hook of the setup file alone. */
test('leaves an answer over', () => {
  fakeClient().answer('sale', accepted())
})

test('leaves a fault over', async () => {
  const gateway = await startGateway({ socket: false })
  gateway.next('capture').truncateReply()
  await gateway.close()
})
