/**
 * For `setupFilesAfterEnv` of jest: adds the matchers, and fails each test that leaves a scripted answer or fault unused,
 * with its name.
 */
// For its types, which are extended below.
import type {} from 'expect'
import { type PaymentMatchers, paymentMatchers } from './matchers/payment-matchers.ts'
import { beginTest, endTest, tellWith, traceByDefault } from './traces.ts'
import { unusedScripts } from './unused-scripts.ts'

/** The globals that jest gives to each test file. Read from there, so that this package does not depend on jest. */
interface JestGlobals {
  readonly expect: {
    extend(matchers: typeof paymentMatchers): void
    getState(): { readonly currentTestName?: string; readonly testPath?: string }
  }
  readonly beforeEach: (hook: () => void) => void
  readonly afterEach: (hook: () => Promise<void>) => void
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

const { expect, beforeEach, afterEach } = globalThis as unknown as JestGlobals
if (expect === undefined || afterEach === undefined) {
  throw new TypeError(
    'Name @tallystick/testing/jest in setupFilesAfterEnv, with injectGlobals left on: it needs expect and afterEach',
  )
}

expect.extend(paymentMatchers)
traceByDefault()
let begun: ReturnType<typeof beginTest> | undefined
beforeEach(() => {
  begun = beginTest()
})
afterEach(async () => {
  const errors = errorsSoFar()
  const unused = unusedScripts()
  const { currentTestName = '', testPath = '' } = expect.getState()
  const failed = errors.length > 0 || unused !== undefined
  const told = await endTest({ title: currentTestName, file: testPath, failed }, begun)
  for (const error of unused === undefined ? errors : [unused]) tellWith(error, told)
  if (unused !== undefined) throw unused
})

/** Where jest-circus, its runner, has what it knows of the test. No interface of jest tells a hook whether its test has failed. */
function errorsSoFar(): readonly unknown[] {
  const symbol = Object.getOwnPropertySymbols(globalThis).find((one) => one.description === 'JEST_STATE_SYMBOL')
  const state = symbol && (globalThis as { readonly [name: symbol]: CircusState | undefined })[symbol]
  return (state?.currentlyRunningTest?.errors ?? []).map((error) => (Array.isArray(error) ? error[0] : error))
}

interface CircusState {
  readonly currentlyRunningTest?: { readonly errors: readonly unknown[] } | null
}
