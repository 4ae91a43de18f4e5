import type { Intent } from '@tallystick/client'
import { isUnsent } from '../states.ts'

/** Whether a modification has changed nothing: it was not sent, or was refused for good. No change of the order is its doing. */
export function changedNothing(modification: Intent): boolean {
  return isUnsent(modification) || isRefusedForGood(modification)
}

/** Whether a status has confirmed the refusal: from then on the order is free for the next modification. */
export function isRefusedForGood({ state, holdsOrder }: Intent): boolean {
  return state === 'REJECTED' && !holdsOrder
}
