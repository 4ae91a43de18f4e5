import type { RecordedEvent } from '@tallystick/core'
import { isAboutOrder } from '@tallystick/core/internal'
import { type EventOf, fieldsOf } from './recorded-fields.ts'
import { callbacksOf } from './sent-callbacks.ts'

/** What became of the operations of an order. */
export function changesOf(events: readonly RecordedEvent[], orderId: string): ReadonlyArray<EventOf<'state'>> {
  return events.filter((event) => event.type === 'state').filter((event) => event.orderId === orderId)
}

/** What the sandbox would say of an order, as far as the events tell. */
export function orderOf(events: readonly RecordedEvent[], orderId: string) {
  const changes = changesOf(events, orderId)
  const [first] = changes
  const last = changes.at(-1)
  if (first === undefined || last === undefined) return undefined
  const { clientOrderId, login, endpointId, currency } = first
  const operations = Map.groupBy(changes, ({ operationId }) => operationId)
  const callbacks = callbacksOf(events).filter((callback) => callback.orderId === orderId)
  return {
    orderId,
    clientOrderId,
    login,
    endpointId,
    status: last.status === 'sent' || last.status === 'created' ? 'processing' : last.status,
    transactionType: last.kind,
    initialAmount: first.amount,
    amount: last.amount,
    currency,
    card: cardOf(events, orderId, clientOrderId),
    faults: [
      ...new Set(
        events.flatMap((event) =>
          event.type === 'fault' && event.clientOrderId === clientOrderId ? (event.fault ?? []) : [],
        ),
      ),
    ],
    operations: [...operations].map(([id, steps]) => {
      const [{ kind, at: createdAt, serialNumber }, end] = [steps[0] ?? first, steps.at(-1) ?? last]
      const { status, amount, errorCode, at } = end
      return { id, kind, amount, status, createdAt: timeOf(createdAt), statusAt: timeOf(at), errorCode, serialNumber }
    }),
    postings: changes.flatMap(({ operationId, postings, at }) =>
      postings.map((posting) => ({ operationId, ...posting, currency, at: timeOf(at) })),
    ),
    callbacks: callbacks.map(({ callbackId, nextAt }) => {
      return nextAt === undefined ? { id: callbackId } : { id: callbackId, dueAt: timeOf(nextAt) }
    }),
    tasks: [],
    actions: [],
  }
}

/** As it was sent with the order: masked. */
function cardOf(events: readonly RecordedEvent[], orderId: string, clientOrderId: string) {
  for (const event of events) {
    if (event.type !== 'request' || !isAboutOrder(event, orderId, clientOrderId)) continue
    const number = fieldsOf(event.form).find(([name]) => name === 'credit_card_number')?.[1]
    const [, bin, lastFourDigits] = /^(\d{6})\D+(\d{4})$/.exec(number ?? '') ?? []
    if (bin !== undefined && lastFourDigits !== undefined) return { bin, lastFourDigits }
  }
  return undefined
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}
