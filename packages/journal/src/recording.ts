import type { Clock } from '@tallystick/client'
import type { Intent, JournalOutcome, JournalStore } from '@tallystick/client/ports'
import { maskCardNumbers, type NewEvent, type Recorder } from '@tallystick/core'
import type { JournalEvent, JournalListener } from './events.ts'
import { modificationsOf } from './reconcile/order-intents.ts'
import { possibleDecisions } from './reconcile/review.ts'
import type { Present } from './status/status-result.ts'

interface Recorded {
  readonly recorder: Recorder
  readonly clock: Pick<Clock, 'now'>
}

/** The store, with what is written to it recorded: intents, callbacks, and what becomes of the handler. */
export function recordedStore<Transaction>(
  store: JournalStore<Transaction>,
  { recorder, clock }: Recorded,
): JournalStore<Transaction> {
  const write = async (intent: Intent) => {
    const now = clock.now()
    // Nothing waits for what is read here but this report of it.
    const modifications = intent.state === 'REVIEW' ? await modificationsOf(intent, store).catch(() => []) : []
    recorder.record(written(intent, { now, modifications }))
  }
  const call = (what: 'called' | 'done' | 'failed', outcome: JournalOutcome, error?: unknown) =>
    recorder.record(called(what, outcome, { at: clock.now(), error }))
  const taps: Partial<JournalStore<Transaction>> = {
    insert: async (intent, transaction) => {
      const result = await store.insert(intent, transaction)
      if (result.ok) await write(intent)
      return result
    },
    update: async (...changes) => {
      const isWritten = await store.update(...changes)
      if (isWritten) for (const { intent } of changes) await write(intent)
      return isWritten
    },
    receive: async (entry, orphans) => {
      const stored = await store.receive(entry, orphans)
      const { clientOrderId, orderId, status } = entry
      const named = { clientOrderId: maskCardNumbers(clientOrderId), orderId: maskCardNumbers(orderId) }
      const received = { ...named, status: maskCardNumbers(status), stored } as const
      recorder.record({ half: 'merchant', type: 'callback-received', at: clock.now(), ...received })
      return stored
    },
    deliver: async (outcome, now, handler, limitMs) => {
      const recording = async (transaction: Transaction) => {
        call('called', outcome)
        await handler(transaction)
      }
      try {
        const result = await store.deliver(outcome, now, recording, limitMs)
        if (result === 'done') call('done', outcome)
        return result
      } catch (error) {
        call('failed', outcome, error)
        throw error
      }
    },
  }
  // A store may be of a class, whose methods a copy would not have, nor its private fields.
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in taps ? taps : target, name, target)
      return typeof value === 'function' && !(name in taps) ? value.bind(target) : value
    },
  })
}

/** The listener, with what it is notified of recorded. */
export function recordedListener(listener: JournalListener, { recorder, clock }: Recorded): JournalListener {
  return (event) => {
    const intentIds = intentsOf(event).map(({ intentId }) => intentId)
    recorder.record({ half: 'merchant', type: 'journal', at: clock.now(), notice: event.type, intentIds })
    listener(event)
  }
}

function intentsOf(event: JournalEvent): readonly Pick<Intent, 'intentId'>[] {
  if ('intents' in event) return event.intents
  return 'intent' in event ? [event.intent] : []
}

function written(intent: Intent, present: Present): NewEvent {
  const { intentId, attempt, operation, state, status, reviewReason, nextCheckAt, version, evidence } = intent
  return {
    half: 'merchant',
    type: 'intent',
    at: present.now,
    intentId,
    businessKey: maskCardNumbers(intent.businessKey),
    attempt,
    operation,
    clientOrderId: maskCardNumbers(intent.clientOrderId),
    orderId: intent.orderId,
    state,
    intentVersion: version,
    status,
    reviewReason,
    nextCheckAt,
    seen: evidence.at(-1)?.seen,
    review: state === 'REVIEW' ? reviewOf(intent, present) : undefined,
  }
}

function reviewOf(intent: Intent, present: Present) {
  const evidence = intent.evidence.map(({ at, seen }) => ({ at, seen: maskCardNumbers(seen) }))
  return { evidence, decisions: possibleDecisions(intent, present) }
}

function called(
  what: 'called' | 'done' | 'failed',
  { key, kind, clientOrderId, orderId, status }: JournalOutcome,
  { at, error }: { readonly at: number; readonly error: unknown },
): NewEvent {
  return {
    half: 'merchant',
    type: 'handler',
    at,
    what,
    key: maskCardNumbers(key),
    kind,
    clientOrderId: maskCardNumbers(clientOrderId),
    orderId,
    status,
    error: error instanceof Error ? error.name : undefined,
  }
}
