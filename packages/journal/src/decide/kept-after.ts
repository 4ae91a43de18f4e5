import type { Intent, Observation } from '@tallystick/client'

/**
 * What is kept after a modification whose own status was asked for: that shows the outcome of the request, and what is kept by
 * now. What was kept before it and what it asked for tell, where they do: an operation that came after it may look the same.
 */
export function keptAfter(
  { operation, before, amounts: [asked] }: Intent,
  { status, amount }: Observation,
): string | undefined {
  // A gateway may count otherwise, and show the amount of the request or that of the payment for good.
  if (before?.amount === undefined || amount === before.amount || amount === asked) return amount
  if (status !== 'approved') return before.amount
  return operation === 'return' && asked !== undefined ? String(BigInt(before.amount) - BigInt(asked)) : amount
}
