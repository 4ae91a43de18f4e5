import { LEAST_WAIT_MS } from '@tallystick/client/internal'
import type { Intent, Observation, OrphanChange, OrphanOrder } from '@tallystick/client/ports'
import { isFinalStatus } from '@tallystick/core'
import { changeShown, outcomeShown } from '@tallystick/core/internal'
import { LEASE_MS, leases } from '../background/lease.ts'
import { WATCH_REST_MS, type WorkerPool, withinLimit, workerPool } from '../background/worker-pool.ts'
import type { JournalParts } from '../context.ts'
import type { OrphanNotice, OrphanOutcome } from '../intents/orphan-outcome.ts'
import { asksMoney, isOpening, keepsNothing, sameObservation } from '../intents/states.ts'
import { keyedMutex } from '../runtime/concurrency.ts'
import { isTooOld } from '../status/absence.ts'
import { isHeld } from '../status/notice.ts'
import { nextCheck } from '../status/poll.ts'
import { observationOf } from '../status/status-result.ts'
import { nextWatch } from '../status/watch.ts'
import { askStatus } from './ask.ts'
import { WATCH_CONCURRENCY } from './reconciler.ts'

/** How many of them are checked and reported at the same time. */
const CONCURRENCY = 8
/** Payments have turns much more often. */
const REST_MS = 1000
/**
 * A reported order is remembered for two years after its last change. If it were forgotten before a chargeback is won back, it
 * would be reported under its first key again.
 */
const REMEMBERED_MS = 2 * 365 * 86_400_000

/** An order that this process has claimed, with its current lease. */
interface Claimed {
  orphan: OrphanOrder
}

interface Orphans {
  readonly checks: WorkerPool
  readonly watches: WorkerPool
  /** How often the merchant's function was called by now, without a failure. */
  reported(): number
}

/**
 * Orders that no intent has, such as the charges of a recurring payment (createRecurringPayment), which the gateway opens itself.
 * When a callback of one comes, the status is asked and reported to the merchant.
 *
 * Each change is reported at least once: if a process dies between the handler and the note that it ran, the handler is called
 * again, with the same key. Without a handler these orders are only shown in the report, except for second orders of one
 * payment: those are checked, since an operator has to know of a double charge.
 */
export function orphanOrders<Transaction>(parts: JournalParts<Transaction>, onDone: () => void): Orphans {
  const { store, clock, onOrphan, emit, handlerTimeoutMs, skew, watchMs } = parts
  const suspected = new Set<string>()
  let calls = 0
  const underWay = new Map<string, Claimed>()
  const claims = leases<Claimed>({
    clock,
    renew: (held, leaseUntil) => renewAll(held, leaseUntil),
    onFailure: (error) => emit({ type: 'RECONCILE_FAILED', error }),
  })

  /**
   * Claims, renewals and results are written one after the other: each is written under the lease that the one before has left. A
   * result under a lapsed lease would be lost, and the merchant's function called again.
   */
  const alone = keyedMutex()

  async function renew(claimed: Claimed, leaseUntil: number): Promise<void> {
    const { orphan } = claimed
    if (await store.renewOrphan(orphan, leaseUntil)) claimed.orphan = { ...orphan, leaseUntil }
  }

  const renewAll = (held: readonly Claimed[], leaseUntil: number) =>
    alone('', async () => await Promise.all(held.map((one) => renew(one, Math.round(leaseUntil)))))

  /** Claims what is due. What this process is still working on is left out: its lease had lapsed, and it has the new one. */
  function take(limit: number, watched = false): Promise<readonly OrphanOrder[]> {
    return alone('', async () => {
      const now = Math.round(clock.now())
      const claim = { now, leaseUntil: now + LEASE_MS, limit, watched, ofOpenings: onOrphan === undefined }
      const due = await store.claimOrphans(claim)
      return due.filter(({ leaseUntil, ...order }) => {
        const claimed = underWay.get(nameOf(order))
        if (claimed !== undefined) claimed.orphan = { ...claimed.orphan, leaseUntil }
        return claimed === undefined
      })
    })
  }

  async function handle(orphan: OrphanOrder, isWatched: boolean): Promise<boolean> {
    const limited: typeof onOrphan =
      onOrphan &&
      (async (outcome) => {
        const limit = {
          clock,
          limitMs: handlerTimeoutMs,
          what: `${outcome.kind === 'notice' ? 'onOrphanNotice' : 'onOrphan'} of ${outcome.key}`,
        }
        await withinLimit(() => onOrphan(outcome), limit)
        calls++
      })
    const claimed: Claimed = { orphan }
    underWay.set(nameOf(orphan), claimed)
    try {
      const change = await claims.during(claimed, () =>
        checkOrphan(orphan, { ...parts, onOrphan: limited, suspected, isWatched }),
      )
      await alone('', async () => {
        const now = clock.now()
        await store.settleOrphan(claimed.orphan, change, now + LEAST_WAIT_MS, now - skew.aheadMs() - REMEMBERED_MS)
        underWay.delete(nameOf(orphan))
      })
    } catch (error) {
      emit({ type: 'RECONCILE_FAILED', error })
    } finally {
      underWay.delete(nameOf(orphan))
    }
    return true
  }

  const watch = onOrphan !== undefined && watchMs > 0
  return {
    reported: () => calls,
    checks: workerPool({
      concurrency: CONCURRENCY,
      take,
      nameOf,
      work: (orphan) => handle(orphan, false),
      onDone,
      // A callback makes them due later than that.
      rest: { clock, ms: REST_MS },
    }),
    watches: workerPool({
      concurrency: WATCH_CONCURRENCY,
      take: async (limit) => (watch ? await take(limit, true) : []),
      nameOf,
      work: (orphan) => handle(orphan, true),
      onDone,
      rest: { clock, ms: WATCH_REST_MS },
    }),
  }
}

