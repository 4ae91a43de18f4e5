import '@tallystick/testing/vitest'
import { startGateway } from '@tallystick/testing'
import { expect, test } from 'vitest'

test('the compiler knows the payment matchers, and refuses a misspelt one', async () => {
  await using gateway = await startGateway({ socket: false })
  const orders = await gateway.orders()
  expect(orders).toHaveBeenChargedOnce()
  expect(orders).toBalance()
  expect(orders[0]).toBeApproved()
  // @ts-expect-error: a misspelt matcher
  expect(orders[0]).toBeAproved()
})
