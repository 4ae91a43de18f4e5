import { AssertionError } from 'node:assert'
import type { Orders } from './judgement.ts'
import { type Charged, type Ended, type MatcherResult, paymentMatchers } from './payment-matchers.ts'

/**
 * Fails unless a payment was approved: the matcher `toBeApproved`, for `node:test` and other runners without `expect`.
 *
 * @throws AssertionError
 * @throws TypeError if it is no payment, such as what an operation returned
 */
export function assertApproved(ended: Ended | null | undefined): void {
  assertPasses(paymentMatchers.toBeApproved(ended), assertApproved)
}

/**
 * Fails unless exactly one operation brought money to the merchant, and just the expected money if that is given: the matcher
 * `toHaveBeenChargedOnce`.
 *
 * @throws AssertionError
 * @throws TypeError if `expected` has no amount in major units
 */
export function assertChargedOnce(orders: Orders, expected?: Charged): void {
  assertPasses(paymentMatchers.toHaveBeenChargedOnce(orders, expected), assertChargedOnce)
}

/**
 * Fails unless the books balance: the matcher `toBalance`.
 *
 * @throws AssertionError
 */
export function assertBalanced(orders: Orders): void {
  assertPasses(paymentMatchers.toBalance(orders), assertBalanced)
}

function assertPasses({ pass, message }: MatcherResult, asserted: (...values: never[]) => void): void {
  if (!pass) throw new AssertionError({ message: message(), stackStartFn: asserted })
}
