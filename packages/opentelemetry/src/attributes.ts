import type { Attributes } from '@opentelemetry/api'
import type { Alarm, CallEnded, CallStarted } from '@tallystick/client'
import { isFailure } from './is-failure.ts'

/** Known before the call is sent, so that a sampler can decide by it. */
export function aboutCall({ operation, clientOrderId, orderId, endpointId }: Omit<CallStarted, 'context'>): Attributes {
  return given({
    'tallystick.operation': operation,
    'tallystick.client_order_id': clientOrderId,
    'tallystick.order_id': orderId,
    'tallystick.endpoint_id': endpointId,
  })
}

export function aboutEnd(call: CallEnded): Attributes {
  return given({ ...verdictOf(call), 'http.response.status_code': call.httpStatus })
}

export function aboutAlarm(alarm: Alarm): Attributes {
  return { 'tallystick.alarm': alarm.what, ...aboutCall({ ...alarm, orderId: undefined }) }
}

/** No ids and no statuses: a metric keeps a series for each combination of values, as long as the process lives. */
export function countedBy(call: CallEnded): Attributes {
  return given({ 'tallystick.operation': call.operation, ...verdictOf(call) })
}

/** By the conventions, a call that did not fail has no `error.type`. */
function verdictOf(call: CallEnded): Attributes {
  return { 'tallystick.outcome': call.outcome, 'error.type': isFailure(call) ? call.code : undefined }
}

/** Not every SDK leaves out what is `undefined`. */
function given(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}
