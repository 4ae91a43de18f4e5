import type {
  InboxEntry,
  Inserted,
  Intent,
  IntentChange,
  IntentClaim,
  IntentConflict,
  IntentRenewal,
  JournalStore,
  StateCounts,
  StrayTerms,
} from '@tallystick/client'
import type { ClockSetBack } from '../clock-set-back.ts'
import { earliest } from '../earliest.ts'
import { endpointName } from '../endpoint.ts'
import { isOpening, isPaid, isUnconfirmed, isUnsent } from '../states.ts'
import { OutcomeShelf } from './outcome-shelf.ts'
import { StrayShelf } from './stray-shelf.ts'

/** A journal that forgets everything when the process ends: for tests and demonstrations, never for money. */
export function memoryJournalStore(): JournalStore {
  const intents = new Map<string, Intent>()
  const outcomes = new OutcomeShelf()
  const strays = new StrayShelf()
  const lastAnswers = new Map<string, number>()
  const all = () => [...intents.values()]

  function insert(intent: Intent): Inserted {
    const conflict = all()
      .map((other) => conflictOf(intent, other))
      .find((found) => found !== undefined)
    if (conflict !== undefined) return { ok: false, conflict }
    intents.set(intent.intentId, intent)
    return { ok: true }
  }

  function update(changes: readonly IntentChange[]): boolean {
    if (changes.some(({ intent }) => intents.get(intent.intentId)?.version !== intent.version - 1)) return false
    for (const { intent, outcomes: added } of changes) {
      intents.set(intent.intentId, intent)
      // The callback may have been faster than the reply that names the order.
      if (isOpening(intent)) strays.forget(intent)
      for (const outcome of added) outcomes.add(outcome)
    }
    return true
  }

  function suspectedDoubles(): readonly Intent[] {
    const paid = all().filter(isPaid)
    return paid.filter((one) => paid.some((other) => other !== one && other.businessKey === one.businessKey))
  }

  function claimDue({ now, leaseUntil, owner, limit }: IntentClaim): readonly Intent[] {
    const due = byTime(
      all().filter((intent) => isDue(intent, now)),
      ({ nextCheckAt = 0 }) => nextCheckAt,
    )
    const leased = due.slice(0, limit).map((intent) => bumped({ ...intent, leaseUntil, leaseOwner: owner }))
    for (const intent of leased) intents.set(intent.intentId, intent)
    return leased
  }

  function renewLeases({ intentIds, owner, leaseUntil }: IntentRenewal): void {
    for (const intentId of intentIds) {
      const intent = intents.get(intentId)
      if (intent?.leaseOwner === owner) intents.set(intentId, { ...intent, leaseUntil })
    }
  }

  function pullBack(setBack: ClockSetBack): void {
    for (const intent of all()) {
      if (isFromBefore(intent, setBack)) intents.set(intent.intentId, bumped(pulledBack(intent, setBack)))
    }
    strays.pullBack(setBack)
    outcomes.pullBack(setBack)
    for (const [name, at] of lastAnswers) if (at > setBack.latest) lastAnswers.delete(name)
  }

  function wake(clientOrderId: string, at: number): readonly Intent[] {
    const ofOrder = all().filter((intent) => intent.clientOrderId === clientOrderId)
    for (const intent of ofOrder) if (!isAtRest(intent)) intents.set(intent.intentId, bumped(woken(intent, at)))
    return ofOrder
  }

  function receive(entry: InboxEntry, { limit, checkAt }: StrayTerms): 'stored' | 'stray' | 'full' {
    const opening = wake(entry.clientOrderId, entry.receivedAt).find(isOpening)
    if (opening === undefined) return strays.receive(entry, { limit, checkAt })
    if (opening.orderId !== entry.orderId) strays.receive(entry, { limit: Number.POSITIVE_INFINITY, checkAt })
    return 'stored'
  }

  return {
    durable: false,
    insert: async (intent) => insert(intent),
    update: async (...changes) => update(changes),
    find: async (intentId) => intents.get(intentId),
    attemptsOf: async (key) =>
      byTime(
        all().filter(({ businessKey }) => businessKey === key),
        ({ attempt }) => attempt,
      ),
    ofOrder: async (id) =>
      byTime(
        all().filter(({ clientOrderId }) => clientOrderId === id),
        ({ createdAt }) => createdAt,
      ),
    claimDue: async (claim) => claimDue(claim),
    renewLeases: async (renewal) => renewLeases(renewal),
    nextDueAt: async ({ until, withOutcomes }) =>
      earliest([
        ...all()
          .filter(({ nextCheckAt }) => nextCheckAt !== undefined && nextCheckAt <= until)
          .map(dueAt),
        withOutcomes ? outcomes.nextDueAt() : undefined,
      ]),
    knownOrder: async (endpoint) =>
      byTime(
        all()
          .filter(({ orderId, observed }) => orderId !== undefined && observed !== undefined)
          .filter((intent) => endpointName(intent) === endpointName(endpoint)),
        ({ lookedAt = 0 }) => -lookedAt,
      )[0],
    noteAnswer: async (endpoint, at) => void lastAnswers.set(endpointName(endpoint), at),
    lastAnswerAt: async (endpoint) => lastAnswers.get(endpointName(endpoint)),
    receive: async (entry, terms) => receive(entry, terms),
    wake: async (clientOrderId, at) => wake(clientOrderId, at).length,
    strays: async (limit) => strays.open().slice(0, limit),
    claimStrays: async (claim) =>
      strays.claimDue(claim, ({ clientOrderId }) =>
        all().some((intent) => isOpening(intent) && intent.clientOrderId === clientOrderId),
      ),
    renewStray: async (stray, leaseUntil) => strays.renew(stray, leaseUntil),
    settleStray: async (stray, change, again, forgetBefore) => {
      strays.settle(stray, change, again)
      strays.forgetToldBefore(forgetBefore)
    },
    holderOf: async (orderId) => all().find((intent) => intent.orderId === orderId && intent.holdsOrder),
    findReference: async (reference) => all().find((intent) => intent.reference === reference),
    openOutcomes: async (now, limit) => outcomes.open(now).slice(0, limit),
    handOver: (outcome, _now, handler) => outcomes.handOver(outcome.key, () => handler(undefined)),
    putOff: async ({ key }, nextTryAt) => outcomes.putOff(key, nextTryAt),
    pullBack: async (setBack) => pullBack(setBack),
    counts: async () => countStates(all()),
    inStates: async (states, limit) =>
      all()
        .filter(({ state }) => states.includes(state))
        .slice(0, limit),
    unconfirmed: async (limit) => all().filter(isUnconfirmed).slice(0, limit),
    suspectedDoubles: async (limit) => suspectedDoubles().slice(0, limit),
    countOpenOutcomes: async () => outcomes.countOpen(),
    close: async () => {},
  }
}

function conflictOf(intent: Intent, other: Intent): IntentConflict | undefined {
  if (other.businessKey === intent.businessKey) {
    if (other.attempt === intent.attempt || (other.holdsKey && intent.holdsKey)) return 'business-key'
  }
  if (isOpening(intent) && isOpening(other) && other.clientOrderId === intent.clientOrderId) return 'client-order-id'
  return other.holdsOrder && intent.holdsOrder && other.orderId === intent.orderId ? 'order' : undefined
}

function isDue({ nextCheckAt, leaseUntil }: Intent, now: number): boolean {
  return nextCheckAt !== undefined && nextCheckAt <= now && (leaseUntil === undefined || leaseUntil <= now)
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
  const { nextCheckAt, sentAt = latest, lookedAt = latest, wokenAt = latest, leaseUntil = latest } = intent
  return nextCheckAt !== undefined && (Math.max(sentAt, lookedAt, wokenAt) > latest || leaseUntil > latest + leaseMs)
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

function countStates(intents: readonly Intent[]): StateCounts {
  const counts: { -readonly [S in keyof StateCounts]: StateCounts[S] } = {}
  for (const { state } of intents) counts[state] = (counts[state] ?? 0) + 1
  return counts
}
