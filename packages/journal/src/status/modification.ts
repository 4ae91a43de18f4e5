import type { Intent, NewOutcome, Observation } from '@tallystick/client/ports'
import { isFinalStatus, type ReplyValues } from '@tallystick/core'
import { moved, withEvidence } from '../intents/states.ts'
import { isAbsentLongEnough, NO_ABSENCE, withAbsence } from './absence.ts'
import { nextCheck } from './poll.ts'
import { remainingAfter } from './remaining-amount.ts'
import { couldBe, isNoOpChange, isUnchanged, keepsMore, mayLookAsBefore } from './shown-change.ts'
import {
  type Circumstances,
  type Decision,
  decided,
  lessBy,
  namesOf,
  observationOf,
  processedOf,
  reasonOf,
  type StatusResult,
} from './status-result.ts'
import { decidesNothing, isJudged, later, moneyOf, otherOrder, refusalConfirmed, review } from './undecided.ts'

/**
 * Decides what a status check means for a capture, a void, a return or the second step of a payout. These have no id of their
 * own: if the gateway numbered the request, the status of that number decides, else how the order differs from the snapshot
 * (docs/guides/unknown.md).
 */
export function decideModification(intent: Intent, result: StatusResult, at: Circumstances): Decision {
  // A change of the order is not its own, or may equally be its successor's: its outcome can no longer be known.
  if (isNoOpChange(intent) || (intent.state === 'PRESUMED_ABSENT' && hasSuccessor(intent, at)))
    return decidesNothing(intent, at)
  if (result.kind === 'other') return otherOrder(intent, `order ${result.orderId}`, at)
  if (result.kind !== 'found') return later(intent, result.seen, at)
  if (result.reply.orderId !== intent.orderId) return otherOrder(intent, `order ${result.reply.orderId}`, at)
  return decideByStatus(intent, result.reply, at)
}

/** Decides by the status of the order. */
function decideByStatus(intent: Intent, reply: ReplyValues<'status'>, at: Circumstances): Decision {
  const observed = observationOf(reply, at.exponents, intent.currency ?? intent.before?.currency)
  const isOwn = intent.serialNumber !== undefined && reply.byRequestSn === intent.serialNumber
  if (!isOwn && isUnchanged(intent, observed)) return unchanged(intent, observed, at)
  const seen = `${observed.transactionType ?? 'order'} ${observed.status}`
  if (isJudged(intent, observed)) return later(intent, seen, at)
  if (!isFinalStatus(observed.status)) return later({ ...intent, ...NO_ABSENCE }, seen, at)
  if (isOfOtherMoney(intent, observed))
    return review({ ...intent, observed }, 'AMOUNT_DIFFERS', `${seen} of ${moneyOf(reply)}`, at)
  const left = remainingAfter(intent, observed, at.modifications)
  const isAnothers = !couldBe(intent, observed, isOwn, at.modifications) || (!isOwn && hasSuccessor(intent, at))
  // One that a forgotten journal may have sent: by the status it may be that of somebody else as well.
  const isForgotten = intent.sentAt === undefined
  if (intent.state === 'REJECTED' || isForgotten || isAnothers || keepsMore(observed, left)) {
    return review({ ...intent, observed }, 'CHANGED_OTHERWISE', seen, at)
  }
  return { ...ended(intent, { ...observed, amount: left }, seen, at), isChangedSince: left !== observed.amount }
}

/** The modification has its outcome. `observed`: the order right after it. */
function ended(intent: Intent, observed: Observation, seen: string, { now }: Circumstances): Decision {
  const changes = { observed, lookedAt: now, evidence: withEvidence(intent, now, seen), nextCheckAt: undefined }
  const final = moved(intent, 'FINAL', { ...changes, ...NO_ABSENCE, status: observed.status })
  const events = intent.state === 'PRESUMED_ABSENT' ? (['ARRIVED_LATE'] as const) : []
  return decided(final, [modificationOutcome(final, observed)], events)
}

/** Whether a later modification may have changed the order, made once this one was presumed absent. It may be UNKNOWN again. */
function hasSuccessor({ createdAt }: Intent, { modifications }: Circumstances): boolean {
  return modifications.some((other) => other.createdAt > createdAt && !isNoOpChange(other))
}

