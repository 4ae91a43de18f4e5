/**
 * For `setupFilesAfterEnv` of jest: adds the matchers, and fails each test that leaves a scripted answer or fault unused,
 * with its name.
 */
// For its types, which are extended below.
import type {} from 'expect'
import { type PaymentMatchers, paymentMatchers } from './matchers/payment-matchers.ts'
import { verifyScripts } from './unused-scripts.ts'

/** The globals that jest gives to each test file. Read from there, so that this package does not depend on jest. */
interface JestGlobals {
  readonly expect: { extend(matchers: typeof paymentMatchers): void }
  readonly afterEach: (hook: () => void) => void
}

declare module 'expect' {
  interface Matchers<R, T> extends PaymentMatchers<R> {}
}

/** The global `expect` has types of its own, those of `@types/jest`. */
declare global {
  namespace jest {
    interface Matchers<R, T> extends PaymentMatchers<R> {}
  }
}

const { expect, afterEach } = globalThis as unknown as JestGlobals
if (expect === undefined || afterEach === undefined) {
  throw new TypeError(
    'Name @tallystick/testing/jest in setupFilesAfterEnv, with injectGlobals left on: it needs expect and afterEach',
  )
}

expect.extend(paymentMatchers)
afterEach(() => verifyScripts())
