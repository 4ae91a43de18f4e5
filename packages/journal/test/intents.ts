import type { Intent, NewOutcome } from '@tallystick/client'

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
