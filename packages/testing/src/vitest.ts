/**
 * For `setupFiles` of vitest: adds the matchers, and fails each test that leaves a scripted answer or fault unused, with
 * its name.
 */
import { expect } from 'vitest'
import { type PaymentMatchers, paymentMatchers } from './matchers/payment-matchers.ts'
import { verifyInVitest } from './verify-in-vitest.ts'

declare module 'vitest' {
  interface Matchers<R, T> extends PaymentMatchers<R> {}
}

expect.extend(paymentMatchers)
verifyInVitest()
