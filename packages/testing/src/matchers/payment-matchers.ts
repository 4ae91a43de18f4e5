import type { Timeline } from '@tallystick/gateway'
import type { Account } from '@tallystick/gateway/internal'
import {
  awaited,
  type Judgement,
  judge,
  type Orders,
  ordersOf,
  type Posting,
  parseAmount,
  showAmount,
  total,
} from './judgement.ts'

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

/**
 * Whether the books of the given orders balance: the postings of each operation sum to zero, no hold is overdrawn, and the
 * amount in the status is the one in the books.
 */
function judgeBalance(orders: Orders): Judgement {
  const wrong = ordersOf(orders).flatMap((order) =>
    findings(order).map((finding) => `${order.clientOrderId}: ${finding}`),
  )
  return judge(wrong.length === 0, wrong.length === 0 ? 'The books balance' : wrong.join('; '))
}

function findings({ operations, postings, amount }: Timeline): readonly string[] {
  const sums = operations.flatMap(({ id, kind }) => {
    const sum = total(postings.filter(({ operationId }) => operationId === id))
    return sum === 0n ? [] : `the postings of its ${kind} sum to ${showAmount(sum)}`
  })
  const held = balanceOf('hold', postings)
  const shown = amount === undefined ? undefined : parseAmount(amount)
  return [
    ...sums,
    ...(held < 0n ? [`its hold is overdrawn by ${showAmount(-held)}`] : []),
    ...(shown === undefined || shown === inBooks(postings)
      ? []
      : [`its status shows ${amount}, and the books have ${showAmount(inBooks(postings))}`]),
  ]
}

/** What is held or kept of a payment, or what a payout or transfer paid (rule G13-20 of `spec/requirements`). */
function inBooks(postings: readonly Posting[]): bigint {
  const received = balanceOf('receiver', postings)
  return received > 0n ? received : balanceOf('hold', postings) + balanceOf('merchant', postings)
}

function balanceOf(account: Account, postings: readonly Posting[]): bigint {
  return total(postings.filter((posting) => posting.account === account))
}

/** What a customer was to be charged. An input, such as that of the sale, has both. */
export interface Charged {
  /** In major units, such as `'10.42'`. */
  readonly amount: string
  /** Default: whatever the gateway charged. */
  readonly currency?: string | undefined
}

interface Money {
  readonly amount: bigint
  readonly currency?: string | undefined
}

interface Charge extends Money {
  readonly what: string
}

/**
 * Whether a customer was charged exactly once: of all operations of the given orders, one brought money to the merchant, and
 * just what was expected if that is said. A charge that was refunded later still counts.
 */
function judgeChargedOnce(orders: Orders, expected?: Charged): Judgement {
  const all = ordersOf(orders)
  const wanted = expected && { ...expected, amount: readAmount(expected.amount) }
  const charges = all.flatMap(chargesOf)
  const [charge] = charges
  const shown = charges.map((one) => `${one.what} over ${showMoney(one)}`).join(', ')
  if (charges.length > 1) return judge(false, `There were ${charges.length} charges: ${shown}`)
  if (charge === undefined) return judge(false, `Nothing was charged: ${whatWasTried(all) || 'there is no order'}`)
  if (wanted === undefined || isSameMoney(charge, wanted)) return judge(true, `There was one charge: ${shown}`)
  return judge(false, `There was one charge: ${shown}, not ${showMoney(wanted)}`)
}

function chargesOf({ clientOrderId, operations, postings }: Timeline): readonly Charge[] {
  return operations.flatMap(({ id, kind }) => {
    const own = postings.filter(({ operationId, account }) => operationId === id && account === 'merchant')
    const amount = total(own)
    return amount > 0n ? { what: `${kind} of ${clientOrderId}`, amount, currency: own[0]?.currency } : []
  })
}

function whatWasTried(orders: readonly Timeline[]): string {
  const tried = orders.flatMap(({ clientOrderId, operations }) =>
    operations.map(({ kind, status }) => `${kind} of ${clientOrderId}, ${status}`),
  )
  return tried.join('; ')
}

/** @throws TypeError with `not` as well: a judgement about a misspelled amount would make the test pass */
function readAmount(amount: unknown): bigint {
  if (typeof amount === 'string' && /^\d+(?:\.\d{1,4})?$/.test(amount)) return parseAmount(amount)
  throw new TypeError("An expected charge needs its amount as a text in major units, such as { amount: '10.42' }")
}

function isSameMoney(charge: Money, { amount, currency = charge.currency }: Money): boolean {
  return charge.amount === amount && charge.currency === currency
}

function showMoney({ amount, currency }: Money): string {
  return [showAmount(amount), currency].filter((part) => part !== undefined).join(' ')
}

/** Anything that says how a payment ended: a status, an outcome, an order of the gateway. */
export interface Ended {
  /** In a status, or in an order of the gateway. */
  readonly status?: string | undefined
  /** In the result of `waitForOutcome`. Takes precedence over the status. */
  readonly outcome?: string | undefined
  /** Part of the failure message, as are the next two; card numbers in them are masked. */
  readonly errorMessage?: string | undefined
  readonly errorCode?: string | undefined
  /** Part of it too: the step of 3DS that an operation of the gateway waits for. */
  readonly awaits?: string | undefined
  readonly clientOrderId?: string | undefined
  /** In the result of `waitForOutcome`: the status, which says why. */
  readonly reply?: Reason | undefined
  /** In an order of the gateway: the last operation says why. */
  readonly operations?: readonly Reason[] | undefined
}

type Reason = Pick<Ended, 'errorMessage' | 'errorCode' | 'awaits'>

/** The `outcome` of what an operation returns: it looks like the outcome of a payment, but is not. */
const HOW_A_CALL_ENDS: ReadonlySet<unknown> = new Set(['accepted', 'rejected', 'unknown', 'notSent'])

/** Whether a payment was approved: a status reply, the result of `waitForOutcome`, or an order of the gateway. */
function judgeApproved(given: Ended | null | undefined): Judgement {
  const ended = given ?? {}
  const end = endOf(ended)
  return judge(end === 'approved', `The payment${nameOf(ended)} is ${end}${whyOf(ended)}`)
}

/** @throws TypeError if it is no payment: with `not`, a judgement about it would make the test pass */
function endOf({ outcome, status }: Ended): string {
  if (HOW_A_CALL_ENDS.has(outcome)) {
    throw new TypeError(
      `This is how a call ended (${outcome}), not a payment: ask client.status or client.waitForOutcome`,
    )
  }
  const end: unknown = outcome ?? status
  if (typeof end === 'string') return end
  throw new TypeError('It has no status: give a status reply, an outcome, or gateway.order(id)')
}

function nameOf({ clientOrderId }: Ended): string {
  return clientOrderId === undefined ? '' : ` ${clientOrderId}`
}

function whyOf(ended: Ended): string {
  const { errorMessage, errorCode, awaits } = [ended, ended.reply, ended.operations?.at(-1)].find(hasReason) ?? {}
  const code = errorCode === undefined ? undefined : `code ${errorCode}`
  const step = awaits === undefined ? undefined : `waits for the customer: ${awaits}`
  const why = [errorMessage, code, step].filter((part) => part !== undefined)
  return why.length === 0 ? '' : ` (${why.join(', ')})`
}

function hasReason(reason: Reason | undefined): boolean {
  return (reason?.errorMessage ?? reason?.errorCode ?? reason?.awaits) !== undefined
}
