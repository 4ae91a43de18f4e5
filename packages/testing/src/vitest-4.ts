/** The same for vitest 4, whose own `Matchers` have other parameters: it takes these types as well, which are those of jest. */
import { afterEach, expect } from 'vitest'
import { type PaymentMatchers, paymentMatchers } from './matchers/payment-matchers.ts'
import { verifyScripts } from './unused-scripts.ts'

declare global {
  namespace jest {
    interface Matchers<R, T> extends PaymentMatchers<R> {}
  }
}

expect.extend(paymentMatchers)
afterEach(() => verifyScripts())
