import type { Intent, ReviewReason } from '@tallystick/client'
import { withEvidence } from '../evidence.ts'
import { kept, moved } from '../states.ts'
import { isTooOld } from './absence.ts'
import { type Circumstances, type Decision, decided } from './look.ts'
import { nextCheck } from './next-check.ts'

/** Nothing is decided: it is asked again, for thirty days. */
export function later(intent: Intent, seen: string, at: Circumstances): Decision {
  const { now, fraction } = at
  const told = { lookedAt: now, evidence: withEvidence(intent, now, seen) }
  if (!isTooOld(intent, now)) return decided(kept(intent, { ...told, nextCheckAt: nextCheck(intent, now, fraction) }))
  if (intent.state === 'PRESUMED_ABSENT') return decided(kept(intent, { ...told, nextCheckAt: undefined }))
  return review(intent, 'TOO_OLD', seen, at)
}

/** A person has to look at it. */
export function review(intent: Intent, reviewReason: ReviewReason, seen: string, { now }: Circumstances): Decision {
  const evidence = withEvidence(intent, now, `${reviewReason}: ${seen}`)
  const changes = { reviewReason, evidence, lookedAt: now, nextCheckAt: undefined }
  return decided(moved(intent, 'REVIEW', changes), [], ['REVIEW'])
}