/** The order is as it was before: the request may still be on its way, or have come to nothing. */
function unchanged(intent: Intent, observed: Observation, at: Circumstances): Decision {
  const { now, fraction } = at
  const seen = `unchanged: ${observed.transactionType ?? 'order'} ${observed.status}`
  // The gateway has numbered the request: it has arrived.
  if (intent.state === 'ACCEPTED' || intent.serialNumber !== undefined) return arrived(intent, observed, seen, at)
  const evidence = withEvidence(intent, now, seen)
  const changes = { ...withAbsence(intent, now), observed, lookedAt: now, evidence }
  if (intent.state === 'REJECTED') return refusalConfirmed(intent, changes)
  const counted = { ...intent, ...changes }
  if (intent.state !== 'UNKNOWN' || !isAbsentLongEnough(counted, now)) return later(counted, seen, at)
  if (!mayBeOfferedAgain(intent)) return review(counted, 'PART_UNCHANGED', seen, at)
  const nextCheckAt = nextCheck(intent, now, fraction)
  return decided(moved(intent, 'PRESUMED_ABSENT', { ...changes, nextCheckAt }), [], ['PRESUMED_ABSENT'])
}

/**
 * How long a request that has arrived may take while its order shows nothing of it. An operator must not be asked for an outcome
 * that the status would still show. The documents have the status polled for an hour and a callback awaited after that (gaps
 * part 5), and a day's operations are settled with that day (part 13). A preauthorization is held for at least seven days, so
 * the operator is in time.
 */
const SLOW_MS = 24 * 60 * 60_000

const EQUAL_BEFORE =
  'since it was accepted, as one of its kind left it before: take-status if that is its own outcome as well, else nothing-charged'

/**
 * The request has arrived. The gateway is still at work, or the outcome looks like the order before: then only an operator can
 * tell, once the gateway has had time enough.
 */
function arrived(intent: Intent, observed: Observation, seen: string, at: Circumstances): Decision {
  const { now } = at
  const counted = { ...intent, ...withAbsence(intent, now) }
  const mayBeSlow = now - (intent.sentAt ?? intent.createdAt) < SLOW_MS || !isAbsentLongEnough(counted, now)
  const isWatched = intent.state === 'PRESUMED_ABSENT'
  if (mayBeSlow || isWatched || !mayLookAsBefore(intent, observed)) return later(counted, seen, at)
  return review({ ...counted, observed }, 'PART_UNCHANGED', `${seen} ${EQUAL_BEFORE}`, at)
}

/** A full one cannot take effect twice, and a void is always full. A second equal part is legitimate and looks the same. */
function mayBeOfferedAgain({ operation, amounts }: Intent): boolean {
  return operation === 'void' || (operation === 'return' && amounts.length === 0)
}

/** The outcome of a modification that is final now, from what was observed of its order. */
export function modificationOutcome(intent: Intent, observed: Observation): NewOutcome {
  const { amounts, currency } = intent
  return {
    kind: 'outcome',
    ...namesOf(intent),
    status: observed.status,
    transactionType: observed.transactionType,
    amount: amounts[0] ?? amountSeen(intent, observed),
    // They differ only if an operator takes the status all the same.
    currency: observed.currency ?? currency,
    kept: observed.amount,
    ...reasonOf(observed, observed),
    ...processedOf(observed),
  }
}

/**
 * If the request names no amount, the change of the amount kept tells it; a capture does not change that one. A payout is paid
 * out whole, and gateways may show its amount from the check on, so its amount is the one shown.
 */
function amountSeen({ operation, before }: Intent, { status, amount }: Observation): string | undefined {
  if (operation === 'capture' || status !== 'approved') return undefined
  return operation === 'payoutPay' ? amount : lessBy(before?.amount, amount)
}

/**
 * Whether a status shows other money than that of the order which was modified: another currency, another amount asked for or, of
 * a payout, another amount paid than was checked.
 */
function isOfOtherMoney({ operation, currency, before }: Intent, shown: Observation): boolean {
  if (differ(shown.currency, currency ?? before?.currency)) return true
  if (differ(shown.initialAmount, before?.initialAmount)) return true
  return operation === 'payoutPay' && shown.status === 'approved' && isUnchecked(shown.amount, before)
}

/**
 * Whether an amount paid is none that the check showed: the one asked for, or the one to be paid, which may have a fee in it. `0`
 * means that nothing was paid yet.
 */
function isUnchecked(paid: string | undefined, { amount, initialAmount }: Partial<Observation> = {}): boolean {
  const checked = [initialAmount, amount].filter((one) => one !== undefined && one !== '0')
  return paid !== undefined && checked.length > 0 && !checked.includes(paid)
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other
}
