import type { NamedOrders, OrphanTerms } from '@tallystick/client/internal'
import type { InboxEntry, IntentChange, JournalStore } from '@tallystick/client/ports'
import { endpointName } from '../../intents/endpoint.ts'
import { isOpening, isUnconfirmed } from '../../intents/states.ts'
import { earliest } from '../../runtime/concurrency.ts'
import type { ClockSetBack } from '../../runtime/system.ts'
import { IntentTable } from './intent-table.ts'
import { OrphanTable, OutcomeTable } from './tables.ts'

/** A journal that forgets everything when the process ends: for tests and demonstrations, never for money. */
export function memoryJournalStore(): JournalStore {
  const intents = new IntentTable()
  const outcomes = new OutcomeTable()
  const orphans = new OrphanTable()
  const lastAnswers = new Map<string, number>()

  function update(changes: readonly IntentChange[]): boolean {
    if (!intents.update(changes)) return false
    for (const { intent, outcomes: added } of changes) {
      // The callback may have been faster than the reply that names the order.
      if (isOpening(intent)) orphans.forget(intent)
      for (const outcome of added) outcomes.add(outcome)
    }
    return true
  }

  function pullBack(setBack: ClockSetBack): void {
    intents.pullBack(setBack)
    orphans.pullBack(setBack)
    outcomes.pullBack(setBack)
    for (const [name, at] of lastAnswers) if (at > setBack.latest) lastAnswers.delete(name)
  }

  function receive(entry: InboxEntry, { limit, checkAt }: OrphanTerms): 'stored' | 'orphan' | 'full' {
    const opening = intents.wake(entry.clientOrderId, entry.receivedAt).find(isOpening)
    if (opening === undefined) return orphans.receive(entry, { limit, checkAt })
    if (opening.orderId !== entry.orderId) orphans.receive(entry, { limit: Number.POSITIVE_INFINITY, checkAt })
    return 'stored'
  }

  function named(name: string): NamedOrders {
    const ofName = intents.named(name)
    const ids = new Set(ofName.map(({ clientOrderId }) => clientOrderId))
    return { intents: ofName, outcomes: outcomes.ofOrders(ids), orphans: orphans.named(name) }
  }

  return {
    durable: false,
    insert: async (intent) => intents.insert(intent),
    update: async (...changes) => update(changes),
    find: async (intentId) => intents.find(intentId),
    attemptsOf: async (key) => intents.attemptsOf(key),
    ofOrder: async (id) => intents.ofOrder(id),
    named: async (name) => named(name),
    claimDue: async (claim) => intents.claimDue(claim),
    renewLeases: async (renewal) => intents.renewLeases(renewal),
    nextDueAt: async ({ until, withOutcomes }) =>
      earliest([intents.nextDueAt(until), withOutcomes ? outcomes.nextDueAt() : undefined]),
    knownOrder: async (endpoint) => intents.knownOrder(endpoint),
    noteAnswer: async (endpoint, at) => void lastAnswers.set(endpointName(endpoint), at),
    lastAnswerAt: async (endpoint) => lastAnswers.get(endpointName(endpoint)),
    receive: async (entry, terms) => receive(entry, terms),
    wake: async (clientOrderId, at) => intents.wake(clientOrderId, at).length,
    orphans: async (limit) => orphans.open().slice(0, limit),
    claimOrphans: async (claim) => orphans.claimDue(claim, ({ clientOrderId }) => intents.hasOpening(clientOrderId)),
    renewOrphan: async (orphan, leaseUntil) => orphans.renew(orphan, leaseUntil),
    settleOrphan: async (orphan, change, again, forgetBefore) => {
      orphans.settle(orphan, change, again)
      orphans.forgetReportedBefore(forgetBefore)
    },
    holderOf: async (orderId) => intents.all().find((intent) => intent.orderId === orderId && intent.holdsOrder),
    findReference: async (reference) => intents.all().find((intent) => intent.reference === reference),
    openOutcomes: async (now, limit) => outcomes.open(now).slice(0, limit),
    deliver: (outcome, now, handler) => outcomes.deliver(outcome.key, now, () => handler(undefined)),
    putOff: async ({ key }, nextTryAt) => outcomes.putOff(key, nextTryAt),
    pullBack: async (setBack) => pullBack(setBack),
    counts: async () => intents.counts(),
    inStates: async (states, limit) =>
      intents
        .all()
        .filter(({ state }) => states.includes(state))
        .slice(0, limit),
    unconfirmed: async (limit) => intents.all().filter(isUnconfirmed).slice(0, limit),
    suspectedDoubles: async (limit) => intents.suspectedDoubles().slice(0, limit),
    countOpenOutcomes: async () => outcomes.countOpen(),
    close: async () => {},
  }
}
