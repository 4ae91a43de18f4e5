import '@tallystick/testing/vitest'
import { startGateway } from '@tallystick/testing'
import { expect, test } from 'vitest'

test('the matchers of payments are known to the compiler, and nothing else is', async () => {
  await using gateway = await startGateway({ socket: false })
  const orders = await gateway.orders()
  expect(orders).toHaveBeenChargedOnce()
  expect(orders).toBalance()
  expect(orders[0]).toBeApproved()
  // @ts-expect-error: a matcher that is misspelt
  expect(orders[0]).toBeAproved()
})
