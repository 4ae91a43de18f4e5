import type { Intent, Observation } from '@tallystick/client'
import { sameObservation } from '../states.ts'
import { lessBy } from './difference-of.ts'

/**
 * What is kept after a modification: its status shows its outcome, and what is kept by now, which something else may have made
 * less. What was kept before it and what it asked for tell, where they do.
 */
export function keptAfter(intent: Intent, observed: Observation, modifications: readonly Intent[]): string | undefined {
  const { before } = intent
  const { amount } = observed
  // A gateway may count otherwise, and show the amount of the request or that of the payment for good.
  if (amount === before?.amount) return amount
  if (amount === askedBy(intent, modifications) && !wasShownBefore(intent, observed)) return amount
  return leftBy(intent, observed, modifications)
}

/** Whether the same was shown for something else, such as a chargeback, before the modification was decided: it is what is kept. */
function wasShownBefore({ observed: seen }: Intent, { transactionType, amount }: Observation): boolean {
  return seen !== undefined && seen.amount === amount && seen.transactionType !== transactionType
}

/**
 * What was kept when the merchant was told last. A modification that asked for just what something else has left by then was told
 * with that, as if it were the amount of its request: it is what is kept, since that something shows it, too. Where nothing is kept
 * any more, it does not matter which of both it was: all that the modification left is gone.
 */
export function keptWhenTold(
  told: Observation,
  shown: Observation,
  modifications: readonly Intent[],
): string | undefined {
  const isShownAgain = told.amount === shown.amount && told.transactionType !== shown.transactionType
  if (!isShownAgain && shown.amount !== '0') return told.amount
  const toldOf = modifications.findLast(
    (one) =>
      one.state === 'FINAL' &&
      one.observed !== undefined &&
      sameObservation(one.observed, told) &&
      askedBy(one, modifications) === told.amount,
  )
  const left = toldOf && leftBy(toldOf, told, modifications)
  return lessBy(left, shown.amount) === undefined ? told.amount : left
}

/** What a modification left, at a gateway whose status shows what is kept by now. */
function leftBy(
  { operation, before, amounts: [asked] }: Intent,
  observed: Observation,
  modifications: readonly Intent[],
): string | undefined {
  const { status, amount } = observed
  if (before?.amount === undefined || amount === undefined) return amount
  if (status !== 'approved') return before.amount
  if (operation === 'return' && asked !== undefined) return String(BigInt(before.amount) - BigInt(asked))
  if (operation === 'void') return leftByVoid(before, observed, heldBefore(before, modifications))
  // A capture gives nothing back.
  return operation === 'capture' && lessBy(before.amount, amount) !== undefined ? before.amount : amount
}

/** What a modification asked for: a void names no amount, and asks for all that is not captured. */
function askedBy({ operation, before, amounts }: Intent, modifications: readonly Intent[]): string | undefined {
  if (operation !== 'void' || before === undefined) return amounts[0]
  return String(heldBefore(before, modifications))
}

/** The cancel of what was not captured leaves all that was: where less is kept, something else has taken of that. */
function leftByVoid(
  { amount: kept = '0' }: Observation,
  { transactionType, amount }: Observation,
  held: bigint,
): string | undefined {
  const left = String(BigInt(kept) - held)
  const isCancel = transactionType?.toLowerCase() === 'cancel'
  return isCancel && held > 0n && lessBy(left, amount) !== undefined ? left : amount
}

/** What was not captured. */
function heldBefore({ initialAmount = '0' }: Observation, modifications: readonly Intent[]): bigint {
  const captures = modifications.filter(isCaptured)
  const captured = captures.reduce((sum, { amounts: [part = initialAmount] }) => sum + BigInt(part), 0n)
  return BigInt(initialAmount) - captured
}

function isCaptured({ operation, status }: Intent): boolean {
  return operation === 'capture' && status === 'approved'
}

/** What status shows where what was captured is given back. */
const REVERSALS: ReadonlySet<string> = new Set(['reversal', 'return', 'refund'])

/**
 * Whether a return or a void that names no amount may have left so much: it gives back all that was captured, and leaves what is
 * only held; or it is the void of that, which leaves what was captured. Of what others have captured nobody here knows how much
 * that was. A status that names no type may tell of something else that took a part, such as a chargeback.
 * Nothing at all may be left after any of them.
 */
export function mayLeave(
  { operation }: Intent,
  before: Observation,
  { transactionType, amount = '0' }: Observation,
  modifications: readonly Intent[],
): boolean {
  if (amount === '0') return true
  if (transactionType !== undefined && !REVERSALS.has(transactionType.toLowerCase())) return true
  if (!modifications.some(isCaptured)) return before.transactionType?.toLowerCase() === 'capture'
  if (before.initialAmount === undefined) return true
  const held = heldBefore(before, modifications)
  const isCancel = operation === 'void' && transactionType === undefined && held > 0n
  return BigInt(amount) <= (isCancel ? BigInt(before.amount ?? 0) - held : held)
}
