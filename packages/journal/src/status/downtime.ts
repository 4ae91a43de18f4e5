import type { Intent, NewOutcome, Observation } from '@tallystick/client'
import { isFinalStatus } from '@tallystick/core'
import { sameObservation } from '../intents/states.ts'
import { noticeOf } from './notice-of.ts'

/**
 * What happened to an order between the last report to the merchant and a status that was asked for a modification: the snapshot
 * taken before it was sent, or the last status check of one that changed nothing. Not every chargeback comes with a callback.
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
 * What happened to an order between the modifications that have ended, as far as their snapshots show it.
 *
 * @param shown what the status showed before the first of them
 */
export function missedBetween(opening: Intent, shown: Observation, ended: readonly Intent[]): readonly NewOutcome[] {
  return ended.flatMap((one, index) => missedUntil(opening, ended[index - 1]?.observed ?? shown, one.before, ended))
}
