import type {
  InsertResult,
  IntentConflict,
  IntentEndpoint,
  IntentRenewal,
  StateCounts,
} from '@tallystick/client/internal'
import type { Intent, IntentChange, IntentClaim } from '@tallystick/client/ports'
import { NO_LEASE_MS } from '../../background/lease.ts'
import { endpointName } from '../../intents/endpoint.ts'
import { isNamed, isOpening, isPaid, isUnsent } from '../../intents/states.ts'
import { earliest } from '../../runtime/concurrency.ts'
import type { ClockSetBack } from '../../runtime/system.ts'
import { LONGEST_WATCH_WAIT_MS } from '../../status/watch.ts'

/** Intents in the order in which they were inserted. */
export class IntentTable {
  #intents = new Map<string, Intent>()

  insert(intent: Intent): InsertResult {
    const conflict = this.all()
      .map((other) => conflictOf(intent, other))
      .find((found) => found !== undefined)
    if (conflict !== undefined) return { ok: false, conflict }
    this.#put(intent)
    return { ok: true }
  }

  /** Writes all of them, or nothing if one was written meanwhile, or something is in the way of a new one. */
  update(changes: readonly IntentChange[]): boolean {
    if (changes.some(({ intent }) => (this.find(intent.intentId)?.version ?? 0) !== intent.version - 1)) return false
    const before = new Map(this.#intents)
    for (const { intent } of changes) {
      const inserted = intent.version === 1 ? this.insert(intent) : this.#put(intent)
      if (inserted?.ok !== false) continue
      this.#intents = before
      throw new Error(`There is something in the way of ${intent.businessKey}: ${inserted.conflict}`)
    }
    return true
  }

  find(intentId: string): Intent | undefined {
    return this.#intents.get(intentId)
  }

  all(): readonly Intent[] {
    return [...this.#intents.values()]
  }

  attemptsOf(key: string): readonly Intent[] {
    return byTime(
      this.all().filter(({ businessKey }) => businessKey === key),
      ({ attempt }) => attempt,
    )
  }

  ofOrder(id: string): readonly Intent[] {
    return byTime(
      this.all().filter(({ clientOrderId }) => clientOrderId === id),
      ({ createdAt }) => createdAt,
    )
  }

  /** Those that have the name, the attempts of their business keys, and those of their orders. */
  named(name: string): readonly Intent[] {
    const ofName = this.all().filter((intent) => isNamed(intent, name))
    const keys = new Set(ofName.map(({ businessKey }) => businessKey))
    const ids = new Set(ofName.map(({ clientOrderId }) => clientOrderId))
    return byTime(
      this.all().filter(({ businessKey, clientOrderId }) => keys.has(businessKey) || ids.has(clientOrderId)),
      ({ createdAt }) => createdAt,
    )
  }

  hasOpening(id: string): boolean {
    return this.all().some((intent) => isOpening(intent) && intent.clientOrderId === id)
  }

  claimDue({ now, leaseUntil, owner, limit, watched = false }: IntentClaim): readonly Intent[] {
    const timeOf = ({ nextCheckAt, watchAt }: Intent) => (watched ? watchAt : nextCheckAt) ?? Number.POSITIVE_INFINITY
    const due = byTime(
      this.all().filter((intent) => timeOf(intent) <= now && isFree(intent, now, watched)),
      timeOf,
    )
    const leased = due.slice(0, limit).map((intent) => bumped({ ...intent, leaseUntil, leaseOwner: owner }))
    for (const intent of leased) this.#put(intent)
    return leased
  }

  renewLeases({ intentIds, owner, leaseUntil }: IntentRenewal): void {
    for (const intentId of intentIds) {
      const intent = this.find(intentId)
      if (intent?.leaseOwner === owner) this.#put({ ...intent, leaseUntil })
    }
  }

  nextDueAt(until: number): number | undefined {
    const dueByThen = this.all().filter(({ nextCheckAt }) => nextCheckAt !== undefined && nextCheckAt <= until)
    return earliest(dueByThen.map(dueAt))
  }

  /** The intent at this endpoint whose status was seen last. */
  knownOrder(endpoint: IntentEndpoint): Intent | undefined {
    const known = this.all()
      .filter(({ orderId, observed }) => orderId !== undefined && observed !== undefined)
      .filter((intent) => endpointName(intent) === endpointName(endpoint))
    return byTime(known, ({ lookedAt = 0 }) => -lookedAt)[0]
  }

  /** Makes the status checks of an order due. Gives all its intents as they were. */
  wake(clientOrderId: string, at: number): readonly Intent[] {
    const ofOrder = this.all().filter((intent) => intent.clientOrderId === clientOrderId)
    for (const intent of ofOrder) if (!isAtRest(intent)) this.#put(bumped(woken(intent, at)))
    return ofOrder
  }

  pullBack(setBack: ClockSetBack): void {
    const { now } = setBack
    for (const intent of this.all()) {
      const checked = isFromBefore(intent, setBack) ? pulledBack(intent, setBack) : intent
      const isWatchAhead = (checked.watchAt ?? now) > now + LONGEST_WATCH_WAIT_MS
      const pulled = isWatchAhead ? { ...checked, watchAt: now } : checked
      if (pulled !== intent) this.#put(bumped(pulled))
    }
  }

  suspectedDoubles(): readonly Intent[] {
    const paid = this.all().filter(isPaid)
    return paid.filter((one) => paid.some((other) => other !== one && other.businessKey === one.businessKey))
  }

  counts(): StateCounts {
    const counts: { -readonly [S in keyof StateCounts]: StateCounts[S] } = {}
    for (const { state } of this.all()) counts[state] = (counts[state] ?? 0) + 1
    return counts
  }

  #put(intent: Intent): void {
    this.#intents.set(intent.intentId, intent)
  }
}

function conflictOf(intent: Intent, other: Intent): IntentConflict | undefined {
  if (other.businessKey === intent.businessKey) {
    if (other.attempt === intent.attempt || (other.holdsKey && intent.holdsKey)) return 'business-key'
  }
  if (isOpening(intent) && isOpening(other) && other.clientOrderId === intent.clientOrderId) return 'client-order-id'
  return other.holdsOrder && intent.holdsOrder && other.orderId === intent.orderId ? 'order' : undefined
}

/** Whether no process has it. Of a watched one, a lease that is too long was written before the clock was set back. */
export function isFree({ leaseUntil }: Pick<Intent, 'leaseUntil'>, now: number, watched: boolean): boolean {
  return leaseUntil === undefined || leaseUntil <= now || (watched && leaseUntil > now + NO_LEASE_MS)
}

function dueAt({ nextCheckAt, leaseUntil }: Intent): number | undefined {
  return nextCheckAt === undefined ? undefined : Math.max(nextCheckAt, leaseUntil ?? nextCheckAt)
}

function bumped(intent: Intent): Intent {
  return { ...intent, version: intent.version + 1 }
}

/**
 * Whether an intent has no status to check: not sent yet, in review, a stored card, or a modification that has ended. A callback
 * leaves it as it is.
 */
function isAtRest(intent: Intent): boolean {
  const { state, kind } = intent
  if (isUnsent(intent) || state === 'REVIEW') return true
  return kind === 'card' || (kind === 'modification' && state === 'FINAL')
}

/**
 * Makes the status check due: of an intent that is being sent, after that. Never the same `wokenAt` twice: a status check under
 * way sees by it that a callback came meanwhile.
 */
function woken(intent: Intent, at: number): Intent {
  const { wokenAt = Number.NEGATIVE_INFINITY } = intent
  return {
    ...intent,
    wokenAt: wokenAt >= at ? wokenAt + 1 : at,
    nextCheckAt: Math.min(intent.nextCheckAt ?? at, at),
  }
}

/** Whether some of its times were written before the clock was set back. */
function isFromBefore(intent: Intent, { latest, leaseMs }: ClockSetBack): boolean {
  const { nextCheckAt, createdAt, sentAt = latest, lookedAt = latest, wokenAt = latest, leaseUntil = latest } = intent
  const isAhead = Math.max(createdAt, sentAt, lookedAt, wokenAt) > latest || leaseUntil > latest + leaseMs
  return nextCheckAt !== undefined && isAhead
}

function pulledBack(intent: Intent, { now, latest, leaseMs }: ClockSetBack): Intent {
  const { nextCheckAt = now, wokenAt = now, leaseUntil = now } = intent
  return {
    ...intent,
    nextCheckAt: Math.min(nextCheckAt, now),
    ...(wokenAt > latest && { wokenAt: now }),
    ...(leaseUntil > latest + leaseMs && { leaseUntil: now + leaseMs }),
  }
}

function byTime<Item>(items: readonly Item[], time: (item: Item) => number): Item[] {
  return items.toSorted((one, other) => time(one) - time(other))
}
