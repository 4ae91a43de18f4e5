import type { NewEvent } from '@tallystick/core'
import type { CallbackTrial, GatewayReply } from '@tallystick/core/internal'
import type { Acquirer } from '../acquirer/acquirer.ts'
import { shownAddress } from '../callbacks/deliverer.ts'
import type { TracedRequest } from '../http/request.ts'
import { lastOperation, operationOf } from '../orders/operations.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import type { Delivery } from '../store/delivery.ts'
import type { Change } from '../store/store.ts'
import { type EventOf, type RecordingDependencies, recordingContext } from './context.ts'
import { recordedAcquirer } from './recorded-acquirer.ts'
import { RecordedRequest } from './recorded-request.ts'

/** What the gateway tells its recording: one function for each kind of event. */
export interface Taps {
  /** Records a request and its answer, around its handling. */
  request(request: TracedRequest, handle: (traced: TracedRequest) => Promise<GatewayReply>): Promise<GatewayReply>
  acquirer(acquirer: Acquirer): Acquirer
  /** Takes a change that was written. */
  committed(change: Change): void
  /** Takes a delivery after an attempt, or as it was sent for a trial. */
  called(delivery: Delivery, trial?: CallbackTrial): void
  fault(fault: Pick<EventOf<'fault'>, 'what' | 'fault' | 'operation' | 'clientOrderId' | 'probability'>): void
  /** The clock is about to be advanced. */
  clockMoved(byMs: number): void
}

export function recordingTaps(dependencies: RecordingDependencies): Taps {
  const context = recordingContext(dependencies)
  const { recording, clock, shown, masking, secrets } = context

  function stateEvent(at: number, operation: StoredOperation, order: StoredOrder, { postings = [] }: Change): NewEvent {
    const { orderId, clientOrderId, login, endpointId, version: orderVersion } = order
    const { currency } = order.terms
    const { id: operationId, kind, status, amount, serialNumber, outcome } = operation
    return {
      half: 'gateway',
      type: 'state',
      at,
      orderId,
      clientOrderId: masking.text(clientOrderId, secrets),
      login,
      endpointId,
      orderVersion,
      operationId,
      kind,
      status,
      errorCode: outcome.errorCode,
      amount: shown(amount, currency),
      currency,
      postings: postings
        .filter((posting) => posting.operationId === operationId)
        .map((posting) => ({ account: posting.account, amount: shown(posting.amount, currency) })),
      serialNumber,
    }
  }

  function callbackEvent(at: number, delivery: Delivery, trial: CallbackTrial | undefined): NewEvent {
    const { id, orderId, url, lastAnswer = '', state, made, dueAt } = delivery
    const query = url.replace(/^[^?]*\??/, '')
    return {
      half: 'gateway',
      type: 'callback',
      at,
      orderId,
      callbackId: id,
      address: masking.text(shownAddress(delivery), secrets),
      query: masking.form(query, [...new URLSearchParams(query)], secrets),
      answer: lastAnswer,
      state,
      attempts: made,
      nextAt: dueAt,
      trial,
    }
  }

  return {
    request: (request, handle) => {
      if (!isFormed(request)) return handle(request)
      const trace = new RecordedRequest(request, context)
      const { method, url, headers, body, peer } = request
      const replied = handle({ method, url, headers, body, peer, trace })
      // Before the caller goes on, which waits for the same promise, and without a promise more in its way. A failure has no answer.
      replied.then(
        (reply) => trace.ended(reply),
        () => {},
      )
      return replied
    },
    acquirer: (acquirer) => recordedAcquirer(acquirer, context),
    committed: (change) => {
      const at = clock.now()
      const { order: { order } = {}, decided } = change
      if (order === undefined) return
      const operations = decided === undefined ? [lastOperation(order)] : decided.map((id) => operationOf(order, id))
      for (const operation of operations) recording.recordLater(() => stateEvent(at, operation, order, change))
    },
    called: (delivery, trial) => {
      const at = clock.now()
      recording.recordLater(() => callbackEvent(at, delivery, trial))
    },
    fault: (fault) => {
      recording.record({ half: 'gateway', type: 'fault', at: clock.now(), ...masking.json(fault, secrets) })
    },
    clockMoved: (byMs) => void recording.record({ half: 'gateway', type: 'clock', at: clock.now(), byMs }),
  }
}

/** A server may hand over anything: the gateway then answers that it failed. */
function isFormed(request: Partial<TracedRequest> | undefined): boolean {
  const { method, url, headers, body } = request ?? {}
  return [method, url, body].every((text) => typeof text === 'string') && typeof headers === 'object'
}
