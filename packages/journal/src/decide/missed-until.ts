import type { Intent, NewOutcome, Observation } from '@tallystick/client'
import { isFinalStatus } from '@tallystick/core'
import { sameObservation } from '../states.ts'
import { noticeOf } from './notice-of.ts'

/**
 * What happened to an order after the merchant was told of it last, until it was shown for a modification: by the snapshot before
 * that, or by a look at one of which nothing came. Not of every chargeback there is a callback.
 */
export function missedUntil(
  opening: Intent,
  told: Observation | undefined,
  shown: Observation | undefined,
  modifications: readonly Intent[],
): readonly NewOutcome[] {
  if (told === undefined || shown === undefined || sameObservation(told, shown)) return []
  return isFinalStatus(shown.status) ? noticeOf(opening, told, shown, modifications) : []
}

/**
 * What happened to an order between the modifications that have ended, as far as these show it.
 *
 * @param shown what was shown before the first of them
 */
export function missedBetween(opening: Intent, shown: Observation, ended: readonly Intent[]): readonly NewOutcome[] {
  return ended.flatMap((one, index) => missedUntil(opening, ended[index - 1]?.observed ?? shown, one.before, ended))
}
