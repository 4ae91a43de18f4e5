import type { Intent, ReviewReason } from '@tallystick/client'
import { changeShown, type Exponents, type ReplyValues } from '@tallystick/core'
import { minorUnitsOf } from '../operation-facts.ts'

/**
 * Why a status cannot be the outcome of an intent: another order, another amount, another currency. Otherwise the control of a
 * callback and the status of a wrong order would pass (CVE-2026-9189).
 *
 * The client has refused a status with another client order id already. One that names none is taken, as one is that names no
 * amount: only the connection ties it to the order if its reply, with the order id, was lost.
 */
export function mismatchOf(
  { orderId, amounts, currency }: Intent,
  reply: ReplyValues<'status'>,
  exponents: Exponents,
): ReviewReason | undefined {
  if (reply.orderId === undefined || (orderId !== undefined && orderId !== reply.orderId)) return 'ORDER_DIFFERS'
  if (amounts.length === 0) return undefined
  if (reply.currency !== undefined && reply.currency !== currency) return 'AMOUNT_DIFFERS'
  const isAsked = (told: string) => {
    const minor = minorUnitsOf(told, reply.currency ?? currency, exponents)
    return minor !== undefined && amounts.includes(minor)
  }
  return amountsOf(reply).every(isAsked) ? undefined : 'AMOUNT_DIFFERS'
}

/** The amount asked for, as the gateway has it, and the amount taken, unless the status shows a change, which alters it. */
function amountsOf(reply: ReplyValues<'status'>): readonly string[] {
  const { status, amount, initialAmount = amount } = reply
  const taken = status === 'approved' && changeShown(reply) === undefined ? amount : undefined
  return [initialAmount, taken].filter((told) => told !== undefined)
}
