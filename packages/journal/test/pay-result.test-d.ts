import type { Intent } from '@tallystick/client/ports'
import { expectTypeOf, test } from 'vitest'
import type { PayResult } from '../src/index.ts'

test('only a payout can have been paid before by another request', () => {
  expectTypeOf<Extract<PayResult<'payoutPay'>, { outcome: 'paidBefore' }>>().toEqualTypeOf<{
    readonly outcome: 'paidBefore'
    readonly intent: Intent
  }>()
  expectTypeOf<Extract<PayResult<'sale'>, { outcome: 'paidBefore' }>>().toEqualTypeOf<never>()
})
