import type { Intent } from '@tallystick/client'
import { isUnsent } from '../states.ts'

/** Whether nothing came of a modification: it has not left as yet, or was refused for good. No change of its order is its own. */
export function changedNothing(modification: Intent): boolean {
  return isUnsent(modification) || isRefusedForGood(modification)
}

/** Whether a status has confirmed that nothing came of it: from then on the next modification may have its order. */
export function isRefusedForGood({ state, holdsOrder }: Intent): boolean {
  return state === 'REJECTED' && !holdsOrder
}
