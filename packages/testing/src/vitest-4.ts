/** The same for vitest 4. Its own `Matchers` have other parameters, but it also reads these types, which are those of jest. */
import { expect } from 'vitest'
import { type PaymentMatchers, paymentMatchers } from './matchers/payment-matchers.ts'
import { verifyInVitest } from './verify-in-vitest.ts'

declare global {
  namespace jest {
    interface Matchers<R, T> extends PaymentMatchers<R> {}
  }
}

expect.extend(paymentMatchers)
verifyInVitest()
