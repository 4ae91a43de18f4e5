import { isFinalStatus, type KnownStatus } from '../statuses.ts'
import { tableOf } from './funds.ts'

/** The state of an operation: not sent yet, on its way, or one of the documented statuses. */
export type OperationStatus = 'created' | 'sent' | KnownStatus

/**
 * The state machine of every operation: each status with those that may follow it.
 *
 * - `created -> sent -> ...`, and what `processing` and `unknown` may become.
 * - `created -> error`: the end of an order that was interrupted before the acquirer got it.
 * - A final status never moves: what happens to the funds later is an operation of its own.
 *
 * A report of the status that an operation already has is no transition: compare before you apply one.
 */
export const TRANSITIONS = tableOf<Readonly<Record<OperationStatus, readonly OperationStatus[]>>>()({
  created: ['sent', 'error'],
  sent: ['approved', 'declined', 'filtered', 'error', 'processing', 'unknown'],
  processing: ['approved', 'declined', 'filtered', 'error', 'unknown'],
  unknown: ['approved', 'declined', 'filtered', 'error'],
  approved: [],
  declined: [],
  filtered: [],
  error: [],
})

/** The statuses of an operation on an order. */
export const OPERATION_STATUSES = Object.keys(TRANSITIONS) as readonly OperationStatus[]

/** Whether the machine has this step. */
export function mayBecome(from: OperationStatus, to: OperationStatus): boolean {
  const next: readonly OperationStatus[] = TRANSITIONS[from]
  return next.includes(to)
}

/** Whether an outcome is still awaited: the operation counts as in flight. */
export function isInFlight(status: OperationStatus): boolean {
  return !isFinalStatus(status)
}
