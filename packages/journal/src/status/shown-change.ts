import type { Intent, Observation } from '@tallystick/client/ports'
import { isFinalStatus } from '@tallystick/core'
import { changeShown } from '@tallystick/core/internal'
import { isUnsent, sameObservation } from '../intents/states.ts'
import { mayLeave } from './remaining-amount.ts'
import { differenceOf, lessBy } from './status-result.ts'

/** How a modification shows in the status of its order, which may show another change instead. */

/** Whether the order looks as it did before the modification, so that the status says nothing about it. */
export function isUnchanged({ before }: Intent, observed: Observation): boolean {
  return before === undefined || sameObservation(before, observed)
}

/** The transaction types that a status shows for each: a void and a return make a cancel or a reversal. */
const SHOWN_AS: Readonly<Partial<Record<Intent['operation'], readonly string[]>>> = {
  capture: ['capture'],
  void: ['cancel', 'reversal', 'void'],
  return: ['cancel', 'reversal', 'return', 'refund'],
  payoutPay: ['payout'],
}

/** Whether the transaction type fits the modification, if the status names one. */
export function isOfItsKind({ operation }: Intent, { transactionType }: Observation): boolean {
  return transactionType === undefined || SHOWN_AS[operation]?.includes(transactionType.toLowerCase()) === true
}

/**
 * Whether the outcome may look like what was shown before, as after an equal capture or another return that was declined. Unless
 * the gateway says which request its status is about, such an outcome never shows.
 */
export function mayLookAsBefore(intent: Intent, observed: Observation): boolean {
  const { status, transactionType } = observed
  if (!isFinalStatus(status) || !isOfItsKind(intent, observed)) return false
  if (status !== 'approved' || !givesBack(intent)) return true
  // A status without a type may show the payment itself.
  return transactionType !== undefined && !countsKept(intent, observed)
}

function givesBack({ operation }: Intent): boolean {
  return operation === 'return' || operation === 'void'
}

/** Whether the status shows the amount kept, which the next return reduces, and not that of the payment or of the request. */
function countsKept({ amounts: [asked] }: Intent, { amount, initialAmount }: Observation): boolean {
  return amount !== undefined && amount !== initialAmount && amount !== asked
}

/** Whether the modification may have made this change of the order. `isOwn`: the status names its request. */
export function couldBe(
  intent: Intent,
  observed: Observation,
  isOwn: boolean,
  modifications: readonly Intent[],
): boolean {
  const { before, amounts } = intent
  const { status, amount } = observed
  if (!isOfItsKind(intent, observed)) return false
  // Something else may have changed the amount kept since, but the status is about this request.
  if (isOwn || status !== 'approved') return true
  if (intent.operation === 'capture') return mayCapture(intent, observed)
  if (!givesBack(intent)) return true
  const difference = differenceOf(before?.amount, amount)
  const [asked] = amounts
  if (before === undefined || difference === undefined) return true
  if (asked !== undefined) return difference === asked
  return difference !== '0' && mayLeave(intent, before, observed, modifications)
}

/**
 * Whether a capture of the amount asked for may show this amount. Gateways show what is held and kept, what this request or all
 * of them have captured, or what is still held: the last is what the request leaves, the others are no less than it asked for.
 */
function mayCapture({ before, amounts: [asked] }: Intent, { amount }: Observation): boolean {
  if (before?.amount === undefined || amount === undefined) return true
  if (lessBy(amount, mostHeld(before)) !== undefined) return false
  if (asked === undefined || lessBy(asked, amount) === undefined) return true
  return amount === differenceOf(before.amount, asked)
}

/**
 * The most that a capture may show. After another capture the amount shown before says nothing: it may be of that one alone, and
 * the next one may be greater, or be added to it.
 */
function mostHeld(before: Observation): string | undefined {
  return before.initialAmount ?? (changeShown(before) === undefined ? before.amount : undefined)
}

/**
 * Whether more is kept than an approved modification leaves: it gave back less than it asked for, or something was won back
 * meanwhile. If it were reported with the amount asked for, the rest would become a notice of money that never moved.
 */
export function keepsMore({ status, amount }: Observation, left: string | undefined): boolean {
  return status === 'approved' && lessBy(amount, left) !== undefined
}

/** Whether a modification has changed nothing: it was not sent, or was refused for good. No change of the order is its doing. */
export function isNoOpChange(modification: Intent): boolean {
  return isUnsent(modification) || isRefusedForGood(modification) || isDecidedUnsent(modification)
}

/**
 * Whether a person has decided that it was not made by a journal of which this store knows nothing. This one has not sent it, so it
 * cannot arrive late.
 */
function isDecidedUnsent({ state, sentAt }: Intent): boolean {
  return state === 'PRESUMED_ABSENT' && sentAt === undefined
}

/** Whether a status has confirmed the refusal: from then on the order is free for the next modification. */
function isRefusedForGood({ state, holdsOrder }: Intent): boolean {
  return state === 'REJECTED' && !holdsOrder
}
