import type { Intent } from '@tallystick/client'
import { type Exponents, isFinalStatus, type ReplyValues } from '@tallystick/core'
import { type Look, observationOf } from './look.ts'

/**
 * What is kept after a modification whose own status was asked for: that shows the outcome of the request, and what is kept by
 * now. Where another operation came after it, what was kept before it and what it asked for tell.
 */
export function keptAfter(
  intent: Intent,
  { reply, last }: Extract<Look, { readonly kind: 'found' }>,
  exponents: Exponents,
): string | undefined {
  const isLast = last === undefined || (last.transactionType === reply.transactionType && last.status === reply.status)
  return isLast ? observationOf(reply, exponents, intent.currency).amount : expected(intent, reply)
}

/** Whether the status of its request shows another amount than the request left: the last operation is to be asked for. */
export function isUnexplained(intent: Intent, reply: ReplyValues<'status'>, exponents: Exponents): boolean {
  const { kind, serialNumber } = intent
  const isOwn = kind === 'modification' && serialNumber !== undefined && reply.byRequestSn === serialNumber
  if (!isOwn || !isFinalStatus(reply.status)) return false
  const left = expected(intent, reply)
  return left !== undefined && left !== observationOf(reply, exponents, intent.currency).amount
}

/** `undefined` where the request does not tell. */
function expected({ operation, before, amounts: [asked] }: Intent, { status }: ReplyValues<'status'>) {
  if (before?.amount === undefined || status !== 'approved') return before?.amount
  return operation === 'return' && asked !== undefined ? String(BigInt(before.amount) - BigInt(asked)) : undefined
}
