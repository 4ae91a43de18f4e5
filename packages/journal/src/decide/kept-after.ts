import type { Intent, Observation } from '@tallystick/client'
import { lessBy } from './difference-of.ts'

/**
 * What is kept after a modification: its status shows its outcome, and what is kept by now, which something else may have made
 * less. What was kept before it and what it asked for tell, where they do.
 */
export function keptAfter(
  { operation, before, amounts: [asked] }: Intent,
  { status, amount }: Observation,
): string | undefined {
  // A gateway may count otherwise, and show the amount of the request or that of the payment for good.
  if (before?.amount === undefined || amount === undefined || amount === before.amount || amount === asked)
    return amount
  if (status !== 'approved') return before.amount
  if (operation === 'return' && asked !== undefined) return String(BigInt(before.amount) - BigInt(asked))
  // A capture gives nothing back.
  return operation === 'capture' && lessBy(before.amount, amount) !== undefined ? before.amount : amount
}
