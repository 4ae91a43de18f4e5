import { describe, expect, test } from 'vitest'
import { listening } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'

const CALLBACK = 'https://shop.example.com/callback'

describe('the amount in the instruction to the acquirer', () => {
  test.for([
    ['always-2', 'JPY', '1000', 100_000n, 2, '1000.00'],
    ['always-2', 'KWD', '1.5', 150n, 2, '1.50'],
    ['iso-4217', 'JPY', '1000', 1000n, 0, '1000'],
    ['iso-4217', 'KWD', '1.5', 1500n, 3, '1.500'],
    ['iso-4217', 'EUR', '1.5', 150n, 2, '1.50'],
  ] as const)(
    'says how many decimals it has, and the merchant hears of the same: by %s, %s %s is %s of %s',
    async (given) => {
      const [exponents, currency, amount, minor, decimals, told] = given
      const { acquirer, executed } = listening()
      const { payout, shown, calls } = desk({ acquirer, profile: { exponents } })
      const ids = await payout({ account_number: '4081', currency, amount, server_callback_url: CALLBACK })
      expect(executed).toMatchObject([{ kind: 'payout', amount: minor, currency, decimals }])
      expect((await shown(ids)).slice(3)).toEqual([told, told])
      expect(calls.map((url) => new URL(url).searchParams.get('amount'))).toEqual([told])
    },
  )
})
