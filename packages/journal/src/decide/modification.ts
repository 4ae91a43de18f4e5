import type { Intent, Observation } from '@tallystick/client'
import { isFinalStatus, type ReplyValues } from '@tallystick/core'
import { withEvidence } from '../evidence.ts'
import { kept, moved } from '../states.ts'
import { isAbsentLongEnough, NO_ABSENCE, withAbsence } from './absence.ts'
import { changedNothing, isRefusedForGood } from './changed-nothing.ts'
import { keptAfter } from './kept-after.ts'
import { type Circumstances, type Decision, decided, type Look, observationOf } from './look.ts'
import { modificationOutcome } from './modification-outcome.ts'
import { couldBe, isUnchanged, keepsMore, mayLookAsBefore } from './modification-shown.ts'
import { nextCheck } from './next-check.ts'
import { isJudged, later, otherOrder, review } from './undecided.ts'

/**
 * What a look means for a capture, a void, a return or the second step of a payout. These have no id of their own: where
 * the gateway gave the number of the request, its status decides; else the change of the order against what it was before
 * (docs/guides/unknown.md).
 */
export function decideModification(intent: Intent, look: Look, at: Circumstances): Decision {
  // A change of the order is another's, or would be its successor's as well as its own: it cannot be told any more.
  if (isRefusedForGood(intent) || (intent.state === 'PRESUMED_ABSENT' && hasSuccessor(intent, at)))
    return decided(kept(intent, { lookedAt: at.now, nextCheckAt: undefined }))
  if (look.kind === 'other') return otherOrder(intent, `order ${look.orderId}`, at)
  if (look.kind !== 'found') return later(intent, look.seen, at)
  if (look.reply.orderId !== intent.orderId) return otherOrder(intent, `order ${look.reply.orderId}`, at)
  return decideByStatus(intent, look.reply, at)
}

/** What the status of the order says of the modification. */
function decideByStatus(intent: Intent, reply: ReplyValues<'status'>, at: Circumstances): Decision {
  const observed = observationOf(reply, at.exponents, intent.currency)
  const isOwn = intent.serialNumber !== undefined && reply.byRequestSn === intent.serialNumber
  if (!isOwn && isUnchanged(intent, observed)) return unchanged(intent, observed, at)
  const seen = `${observed.transactionType ?? 'order'} ${observed.status}`
  if (isJudged(intent, observed)) return later(intent, seen, at)
  if (!isFinalStatus(observed.status)) return later({ ...intent, ...NO_ABSENCE }, seen, at)
  const left = keptAfter(intent, observed, at.modifications)
  const isAnothers = !couldBe(intent, observed, isOwn, at.modifications) || (!isOwn && hasSuccessor(intent, at))
  if (intent.state === 'REJECTED' || isAnothers || keepsMore(observed, left)) {
    return review({ ...intent, observed }, 'CHANGED_OTHERWISE', seen, at)
  }
  return { ...ended(intent, { ...observed, amount: left }, seen, at), isChangedSince: left !== observed.amount }
}

/** The modification has its outcome, after which the order was as observed. */
function ended(intent: Intent, observed: Observation, seen: string, { now }: Circumstances): Decision {
  const told = { observed, lookedAt: now, evidence: withEvidence(intent, now, seen), nextCheckAt: undefined }
  const final = moved(intent, 'FINAL', { ...told, ...NO_ABSENCE, status: observed.status })
  const events = intent.state === 'PRESUMED_ABSENT' ? (['ARRIVED_LATE'] as const) : []
  return decided(final, [modificationOutcome(final, observed)], events)
}

/** Whether the order may have been changed again since: once it was presumed absent, though a person has it asked for again. */
function hasSuccessor({ createdAt }: Intent, { modifications }: Circumstances): boolean {
  return modifications.some((other) => other.createdAt > createdAt && !changedNothing(other))
}

/** The order is as it was: the request may be on its way, or have come to nothing. */
function unchanged(intent: Intent, observed: Observation, at: Circumstances): Decision {
  const { now, fraction } = at
  const seen = `unchanged: ${observed.transactionType ?? 'order'} ${observed.status}`
  // The gateway has numbered the request: it has arrived.
  if (intent.state === 'ACCEPTED' || intent.serialNumber !== undefined) return arrived(intent, observed, seen, at)
  const evidence = withEvidence(intent, now, seen)
  const told = { ...withAbsence(intent, now), observed, lookedAt: now, evidence }
  if (intent.state === 'REJECTED') return decided(kept(intent, { ...told, nextCheckAt: undefined }))
  const counted = { ...intent, ...told }
  if (intent.state !== 'UNKNOWN' || !isAbsentLongEnough(counted, now)) return later(counted, seen, at)
  if (!mayBeOfferedAgain(intent)) return review(counted, 'PART_UNCHANGED', seen, at)
  const nextCheckAt = nextCheck(intent, now, fraction)
  return decided(moved(intent, 'PRESUMED_ABSENT', { ...told, nextCheckAt }), [], ['PRESUMED_ABSENT'])
}

/**
 * How long what has arrived may take while its order shows nothing of it: what the status would tell at last must not come to a
 * person. The documents have a status asked for an hour and a callback awaited then (gaps part 5), and what a day has brought is
 * settled with that day (part 13). A preauthorization is held for seven days at least, so that the person is in time.
 */
const SLOW_MS = 24 * 60 * 60_000

const EQUAL_BEFORE =
  'since it was accepted, as something of its kind left it before: take-status where that is its own outcome, too, else nothing-charged'

/** The gateway is at it, or what came of it looks as before: then only a person can tell, once it cannot be just slow any more. */
function arrived(intent: Intent, observed: Observation, seen: string, at: Circumstances): Decision {
  const { now } = at
  const counted = { ...intent, ...withAbsence(intent, now) }
  const mayBeSlow = now - (intent.sentAt ?? intent.createdAt) < SLOW_MS || !isAbsentLongEnough(counted, now)
  const isWatched = intent.state === 'PRESUMED_ABSENT'
  if (mayBeSlow || isWatched || !mayLookAsBefore(intent, observed)) return later(counted, seen, at)
  return review({ ...counted, observed }, 'PART_UNCHANGED', `${seen} ${EQUAL_BEFORE}`, at)
}

/** A full one cannot take effect twice, and a void is always full; a second equal part is legitimate, and looks the same. */
function mayBeOfferedAgain({ operation, amounts }: Intent): boolean {
  return operation === 'void' || (operation === 'return' && amounts.length === 0)
}
