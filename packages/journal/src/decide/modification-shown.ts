import type { Intent, Observation } from '@tallystick/client'
import { isFinalStatus } from '@tallystick/core'
import { sameObservation } from '../states.ts'
import { changedNothing } from './changed-nothing.ts'
import { differenceOf, lessBy } from './difference-of.ts'
import { mayLeave } from './kept-after.ts'

/** How a modification shows in the status of its order, which may show another as well. */

/** Whether what is observed of the order tells nothing of the modification. */
export function isUnchanged({ before }: Intent, observed: Observation): boolean {
  return before === undefined || sameObservation(before, observed)
}

/** What status shows of each: a void and a return make a cancel or a reversal. */
const SHOWN_AS: Readonly<Partial<Record<Intent['operation'], readonly string[]>>> = {
  capture: ['capture'],
  void: ['cancel', 'reversal', 'void'],
  return: ['cancel', 'reversal', 'return', 'refund'],
  payoutPay: ['payout'],
}

/** Whether what status shows may be what this modification did: then its own intent tells of it. */
export function mayHaveMade(modification: Intent, observed: Observation, modifications: readonly Intent[]): boolean {
  const { state, status } = modification
  if (changedNothing(modification) || (state === 'FINAL' && status !== observed.status)) return false
  return couldBe(modification, observed, false, modifications)
}

/** Whether what status shows is of its kind, as far as a type is named. */
function isOfItsKind({ operation }: Intent, { transactionType }: Observation): boolean {
  return transactionType === undefined || SHOWN_AS[operation]?.includes(transactionType.toLowerCase()) === true
}

/**
 * Whether its outcome may be what was shown before it already, as that of an equal capture, or of another return that was
 * declined. Where the gateway does not say of which request it tells, nothing ever shows it then.
 */
export function mayLookAsBefore(intent: Intent, observed: Observation): boolean {
  const { status, transactionType } = observed
  if (!isFinalStatus(status) || !isOfItsKind(intent, observed)) return false
  if (status !== 'approved' || !givesBack(intent)) return true
  // Without a type it may be the payment itself that is shown.
  return transactionType !== undefined && !countsKept(intent, observed)
}

function givesBack({ operation }: Intent): boolean {
  return operation === 'return' || operation === 'void'
}

/** Whether the amount is what is kept, which the next one makes less: not that of the payment for good, nor that of the request. */
function countsKept({ amounts: [asked] }: Intent, { amount, initialAmount }: Observation): boolean {
  return amount !== undefined && amount !== initialAmount && amount !== asked
}

/** Whether this change of the order is one that the modification makes. `isOwn`: the status is of its request. */
export function couldBe(
  intent: Intent,
  observed: Observation,
  isOwn: boolean,
  modifications: readonly Intent[],
): boolean {
  const { before, amounts } = intent
  const { status, amount } = observed
  if (!isOfItsKind(intent, observed)) return false
  // Others may have changed what is kept since; of this request its own status tells.
  if (isOwn || status !== 'approved' || !givesBack(intent)) return true
  const difference = differenceOf(before?.amount, amount)
  const [asked] = amounts
  if (before === undefined || difference === undefined) return true
  if (asked !== undefined) return difference === asked
  return difference !== '0' && mayLeave(intent, before, observed, modifications)
}

/**
 * Whether more is kept than an approved one leaves. It gave back less than it asked for, or something was won back meanwhile:
 * told as asked for, the rest would be a notice of money that never moved.
 */
export function keepsMore({ status, amount }: Observation, left: string | undefined): boolean {
  return status === 'approved' && lessBy(amount, left) !== undefined
}
