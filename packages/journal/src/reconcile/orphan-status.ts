import type { FirstOutcome, Intent, Observation, PaymentOutcome, StrayChange, StrayOrder } from '@tallystick/client'
import { changeShown, isFinalStatus, outcomeShown } from '@tallystick/core'
import { asksMoney, isOpening, keepsNothing, sameObservation } from '../intents/states.ts'
import type { JournalParts } from '../options.ts'
import { isTooOld } from '../status/absence.ts'
import { nextCheck } from '../status/next-check.ts'
import { isHeld } from '../status/notice.ts'
import { observationOf } from '../status/status-result.ts'
import { nextWatch } from '../status/watch.ts'
import { askStatus } from './ask.ts'

/** What every report of an order without an intent has, beside its confirmed status. */
interface StrayReport {
  /** The same if the same is reported again, another one for each change: deduplicate by it. */
  readonly key: string
  /** The intent that created the recurring payment of which this order is a charge, if this journal has it. */
  readonly recurringPayment?: Intent
  /** The intent that made another order under the same client order id: the gateway took the same request twice. */
  readonly repeatOf?: Intent
}

/** The outcome of an order without an intent. */
export interface StrayOutcome extends FirstOutcome, StrayReport {
  readonly kind: 'outcome'
}

/**
 * What happened to an order without an intent after its outcome, such as a chargeback. The status shows only the last operation: this
 * may be the first report of the order, if its outcome was never seen. `change` is absent if the status does not name it, as when
 * a chargeback was won back.
 */
export interface StrayNotice extends PaymentOutcome, StrayReport {
  readonly kind: 'notice'
}

export type StrayHandler = (outcome: StrayOutcome) => void | Promise<void>
export type StrayNoticeHandler = (notice: StrayNotice) => void | Promise<void>

/** What the merchant was told last, how many changes were reported, and when it was last seen: the store keeps all together. */
interface Told extends Observation {
  readonly tellings: number
  readonly seenAt: number
}

interface Parts<Transaction> extends JournalParts<Transaction> {
  /** The orders that this process has reported as suspected double charges. */
  readonly suspected: Set<string>
  /** Whether the order was reported, and is checked in case something happened to it without a callback. */
  readonly isWatched: boolean
}

/** When `onStray` is called again with what a watch has found, if it failed. No callback has made the order due. */
const AGAIN_MS = 3_600_000

/** Asks the status, and reports it to the merchant if it is final and not the one reported last. */
export async function lookAtStray<Transaction>(stray: StrayOrder, parts: Parts<Transaction>): Promise<StrayChange> {
  const { clientOrderId, orderId } = stray
  const ofId = await parts.store.ofOrder(clientOrderId)
  const repeatOf = ofId.find(isOpening)
  const modifications = ofId.filter((one) => one.kind === 'modification' && one.orderId === orderId)
  // Reported by its own intent. What else has happened is found afterwards.
  if (parts.isWatched && isHeld({ modifications })) return later(stray, parts.clock.now(), parts)
  // Which of the orders under this id the opening has made is not known yet: it may be this one.
  if (repeatOf !== undefined && repeatOf.orderId === undefined) return later(stray, parts.clock.now(), parts)
  const guessed = await recurringPaymentOf(clientOrderId, parts)
  const seen = await askStatus({ clientOrderId, orderId }, ofId[0] ?? guessed ?? {}, parts)
  const at = parts.clock.now()
  if (seen.kind !== 'found' || seen.reply.orderId !== orderId || !isFinalStatus(seen.reply.status)) {
    return later(stray, at, parts, seen.kind === 'absent')
  }
  const { reply } = seen
  const { status } = seen.reply
  const observed = observationOf(reply, parts.exponents)
  const done = modifications.findLast(({ state }) => state === 'FINAL')?.observed
  const isOwn = parts.isWatched && done !== undefined && sameObservation(done, observed)
  if (isOwn || (stray.told !== undefined && sameObservation(stray.told, observed)))
    return settled(stray, { ...observed, tellings: tellingsOf(stray.told), seenAt: at }, parts)
  // Counted, since an order won back after a chargeback looks as it did before.
  const told: Told = { ...observed, tellings: tellingsOf(stray.told) + 1, seenAt: at }
  const recurringPayment = guessed ?? (await intentOfReference(reply.recurringPaymentId, parts))
  const { change, ...shown } = outcomeShown(reply, status)
  const report = {
    key: keyOf(orderId, told),
    clientOrderId,
    orderId,
    ...shown,
    reply,
    ...(recurringPayment && { recurringPayment }),
    ...(repeatOf && { repeatOf }),
  }
  const isNotice = change !== undefined || stray.told !== undefined
  const outcome: StrayOutcome | StrayNotice = isNotice
    ? { kind: 'notice', ...report, ...(change && { change }) }
    : { kind: 'outcome', ...report }
  if (stray.told === undefined) suspect(outcome, observed.amount, parts)
  const isTold = await tried(outcome, parts)
  if (isTold) return settled(stray, told, parts)
  return parts.isWatched ? { told: stray.told, at, watchAt: at + AGAIN_MS } : later(stray, at, parts)
}

