import type { Intent, Observation } from '@tallystick/client'
import { changeShown, isFinalStatus, type Status } from '@tallystick/core'
import { CHECKED, isAtCheckedStage } from '../intents/states.ts'

/**
 * The final status of the operation that opened the order; `undefined` while there is none. If the status shows a capture or a
 * reversal, the opening was approved.
 */
export function openingStatus({ operation }: Intent, observed: Observation): Status | undefined {
  if (isFollowUp(observed)) return 'approved'
  if (operation === 'payoutCheck' && isAtCheckedStage(observed)) return CHECKED
  return isFinalStatus(observed.status) ? observed.status : undefined
}

/** Whether a status shows a change of the order: a capture, a reversal and the like. */
export function isFollowUp(observed: Observation): boolean {
  return changeShown(observed) !== undefined
}

/** Whether an operation that is not decided yet is changing the order. */
export function isUnderWay(observed: Observation): boolean {
  return isFollowUp(observed) && !isFinalStatus(observed.status)
}
