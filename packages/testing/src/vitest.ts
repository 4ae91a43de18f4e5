/**
 * For `setupFiles` of vitest: adds the matchers, and fails each test that leaves a scripted answer or fault unused, with
 * its name.
 */
import { afterEach, expect } from 'vitest'
import { type PaymentMatchers, paymentMatchers } from './matchers/payment-matchers.ts'
import { verifyScripts } from './unused-scripts.ts'

declare module 'vitest' {
  interface Matchers<R, T> extends PaymentMatchers<R> {}
}

expect.extend(paymentMatchers)
afterEach(() => verifyScripts())
