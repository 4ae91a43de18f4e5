import { type Ended, judgeApproved } from './approved.ts'
import { judgeBalance } from './balance.ts'
import { type Charged, judgeChargedOnce } from './charged-once.ts'
import { awaited, type Judgement, type Orders } from './judgement.ts'

/** What a matcher of vitest and jest returns. */
export interface MatcherResult {
  readonly pass: boolean
  /** Why, as a sentence. Card numbers in it are masked. */
  readonly message: () => string
}

/** The matchers by their names, for `expect.extend`. */
export const paymentMatchers = {
  toBeApproved: (ended: Ended | null | undefined): MatcherResult => result(judgeApproved(awaited(ended))),
  toHaveBeenChargedOnce: (orders: Orders, expected?: Charged): MatcherResult =>
    result(judgeChargedOnce(awaited(orders), expected)),
  toBalance: (orders: Orders): MatcherResult => result(judgeBalance(awaited(orders))),
}

function result({ pass, reason }: Judgement): MatcherResult {
  return { pass, message: () => `${reason}.` }
}

/** The matchers as a test writes them. */
export interface PaymentMatchers<R> {
  /**
   * A status reply, the result of `waitForOutcome`, or an order of the gateway is approved. What an operation returned
   * (`accepted`) is no outcome: a `TypeError`, with `not` as well.
   */
  toBeApproved(): R
  /**
   * Exactly one operation of `await gateway.order(id)`, or of all `await gateway.orders()`, brought money to the
   * merchant; just this money, if it is given: `toHaveBeenChargedOnce(sale)` takes it from the input of the sale. A charge that
   * was refunded later still counts.
   */
  toHaveBeenChargedOnce(expected?: Charged): R
  /**
   * In the books of `await gateway.order(id)`, or of all `await gateway.orders()`, the postings of each operation sum
   * to zero, no hold is overdrawn, and the status shows what the books have.
   */
  toBalance(): R
}
