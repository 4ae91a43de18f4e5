import { UsageError } from '../usage-error.ts'
import { asTyped } from './as-typed.ts'

/** Hands what the caller gave to a function of the library, which refuses it with a TypeError. @throws UsageError that says why */
export function given<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw error instanceof TypeError
      ? new UsageError(asTyped(error.message.replace(FUNCTION, '')), { cause: error })
      : error
  }
}

/** The function that refuses it. */
const FUNCTION = /^(?:createPaymentClient|undiciTransport): /