/** Nothing is left to report. */
function settled<Transaction>(stray: StrayOrder, told: Told, parts: Parts<Transaction>): StrayChange {
  return { told, at: told.seenAt, watchAt: watchAtOf(stray, told, { at: told.seenAt, isAnswered: true }, parts) }
}

/** When it is watched next, if its payment was approved. */
function watchAtOf<Transaction>(
  { told: before, receivedAt }: StrayOrder,
  told: (Observation & Partial<Told>) | undefined,
  { at, isAnswered }: { readonly at: number; readonly isAnswered: boolean },
  { fraction, watchMs }: Parts<Transaction>,
): number | undefined {
  if (told === undefined || (told.status !== 'approved' && changeShown(told) === undefined)) return undefined
  const lookedAt = (before as Partial<Told> | undefined)?.seenAt
  return nextWatch({ since: receivedAt, lookedAt, isAnswered }, { now: at, fraction: fraction(), watchMs })
}

function keyOf(orderId: string, { transactionType = '', status, amount = '', tellings }: Told): string {
  return `${orderId}:${transactionType}:${status}:${amount}:${tellings}`
}

function tellingsOf(told: (Observation & Partial<Told>) | undefined): number {
  return told?.tellings ?? 0
}

/** Reports a second order of one payment if both were approved and neither was refunded: an operator has to refund one. */
function suspect<Transaction>(
  stray: StrayOutcome | StrayNotice,
  kept: string | undefined,
  { suspected, tell }: Parts<Transaction>,
): void {
  const { repeatOf, status, change, orderId } = stray
  if (repeatOf === undefined || !asksMoney(repeatOf) || status !== 'approved' || suspected.has(orderId)) return
  const isGivenBack = change?.status === 'approved' && kept === '0'
  if (isGivenBack || keepsNothing(repeatOf.observed)) return
  suspected.add(orderId)
  tell({ type: 'DOUBLE_CHARGE_SUSPECTED', intents: [repeatOf], stray })
}

/** Whether there is a handler, and it took the report. */
async function tried<Transaction>(
  outcome: StrayOutcome | StrayNotice,
  { onStray, tell }: Parts<Transaction>,
): Promise<boolean> {
  if (onStray === undefined) return false
  try {
    await onStray(outcome)
    return true
  } catch (error) {
    tell({ type: 'STRAY_FAILED', outcome, error })
    return false
  }
}

/**
 * The status is asked again by the schedule, counted from the last callback, for thirty days. One that is watched has no news: it
 * stays reported.
 */
function later<Transaction>(stray: StrayOrder, at: number, parts: Parts<Transaction>, isAnswered = false): StrayChange {
  const watchAt = watchAtOf(stray, stray.told, { at, isAnswered }, parts)
  if (parts.isWatched && stray.told !== undefined) {
    const told: Told = { ...stray.told, tellings: tellingsOf(stray.told), seenAt: at }
    return { told, at, watchAt }
  }
  const counted = { createdAt: stray.wokenAt }
  const isOver = isTooOld(counted, { now: at, aheadMs: parts.skew.aheadMs() })
  return { at, watchAt, nextCheckAt: isOver ? undefined : nextCheck(counted, at, parts.fraction()) }
}

/** Finds it by the id of the charge, as our gateway makes it: the id of the recurring payment and the number of the period. */
async function recurringPaymentOf<Transaction>(
  clientOrderId: string,
  parts: Parts<Transaction>,
): Promise<Intent | undefined> {
  const [, reference] = /^(.+)-\d+$/.exec(clientOrderId) ?? []
  return await intentOfReference(reference, parts)
}

async function intentOfReference<Transaction>(
  reference: string | undefined,
  { store }: Parts<Transaction>,
): Promise<Intent | undefined> {
  const found = reference === undefined ? undefined : await store.findReference(reference)
  return found?.operation === 'createRecurringPayment' ? found : undefined
}
