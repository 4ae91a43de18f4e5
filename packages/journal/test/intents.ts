import type { Intent, JournalStore, NewOutcome } from '@tallystick/client/ports'

/** A prepared sale. Name only what your test is about. */
export function intentWith(changes: Partial<Intent> = {}): Intent {
  return {
    intentId: 'intent-1',
    businessKey: 'invoice 77',
    attempt: 1,
    operation: 'sale',
    kind: 'opening',
    clientOrderId: 'order-a',
    amounts: ['1042'],
    currency: 'USD',
    digest: 'd',
    state: 'PREPARED',
    version: 1,
    createdAt: 1000,
    deadlineMs: 70_000,
    sends: 0,
    absences: 0,
    holdsKey: true,
    holdsOrder: false,
    evidence: [],
    ...changes,
  }
}

export function outcomeWith(changes: Partial<NewOutcome> = {}): NewOutcome {
  return {
    kind: 'outcome',
    intentId: 'intent-1',
    businessKey: 'invoice 77',
    operation: 'sale',
    clientOrderId: 'order-a',
    status: 'approved',
    ...changes,
  }
}

/** An intent as its next write leaves it. */
export function written(intent: Intent, changes: Partial<Intent> = {}): Intent {
  return { ...intent, ...changes, version: intent.version + 1 }
}

/** For each order an intent with an outcome that was not reported yet. */
export async function withOutcomes<Transaction>(store: JournalStore<Transaction>, ...orders: readonly string[]) {
  for (const order of orders) {
    const intent = intentWith({ intentId: order, businessKey: order, clientOrderId: order })
    await store.insert(intent)
    await store.update({ intent: written(intent), outcomes: [outcomeWith({ clientOrderId: order })] })
  }
  return (await store.openOutcomes(0, 100)).map(({ outcome }) => outcome)
}
