import { describe, expect, test } from 'vitest'
import { listening } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'

describe('the money that the acquirer is told', () => {
  test.for([
    ['always-2', 'JPY', '1000', 100_000n, 2],
    ['always-2', 'KWD', '1.5', 150n, 2],
    ['iso-4217', 'JPY', '1000', 1000n, 0],
    ['iso-4217', 'KWD', '1.5', 1500n, 3],
    ['iso-4217', 'EUR', '1.5', 150n, 2],
  ] as const)('says how many decimals it has: by %s, %s %s is %s of %s', async (given) => {
    const [exponents, currency, amount, minor, decimals] = given
    const { acquirer, executed } = listening()
    await desk({ acquirer, profile: { exponents } }).payout({ account_number: '4081', currency, amount })
    expect(executed).toMatchObject([{ kind: 'payout', amount: minor, currency, decimals }])
  })
})
