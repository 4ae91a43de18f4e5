import type { Intent } from '@tallystick/client/ports'
import type { PaymentError } from '@tallystick/core'
import { expectTypeOf, test } from 'vitest'
import type { PayResult } from '../src/index.ts'

test('only a payout can have been paid before by another request', () => {
  expectTypeOf<Extract<PayResult<'payoutPay'>, { outcome: 'paidBefore' }>>().toEqualTypeOf<{
    readonly outcome: 'paidBefore'
    readonly intent: Intent
    readonly error: undefined
  }>()
  expectTypeOf<Extract<PayResult<'sale'>, { outcome: 'paidBefore' }>>().toEqualTypeOf<never>()
})

test('the error of a result is there or undefined', () => {
  expectTypeOf<PayResult<'saleForm'>['error']>().toEqualTypeOf<PaymentError | undefined>()
})
