import { LEAST_WAIT_MS } from '@tallystick/client/internal'
import type { Intent, IntentChange } from '@tallystick/client/ports'
import { LEASE_MS } from '../background/lease.ts'
import { WATCH_REST_MS, type WorkerPool, workerPool } from '../background/worker-pool.ts'
import type { JournalParts } from '../context.ts'
import { announce } from '../events.ts'
import { isOpening, isUnsent, kept, updateIntent, withEvidence } from '../intents/states.ts'
import { FREE, lost } from '../pay/settle.ts'
import { decideStatus } from '../status/decide.ts'
import { isHeld } from '../status/notice.ts'
import { lastCheckAt, notLaterThanWoken } from '../status/poll.ts'
import { type Circumstances, type Decision, decided, isOfOrder, type StatusResult } from '../status/status-result.ts'
import { answers, ask } from './ask.ts'
import { modificationsAmong, modificationsOf, suspectDoubleCharges, withOpening } from './order-intents.ts'

/** An intent after a status check. */
export interface CheckedIntent {
  readonly intent: Intent
  /**
   * Whether the gateway said that there is no such order, or answered with it and that was written; and no callback, which may
   * know more, came meanwhile. Otherwise nothing was learned.
   */
  readonly isAnswered: boolean
}

export interface Reconciler {
  /** Checks the status of an intent and writes what follows. */
  check(intent: Intent): Promise<CheckedIntent>
  /** Checks the status of everything that is due. */
  readonly checks: WorkerPool
  /** Checks the status of the approved payments that are watched: by workers of their own, so that nothing open waits for them. */
  readonly watches: WorkerPool
}

/** A status check, and how things stood when it began. */
interface Asked {
  /** The intent as it was read for the check. */
  readonly intent: Intent
  readonly since: number
  readonly lastAnswerAt: number | undefined
  /** Whether this process has claimed the intent for the check. One that a caller asks for is not claimed. */
  readonly isClaimed: boolean
}

/** An intent after the result of a status check. */
interface Concluded {
  readonly intent: Intent
  /** Whether the result counts. It does not if another answer, which may be later, was written meanwhile. */
  readonly isWritten: boolean
}

/** How many status checks are under way at the same time. */
const CONCURRENCY = 8
/** How many of those of watched orders, beside them. */
export const WATCH_CONCURRENCY = 2

/**
 * Finds out what became of the intents. A process claims an intent before it checks its status; if its lease has lapsed and
 * another process has claimed the intent, it does not write what it saw.
 *
 * @param sendPrepared what is done with a claimed intent that was prepared and whose caller did not come
 */
