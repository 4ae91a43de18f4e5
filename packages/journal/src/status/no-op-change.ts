import type { Intent } from '@tallystick/client'
import { isUnsent } from '../intents/states.ts'

/** Whether a modification has changed nothing: it was not sent, or was refused for good. No change of the order is its doing. */
export function changedNothing(modification: Intent): boolean {
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
