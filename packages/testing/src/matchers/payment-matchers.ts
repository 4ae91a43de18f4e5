import { type Ended, judgeApproved } from './approved.ts'
import { judgeBalance } from './balance.ts'
import { judgeChargedOnce } from './charged-once.ts'
import type { Judgement } from './judgement.ts'
import type { Orders } from './money.ts'

/** What `expect.extend` of vitest and jest takes: one function for each matcher. */
export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/** The matchers by their names, for `expect.extend`. */
export const paymentMatchers = {
  toBeApproved: (ended: Ended | null | undefined): MatcherResult => result(judgeApproved(ended)),
  toHaveBeenChargedOnce: (orders: Orders): MatcherResult => result(judgeChargedOnce(orders)),
  toBalance: (orders: Orders): MatcherResult => result(judgeBalance(orders)),
}

function result({ pass, reason }: Judgement): MatcherResult {
  return { pass, message: () => `${reason}.` }
}

/** The matchers as a test writes them. */
export interface PaymentMatchers<R> {
  /** A status reply, what `waitForOutcome` gave, or an order of the gateway is approved. */
  toBeApproved(): R
  /** Exactly one operation of an order of the gateway, or of all of them, brought money to the merchant. */
  toHaveBeenChargedOnce(): R
  /** The books of an order of the gateway, or of all of them, balance, and the status shows what they say. */
  toBalance(): R
}
