import type { Intent, Observation, ReviewReason } from '@tallystick/client'
import { changeShown, type Exponents, type ReplyValues } from '@tallystick/core'
import { minorUnitsOf } from '../intents/operation-facts.ts'

/**
 * Why a status cannot be the outcome of an intent: another order, another amount, another currency. Otherwise the control of a
 * callback and the status of a wrong order would pass (CVE-2026-9189).
 *
 * The client has refused a status with another client order id already. One that names none is taken if the gateway's id is
 * known; if the reply that had it was lost, nothing else would tie the status to the intent.
 */
export function mismatchOf(
  { orderId, amounts, currency }: Intent,
  reply: ReplyValues<'status'>,
  exponents: Exponents,
): ReviewReason | undefined {
  const isNamed = orderId === undefined ? reply.clientOrderId !== undefined : orderId === reply.orderId
  if (reply.orderId === undefined || !isNamed) return 'ORDER_DIFFERS'
  if (amounts.length === 0) return undefined
  if (reply.currency !== undefined && reply.currency !== currency) return 'AMOUNT_DIFFERS'
  const isAsked = (told: string) => {
    const minor = minorUnitsOf(told, reply.currency ?? currency, exponents)
    return minor !== undefined && amounts.includes(minor)
  }
  return amountsOf(reply).every(isAsked) ? undefined : 'AMOUNT_DIFFERS'
}

/**
 * Whether a status shows other money than that of the order which was modified: another currency, another amount asked for or, of
 * a payout, another amount paid than was checked.
 */
export function isOfOtherMoney({ operation, currency, before }: Intent, shown: Observation): boolean {
  if (differ(shown.currency, currency ?? before?.currency)) return true
  if (differ(shown.initialAmount, before?.initialAmount)) return true
  return operation === 'payoutPay' && shown.status === 'approved' && isUnchecked(shown.amount, before)
}

/**
 * Whether an amount paid is none that the check showed: the one asked for, or the one to be paid, which may have a fee in it. `0`
 * means that nothing was paid yet.
 */
function isUnchecked(paid: string | undefined, { amount, initialAmount }: Partial<Observation> = {}): boolean {
  const checked = [initialAmount, amount].filter((one) => one !== undefined && one !== '0')
  return paid !== undefined && checked.length > 0 && !checked.includes(paid)
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other
}

/** The money of a status, for the operator. */
export function moneyOf({ amount = '', initialAmount = amount, currency = '' }: ReplyValues<'status'>): string {
  const amounts = amount === initialAmount ? amount : `${initialAmount} (now ${amount})`
  return `${amounts} ${currency}`.trim()
}

/** The amount asked for, as the gateway has it, and the amount taken, unless the status shows a change, which alters it. */
function amountsOf(reply: ReplyValues<'status'>): readonly string[] {
  const { status, amount, initialAmount = amount } = reply
  const taken = status === 'approved' && changeShown(reply) === undefined ? amount : undefined
  return [initialAmount, taken].filter((told) => told !== undefined)
}
