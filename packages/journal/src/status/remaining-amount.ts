import type { Intent, Observation } from '@tallystick/client/ports'
import { sameObservation } from '../intents/states.ts'
import { lessBy } from './status-result.ts'

/**
 * The amount kept right after a modification. The status shows the modification's outcome with the amount kept now, which
 * something else, such as a chargeback, may have reduced since. So the amount is worked out from the one kept before and the
 * one asked for, if these are known.
 */
export function remainingAfter(
  intent: Intent,
  observed: Observation,
  modifications: readonly Intent[],
): string | undefined {
  const { before } = intent
  const { amount } = observed
  // Some gateways count differently: they show the amount of the request, or always that of the payment.
  if (amount === before?.amount) return amount
  if (amount === askedBy(intent, modifications) && !wasShownBefore(intent, observed)) return amount
  return leftBy(intent, observed, modifications)
}

/**
 * Whether the status showed this amount for something else, such as a chargeback, before the modification was decided. Then it
 * is the amount kept, not that of the request.
 */
function wasShownBefore({ observed: seen }: Intent, { transactionType, amount }: Observation): boolean {
  return seen !== undefined && seen.amount === amount && seen.transactionType !== transactionType
}

/**
 * The amount kept when the merchant was last told of the order.
 *
 * If a chargeback, say, has left exactly the amount that a modification asked for, `keptAfter` takes it for the amount of the
 * request, and the outcome is reported with it. Whether it was or not, the merchant knows of nothing that was taken but by the
 * modification itself, so what a later change of another kind has taken counts from what the modification left. Another change of
 * the same kind may be shown by the amount of its own request.
 *
 * A capture takes nothing, and a gateway may count only what was captured from then on. So with a capture it must be certain that
 * something else was taken: the same amount is shown for another kind of change, or nothing is left.
 */
export function keptWhenReported(
  reported: Observation,
  shown: Observation,
  modifications: readonly Intent[],
): string | undefined {
  const isOver = shown.amount === '0'
  if (!isOver && reported.transactionType === shown.transactionType) return reported.amount
  const isTakenFrom = isOver || reported.amount === shown.amount
  const reportedBy = modifications.findLast(
    (one) =>
      one.state === 'FINAL' &&
      (one.operation !== 'capture' || isTakenFrom) &&
      one.observed !== undefined &&
      sameObservation(one.observed, reported) &&
      askedBy(one, modifications) === reported.amount,
  )
  const left = reportedBy && leftBy(reportedBy, reported, modifications)
  return lessBy(left, shown.amount) === undefined ? reported.amount : left
}

/** The amount that a modification left, at a gateway whose status shows the amount kept now. */
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

/** The amount that a modification asked for. A void names none and asks for all that was not captured. */
function askedBy({ operation, before, amounts }: Intent, modifications: readonly Intent[]): string | undefined {
  if (operation !== 'void' || before === undefined) return amounts[0]
  return String(heldBefore(before, modifications))
}

/** A cancel of what was not captured leaves all that was. If less is kept, something else has taken the difference. */
function leftByVoid(
  { amount: kept = '0' }: Observation,
  { transactionType, amount }: Observation,
  held: bigint,
): string | undefined {
  const left = String(BigInt(kept) - held)
  const isCancel = transactionType?.toLowerCase() === 'cancel'
  return isCancel && held > 0n && lessBy(left, amount) !== undefined ? left : amount
}

/** The amount that was not captured, by the captures that the merchant made here. */
function heldBefore({ initialAmount = '0' }: Observation, modifications: readonly Intent[]): bigint {
  const captures = modifications.filter(isCaptured)
  const captured = captures.reduce((sum, { amounts: [part = initialAmount] }) => sum + BigInt(part), 0n)
  return BigInt(initialAmount) - captured
}

function isCaptured({ operation, status }: Intent): boolean {
  return operation === 'capture' && status === 'approved'
}

/** The transaction types of a status that shows captured money as given back. */
const REVERSALS: ReadonlySet<string> = new Set(['reversal', 'return', 'refund'])

/**
 * Whether a return or a void that names no amount may have left this amount. A reversal gives back all that was captured and
 * leaves what is only held. A cancel gives up what is held and leaves what was captured. Any of them may leave nothing.
 *
 * The journal does not know how much others have captured. A status that names no type may be about something else that took a
 * part, such as a chargeback.
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