export function reconciler<Transaction>(
  parts: JournalParts<Transaction>,
  onDone: () => void,
  sendPrepared: (intent: Intent) => Promise<void>,
): Reconciler {
  const { store, clock, fraction, exponents, owner, leases, emit, repeatsGetFirstAnswer, skew, watchMs } = parts
  const known = answers(parts)

  function circumstances(modifications: readonly Intent[], lastAnswerAt: number | undefined): Circumstances {
    const [now, aheadMs] = [clock.now(), skew.aheadMs()]
    return { now, aheadMs, watchMs, fraction: fraction(), exponents, lastAnswerAt, modifications }
  }

  async function check(intent: Intent, isClaimed: boolean): Promise<CheckedIntent> {
    await known.seekProof(intent)
    const since = clock.now()
    // Read before the question: a gateway that knew no order when it was asked may know them all again a moment later.
    const lastAnswerAt = mayBeAbsent(intent) ? await known.lastOf(intent) : undefined
    const seen = await askUnlessInVain(intent)
    if (seen.kind === 'found') await known.note(intent)
    const { isWritten, intent: latest } = await conclude(seen, { intent, since, lastAnswerAt, isClaimed })
    // An absence counts even if it was not written: if the intent is still presumed absent, a later check saw no more of it.
    const isKnown = seen.kind === 'absent' || (isWritten && seen.kind !== 'silent')
    return { intent: latest, isAnswered: isKnown && latest.wokenAt === intent.wokenAt }
  }

  /**
   * Asks the status, unless the answer could decide nothing. While a modification of an ended payment is undecided, the status is
   * asked for the modification alone; and while the payment of a modification has no outcome, for the payment first.
   */
  async function askUnlessInVain(intent: Intent): Promise<StatusResult> {
    if (intent.state === 'FINAL' && isHeld({ modifications: await modificationsOf(intent, store) }))
      return { kind: 'silent', seen: 'an operation on the order is not decided yet' }
    const payment = await openPaymentOf(intent)
    if (payment === undefined) return await ask(intent, parts)
    await check(payment, false)
    return { kind: 'silent', seen: 'its payment is asked for first' }
  }

  /** The payment of a modification, if its outcome is not reported yet: that comes first. */
  async function openPaymentOf({ kind, state, clientOrderId, orderId }: Intent): Promise<Intent | undefined> {
    if (kind !== 'modification' || state === 'REJECTED') return undefined
    const ofId = await store.ofOrder(clientOrderId)
    return ofId.find((other) => isOpening(other) && isOpen(other) && isOfOrder({ orderId }, other))
  }

  async function conclude(seen: StatusResult, asked: Asked): Promise<Concluded> {
    const { intentId, clientOrderId } = asked.intent
    let latest = asked.intent
    let ofId: readonly Intent[] = []
    // Read together: a modification that ends later makes a new version of its payment.
    const find = async () => {
      ofId = await store.ofOrder(clientOrderId)
      return ofId.find((one) => one.intentId === intentId) ?? (await store.find(intentId))
    }
    const update = (...changes: readonly IntentChange[]) => store.update(...changes)
    const written = await updateIntent({ find, update }, intentId, async (fresh) => {
      latest = fresh
      if (asked.isClaimed && fresh.leaseOwner !== owner) return undefined
      if (isOvertaken(fresh, asked))
        return asked.isClaimed ? ([released(fresh, asked, decided(kept(fresh, {})))] as const) : undefined
      const modifications = modificationsAmong(ofId, fresh)
      const decision = decideStatus(fresh, seen, circumstances(modifications, asked.lastAnswerAt))
      return await withOpening(fresh, released(fresh, asked, decision), parts)
    })
    if (written === undefined) return { intent: latest, isWritten: false }
    const [change] = written
    announce(change, emit)
    await suspectDoubleCharges(written, parts)
    return { intent: change.intent, isWritten: true }
  }

  /** Claims what is due. What this process is still sending is left out, even if its lease has lapsed. */
  async function claim(limit: number, watched = false): Promise<readonly Intent[]> {
    const now = clock.now()
    const due = await store.claimDue({ now, leaseUntil: now + LEASE_MS, owner, limit, watched })
    return due.filter(({ intentId, state }) => state !== 'SENDING' || !leases.has(intentId))
  }

  /**
   * One that fails must not keep the others from being checked; its lease lapses. What this process is about to end, as a send whose
   * reply is written, ends first: a callback that was faster than the reply made the check due at once.
   */
  async function handle(intent: Intent): Promise<boolean> {
    try {
      await leases.ended(intent.intentId)
      await leases.during(intent.intentId, () => handleDue(intent))
    } catch (error) {
      emit({ type: 'RECONCILE_FAILED', error })
    }
    return true
  }

  async function handleDue(intent: Intent): Promise<void> {
    if (intent.state === 'SENDING') return await takeOver(intent)
    if (isUnsent(intent)) return await sendPrepared(intent)
    const now = clock.now()
    const lookedAt = lastCheckAt(intent, now)
    if (now - lookedAt < LEAST_WAIT_MS) return await postpone(intent, lookedAt + LEAST_WAIT_MS)
    await check(intent, true)
  }

  /** The process that was sending the intent is dead, or seems so: the request may have been sent. */
  async function takeOver({ intentId }: Intent): Promise<void> {
    const written = await updateIntent(store, intentId, (fresh) => {
      if (fresh.leaseOwner !== owner) return undefined
      // That process was not dead, and has written what the gateway answered.
      if (fresh.state !== 'SENDING') return [decided(kept(fresh, FREE))] as const
      const now = clock.now()
      const evidence = withEvidence(fresh, now, 'the process that was sending it ended')
      return [lost({ ...fresh, evidence }, now, { repeatsGetFirstAnswer })] as const
    })
    const [change] = written ?? []
    if (change !== undefined) announce(change, emit)
  }

  /** Whichever check it was claimed for: neither is due before that. */
  async function postpone({ intentId }: Intent, until: number): Promise<void> {
    const later = (planned: number | undefined) => planned && Math.max(planned, until)
    await updateIntent(store, intentId, (fresh) => {
      if (fresh.leaseOwner !== owner) return undefined
      const { nextCheckAt, watchAt } = fresh
      return [decided(kept(fresh, { ...FREE, nextCheckAt: later(nextCheckAt), watchAt: later(watchAt) }))]
    })
  }

  return {
    check: (intent) => check(intent, false),
    checks: workerPool({ concurrency: CONCURRENCY, take: claim, nameOf, work: handle, onDone }),
    watches: workerPool({
      concurrency: WATCH_CONCURRENCY,
      take: async (limit) => (watchMs === 0 ? [] : await claim(limit, true)),
      nameOf,
      work: handle,
      onDone,
      rest: { clock, ms: WATCH_REST_MS },
    }),
  }
}

function nameOf({ intentId }: Intent): string {
  return intentId
}

/** An order that the gateway has named is never absent. */
function mayBeAbsent({ state, orderId }: Intent): boolean {
  return state !== 'ACCEPTED' && orderId === undefined
}

/** Whether the status is still to decide it. */
function isOpen({ state }: Intent): boolean {
  return state === 'ACCEPTED' || state === 'UNKNOWN'
}

/**
 * Whether another answer was written since, which may be to a later question. Only whether `lookedAt` has changed counts, because
 * the clocks of two machines differ.
 */
function isOvertaken(fresh: Intent, { intent }: Asked): boolean {
  return fresh.lookedAt !== intent.lookedAt
}

/** Ends the lease with the write that it was for. If a callback came meanwhile, the next check is soon. */
function released(fresh: Intent, asked: Asked, decision: Decision): Decision {
  const nextCheckAt = notLaterThanWoken(fresh, asked, decision.intent.nextCheckAt)
  return { ...decision, intent: { ...decision.intent, ...(asked.isClaimed && FREE), nextCheckAt } }
}