function nameOf({ clientOrderId, orderId }: Pick<OrphanOrder, 'clientOrderId' | 'orderId'>): string {
  return JSON.stringify([clientOrderId, orderId])
}

/** What the merchant was told last, how many changes were reported, and when it was last seen: the store keeps all together. */
interface Reported extends Observation {
  readonly reports: number
  readonly seenAt: number
}

interface Parts<Transaction> extends JournalParts<Transaction> {
  /** The orders that this process has reported as suspected double charges. */
  readonly suspected: Set<string>
  /** Whether the order was reported, and is checked in case something happened to it without a callback. */
  readonly isWatched: boolean
}

/** When `onOrphan` is called again with what a watch has found, if it failed. No callback has made the order due. */
const AGAIN_MS = 3_600_000

/** Asks the status, and reports it to the merchant if it is final and not the one reported last. */
async function checkOrphan<Transaction>(orphan: OrphanOrder, parts: Parts<Transaction>): Promise<OrphanChange> {
  const { clientOrderId, orderId } = orphan
  const ofId = await parts.store.ofOrder(clientOrderId)
  const repeatOf = ofId.find(isOpening)
  const modifications = ofId.filter((one) => one.kind === 'modification' && one.orderId === orderId)
  // Reported by its own intent. What else has happened is found afterwards.
  if (parts.isWatched && isHeld({ modifications })) return later(orphan, parts.clock.now(), parts)
  // Which of the orders under this id the opening has made is not known yet: it may be this one.
  if (repeatOf !== undefined && repeatOf.orderId === undefined) return later(orphan, parts.clock.now(), parts)
  const guessed = await recurringPaymentOf(clientOrderId, parts)
  const seen = await askStatus({ clientOrderId, orderId }, ofId[0] ?? guessed ?? {}, parts)
  const at = parts.clock.now()
  if (seen.kind !== 'found' || seen.reply.orderId !== orderId || !isFinalStatus(seen.reply.status)) {
    return later(orphan, at, parts, seen.kind === 'absent')
  }
  const { reply } = seen
  const { status } = seen.reply
  const observed = observationOf(reply, parts.exponents)
  const done = modifications.findLast(({ state }) => state === 'FINAL')?.observed
  const isOwn = parts.isWatched && done !== undefined && sameObservation(done, observed)
  if (isOwn || (orphan.reported !== undefined && sameObservation(orphan.reported, observed)))
    return settled(orphan, { ...observed, reports: reportsOf(orphan.reported), seenAt: at }, parts)
  // Counted, since an order won back after a chargeback looks as it did before.
  const reported: Reported = { ...observed, reports: reportsOf(orphan.reported) + 1, seenAt: at }
  const recurringPayment = guessed ?? (await intentOfReference(reply.recurringPaymentId, parts))
  const { change, ...shown } = outcomeShown(reply, status)
  const report = {
    key: keyOf(orderId, reported),
    clientOrderId,
    orderId,
    ...shown,
    reply,
    ...(recurringPayment && { recurringPayment }),
    ...(repeatOf && { repeatOf }),
  }
  const isNotice = change !== undefined || orphan.reported !== undefined
  const outcome: OrphanOutcome | OrphanNotice = isNotice
    ? { kind: 'notice', ...report, ...(change && { change }) }
    : { kind: 'outcome', ...report }
  if (orphan.reported === undefined) suspect(outcome, observed.amount, parts)
  const isReported = await tried(outcome, parts)
  if (isReported) return settled(orphan, reported, parts)
  return parts.isWatched ? { reported: orphan.reported, at, watchAt: at + AGAIN_MS } : later(orphan, at, parts)
}

