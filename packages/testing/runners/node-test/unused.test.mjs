import { afterEach, test } from 'node:test'
import { accepted, fakeClient, startGateway, verifyScripts } from '@tallystick/testing'

afterEach(verifyScripts)

/** Both fail, by the hook alone. */
await test('leaves an answer over', () => {
  fakeClient().answer('sale', accepted())
})

await test('leaves a fault over', async () => {
  const gateway = await startGateway({ socket: false })
  gateway.next('capture').truncateReply()
  await gateway.close()
})
