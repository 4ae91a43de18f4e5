import { writeFileSync } from 'node:fs'
import type {} from '@tallystick/testing/vitest-4'
import type { Assertion } from 'vitest'
import { startVitest } from 'vitest/node'

const [approved, once, balance]: readonly (keyof Assertion)[] = ['toBeApproved', 'toHaveBeenChargedOnce', 'toBalance']
writeFileSync(
  'paid.test.mjs',
  `import { saleInput, startGateway } from '@tallystick/testing'
  import { expect, test } from 'vitest'
  test('a sale', async () => {
    const gateway = await startGateway({ socket: false })
    await gateway.client().sale(saleInput())
    await gateway.settled()
    expect((await gateway.orders())[0]).${approved}()
    expect(await gateway.orders()).${once}()
    expect(await gateway.orders()).${balance}()
  })`,
)
const setupFiles = ['@tallystick/testing/vitest-4']
const vitest = await startVitest('test', [], { watch: false, include: ['paid.test.mjs'], setupFiles })
await vitest.close()
