import { AsyncResource } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import { type Callback, maskCardNumbers, type PaymentErrorCode, type Recorder } from '@tallystick/core'
import type { Clock } from './runtime/system.ts'

/**
 * The channels of `node:diagnostics_channel` that report the client's calls. Their names and messages are part of the
 * public interface. No message holds a card number, a CVV, a key or a body.
 */
export const DIAGNOSTICS = {
  /** {@link CallStarted}, right before a request is handed to the transport. */
  callStarted: 'tallystick:client:call:start',
  /** {@link CallEnded}, when it is judged. */
  callEnded: 'tallystick:client:call:end',
  /** {@link Alarm}, when a reply needs somebody's attention. */
  alarm: 'tallystick:client:alarm',
} as const

/** A request is sent. */
export interface CallStarted {
  /** The operation as the catalogue names it, such as `SALE`. */
  readonly operation: string
  readonly clientOrderId: string | undefined
  /** The gateway's id, if the request names it. */
  readonly orderId: string | undefined
  /** Of the endpoint, or of the group. */
  readonly endpointId: string
  /** A listener may set it, such as to that of a span: the call is then sent, judged and reported in it. */
  context?: AsyncResource | undefined
}

/** A request was sent, and judged. */
export interface CallEnded extends Omit<CallStarted, 'context'> {
  readonly outcome: 'accepted' | 'rejected' | 'notSent' | 'unknown'
  /** The code of the error, if any. */
  readonly code: PaymentErrorCode | undefined
  /** The HTTP status of a reply that was not accepted. */
  readonly httpStatus: number | undefined
  /** From sending to the verdict. */
  readonly milliseconds: number
}

/**
 * What needs attention:
 *
 * - `redirected`: the gateway answered with a redirect, which was not followed: the address is wrong, or somebody is in between.
 * - `refused-but-exists`: a money operation was refused, and yet an order of its client order id exists.
 * - `three-ds-not-uploaded`: a customer came back from 3-D Secure and the result could not be uploaded: there was none, it does not
 *   fit, or the gateway refused it.
 */
export interface Alarm extends Omit<CallStarted, 'orderId' | 'context'> {
  readonly what: 'redirected' | 'refused-but-exists' | 'three-ds-not-uploaded'
}

const started = channel(DIAGNOSTICS.callStarted)
const ended = channel(DIAGNOSTICS.callEnded)
const alarms = channel(DIAGNOSTICS.alarm)

/** Messages are made only if somebody listens. */
export function isStartHeard(): boolean {
  return started.hasSubscribers
}

/** Tells of a call, then makes it, in the context that a listener gave. A wrong one must not stop a payment. */
export function runPublished<T>(call: CallStarted, warned: Warned, make: () => T): T {
  started.publish(call)
  const { context } = call
  if (context instanceof AsyncResource) return context.runInAsyncScope(make)
  if (context !== undefined) warn(WRONG_CONTEXT, warned)
  return make()
}

const WRONG_CONTEXT = `a listener of ${DIAGNOSTICS.callStarted} set a context that is no AsyncResource: it is ignored`

export function isEndHeard({ log }: Logged): boolean {
  return ended.hasSubscribers || log !== undefined
}

export function publishEnded(call: CallEnded, { log }: Logged): void {
  ended.publish(call)
  if (log !== undefined) apart(log, lineOf(call))
}

/** @param told what was seen of the reply, if the call failed, and when that was */
export function recordCall(
  call: CallEnded,
  { at, seen }: { readonly at: number; readonly seen: string | undefined },
  { recorder }: Recorded,
): void {
  if (recorder === undefined) return
  const { operation, endpointId, outcome: verdict, code, httpStatus, milliseconds } = call
  const [clientOrderId, orderId] = [masked(call.clientOrderId), masked(call.orderId)]
  const event = { operation, clientOrderId, orderId, endpointId, verdict, code, seen, httpStatus, milliseconds }
  recorder.record({ half: 'merchant', type: 'call', at, ...event })
}

export function recordCallback(
  { clientOrderId, orderId, status }: Callback,
  isOurs: boolean,
  { recorder, clock }: Recorded & { readonly clock: Pick<Clock, 'now'> },
): void {
  const names = { clientOrderId: maskCardNumbers(clientOrderId), orderId: maskCardNumbers(orderId) }
  const stored = isOurs ? 'verified' : 'refused'
  const told = { ...names, status: maskCardNumbers(status), stored } as const
  recorder?.record({ half: 'merchant', type: 'callback-received', at: clock.now(), ...told })
}

function masked(id: string | undefined): string | undefined {
  return id === undefined ? undefined : maskCardNumbers(id)
}

interface Recorded {
  readonly recorder: Recorder | undefined
}

interface Logged {
  readonly log: ((line: string) => void) | undefined
}

/** Logs a line that is not about one call. */
export function logLine(line: string, { log }: Logged): void {
  if (log !== undefined) apart(log, line)
}

/** Warns of something to fix that is no alarm. */
export function warn(warning: string, { onWarning }: Warned): void {
  apart(onWarning, onOneLine(maskCardNumbers(warning)))
}

interface Warned {
  readonly onWarning: (warning: string) => void
}

/** Also calls `onWarning`, which is all that a client without subscribers has. */
export function alarm(event: Alarm, { onWarning }: Warned): void {
  alarms.publish(event)
  apart(onWarning, `${event.operation} of ${onOneLine(event.clientOrderId ?? 'no order')}: ${REMEDIES[event.what]}`)
}

/** The alarm of a result of 3-D Secure that could not be uploaded, with its cause for `onWarning`. */
export function notUploaded({ why, ...event }: Omit<Alarm, 'what'> & { readonly why: string }, warned: Warned): void {
  alarms.publish({ ...event, what: 'three-ds-not-uploaded' } satisfies Alarm)
  warn(
    `${event.operation} of ${event.clientOrderId ?? 'no order'}: ${REMEDIES['three-ds-not-uploaded']}: ${why}`,
    warned,
  )
}

const REMEDIES: Readonly<Record<Alarm['what'], string>> = {
  redirected: 'the gateway answered with a redirect, which is never followed: check baseUrl, and who is in between',
  'refused-but-exists':
    'it was refused, and yet an order of its client order id exists: ask for its status first, and make a new ' +
    'id for each new order',
  'three-ds-not-uploaded': 'the result of 3-D Secure cannot be uploaded, so the status is asked for',
}

/**
 * A listener that throws must not change how a call ended: its error is thrown outside of the call, as
 * `diagnostics_channel` does with errors of subscribers.
 */
function apart(listener: (text: string) => void, text: string): void {
  try {
    listener(text)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

/** One line per call: `SALE of inv-77 at 253: accepted in 123 ms`. */
function lineOf(call: CallEnded): string {
  const { operation, clientOrderId, orderId, endpointId, outcome, code, httpStatus, milliseconds } = call
  const order = [clientOrderId, orderId].filter(Boolean).join(' ')
  const why = [code, httpStatus !== undefined && `HTTP ${httpStatus}`].filter(Boolean).join(', ')
  return `${operation}${order && ` of ${onOneLine(order)}`} at ${endpointId}: ${outcome}${why && ` (${why})`} in ${milliseconds} ms`
}

/** An id may hold characters that a terminal or a log reader would interpret. */
function onOneLine(text: string): string {
  return text.replace(/\p{C}/gu, '?')
}
