import type { Intent, ReviewReason } from '@tallystick/client'
import type { Exponents, ReplyValues } from '@tallystick/core'
import { minorUnitsOf } from '../operation-facts.ts'

/**
 * What keeps a status from being the outcome of an intent: another order, another amount, another currency. The control
 * of a callback and the status of a wrong order look right otherwise (CVE-2026-9189).
 */
export function differenceFrom(
  { orderId, amounts, currency }: Intent,
  reply: ReplyValues<'status'>,
  exponents: Exponents,
): ReviewReason | undefined {
  if (reply.orderId === undefined || (orderId !== undefined && orderId !== reply.orderId)) return 'ORDER_DIFFERS'
  if (amounts.length === 0) return undefined
  if (reply.currency !== undefined && reply.currency !== currency) return 'AMOUNT_DIFFERS'
  const told = reply.initialAmount ?? reply.amount
  if (told === undefined) return undefined
  const minor = minorUnitsOf(told, reply.currency ?? currency, exponents)
  return minor !== undefined && amounts.includes(minor) ? undefined : 'AMOUNT_DIFFERS'
}
