import type { Intent, NewOutcome, Observation } from '@tallystick/client'
import { isFinalStatus } from '@tallystick/core'
import { sameObservation } from '../states.ts'
import { noticeOf } from './notice.ts'

/**
 * What happened to an order after the merchant was told of it last, and before a modification: the snapshot of that shows it,
 * and nothing later does.
 */
export function missedBefore(
  opening: Intent,
  told: Observation | undefined,
  { before }: Intent,
): readonly NewOutcome[] {
  if (told === undefined || before === undefined || sameObservation(told, before)) return []
  return isFinalStatus(before.status) ? noticeOf(opening, told, before) : []
}
