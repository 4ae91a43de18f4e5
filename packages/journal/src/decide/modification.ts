import type { Intent, NewOutcome, Observation } from '@tallystick/client'
import { isFinalStatus, type ReplyValues } from '@tallystick/core'
import { withEvidence } from '../evidence.ts'
import { kept, moved, sameObservation } from '../states.ts'
import { isAbsentLongEnough, NO_ABSENCE, withAbsence } from './absence.ts'
import { changedNothing, isRefusedForGood } from './changed-nothing.ts'
import { differenceOf, lessBy } from './difference-of.ts'
import { namesOf } from './intent-names.ts'
import { keptAfter, mayLeave } from './kept-after.ts'
import { type Circumstances, type Decision, decided, type Look, observationOf } from './look.ts'
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

/** Whether what is observed of the order tells nothing of the modification. */
export function isUnchanged({ before }: Intent, observed: Observation): boolean {
  return before === undefined || sameObservation(before, observed)
}

/** Whether the order may have been changed again since: once it was presumed absent, though a person has it asked for again. */
function hasSuccessor({ createdAt }: Intent, { modifications }: Circumstances): boolean {
  return modifications.some((other) => other.createdAt > createdAt && !changedNothing(other))
}

/** What status shows of each: a void and a return make a cancel or a reversal. */
const SHOWN_AS: Readonly<Partial<Record<Intent['operation'], readonly string[]>>> = {
  capture: ['capture'],
  void: ['cancel', 'reversal', 'void'],
  return: ['cancel', 'reversal', 'return', 'refund'],
  payoutPay: ['payout'],
}

/** Whether what status shows may be what this modification did: then its own intent tells of it. */
export function mayHaveMade(modification: Intent, observed: Observation, modifications: readonly Intent[]): boolean {
  const { state, status } = modification
  if (changedNothing(modification) || (state === 'FINAL' && status !== observed.status)) return false
  return couldBe(modification, observed, false, modifications)
}

/** Whether what status shows is of its kind, as far as a type is named. */
function isOfItsKind({ operation }: Intent, { transactionType }: Observation): boolean {
  return transactionType === undefined || SHOWN_AS[operation]?.includes(transactionType.toLowerCase()) === true
}

/**
 * Whether its outcome may be what was shown before it already, as that of an equal capture, or of another return that was
 * declined. Where the gateway does not say of which request it tells, nothing ever shows it then.
 */
export function mayLookAsBefore(intent: Intent, observed: Observation): boolean {
  const { status, transactionType } = observed
  if (!isFinalStatus(status) || !isOfItsKind(intent, observed)) return false
  if (status !== 'approved' || !givesBack(intent)) return true
  // Without a type it may be the payment itself that is shown.
  return transactionType !== undefined && !countsKept(intent, observed)
}

function givesBack({ operation }: Intent): boolean {
  return operation === 'return' || operation === 'void'
}

/** Whether the amount is what is kept, which the next one makes less: not that of the payment for good, nor that of the request. */
function countsKept({ amounts: [asked] }: Intent, { amount, initialAmount }: Observation): boolean {
  return amount !== undefined && amount !== initialAmount && amount !== asked
}

/** Whether this change of the order is one that the modification makes. */
function couldBe(intent: Intent, observed: Observation, isOwn: boolean, modifications: readonly Intent[]): boolean {
  const { before, amounts } = intent
  const { status, amount } = observed
  if (!isOfItsKind(intent, observed)) return false
  // Others may have changed what is kept since; of this request its own status tells.
  if (isOwn || status !== 'approved' || !givesBack(intent)) return true
  const difference = differenceOf(before?.amount, amount)
  const [asked] = amounts
  if (before === undefined || difference === undefined) return true
  if (asked !== undefined) return difference === asked
  return difference !== '0' && mayLeave(intent, before, observed, modifications)
}

/**
 * Whether more is kept than an approved one leaves. It gave back less than it asked for, or something was won back meanwhile:
 * told as asked for, the rest would be a notice of money that never moved.
 */
export function keepsMore({ status, amount }: Observation, left: string | undefined): boolean {
  return status === 'approved' && lessBy(amount, left) !== undefined
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

/** What the merchant is told of a modification that is final now, by what was observed of the order. */
export function modificationOutcome(intent: Intent, observed: Observation): NewOutcome {
  const { amounts, currency } = intent
  return {
    kind: 'outcome',
    ...namesOf(intent),
    status: observed.status,
    transactionType: observed.transactionType,
    amount: amounts[0] ?? amountSeen(intent, observed),
    currency: currency ?? observed.currency,
    kept: observed.amount,
  }
}

/**
 * Where the request does not say, what is kept tells how much it was; a capture leaves that as it is. A payout leaves whole:
 * gateways may show its amount from the check on.
 */
function amountSeen({ operation, before }: Intent, { status, amount }: Observation): string | undefined {
  if (operation === 'capture' || status !== 'approved') return undefined
  return operation === 'payoutPay' ? amount : lessBy(before?.amount, amount)
}