/** Nothing is left to report. */
function settled<Transaction>(orphan: OrphanOrder, reported: Reported, parts: Parts<Transaction>): OrphanChange {
  return {
    reported,
    at: reported.seenAt,
    watchAt: watchAtOf(orphan, reported, { at: reported.seenAt, isAnswered: true }, parts),
  }
}

/** When it is watched next, if its payment was approved. */
function watchAtOf<Transaction>(
  { reported: before, receivedAt }: OrphanOrder,
  reported: (Observation & Partial<Reported>) | undefined,
  { at, isAnswered }: { readonly at: number; readonly isAnswered: boolean },
  { fraction, watchMs }: Parts<Transaction>,
): number | undefined {
  if (reported === undefined || (reported.status !== 'approved' && changeShown(reported) === undefined))
    return undefined
  const lookedAt = (before as Partial<Reported> | undefined)?.seenAt
  return nextWatch({ since: receivedAt, lookedAt, isAnswered }, { now: at, fraction: fraction(), watchMs })
}

function keyOf(orderId: string, { transactionType = '', status, amount = '', reports }: Reported): string {
  return `${orderId}:${transactionType}:${status}:${amount}:${reports}`
}

function reportsOf(reported: (Observation & Partial<Reported>) | undefined): number {
  return reported?.reports ?? 0
}

/** Reports a second order of one payment if both were approved and neither was refunded: an operator has to refund one. */
function suspect<Transaction>(
  orphan: OrphanOutcome | OrphanNotice,
  kept: string | undefined,
  { suspected, emit }: Parts<Transaction>,
): void {
  const { repeatOf, status, change, orderId } = orphan
  if (repeatOf === undefined || !asksMoney(repeatOf) || status !== 'approved' || suspected.has(orderId)) return
  const isGivenBack = change?.status === 'approved' && kept === '0'
  if (isGivenBack || keepsNothing(repeatOf.observed)) return
  suspected.add(orderId)
  emit({ type: 'DOUBLE_CHARGE_SUSPECTED', intents: [repeatOf], orphan })
}

/** Whether there is a handler, and it took the report. */
async function tried<Transaction>(
  outcome: OrphanOutcome | OrphanNotice,
  { onOrphan, emit }: Parts<Transaction>,
): Promise<boolean> {
  if (onOrphan === undefined) return false
  try {
    await onOrphan(outcome)
    return true
  } catch (error) {
    emit({ type: 'ORPHAN_FAILED', outcome, error })
    return false
  }
}

/**
 * The status is asked again by the schedule, counted from the last callback, for thirty days. One that is watched has no news: it
 * stays reported.
 */
function later<Transaction>(
  orphan: OrphanOrder,
  at: number,
  parts: Parts<Transaction>,
  isAnswered = false,
): OrphanChange {
  const watchAt = watchAtOf(orphan, orphan.reported, { at, isAnswered }, parts)
  if (parts.isWatched && orphan.reported !== undefined) {
    const reported: Reported = { ...orphan.reported, reports: reportsOf(orphan.reported), seenAt: at }
    return { reported, at, watchAt }
  }
  const counted = { createdAt: orphan.wokenAt }
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
