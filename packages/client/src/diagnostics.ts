import { channel } from 'node:diagnostics_channel'
import { maskCardNumbers, type PaymentErrorCode } from '@tallystick/core'

/**
 * The channels of `node:diagnostics_channel` that the client tells its calls on. Their names and messages are part of the
 * public interface. No message holds a card number, a CVV, a key or a body.
 */
export const DIAGNOSTICS = {
  /** {@link CallStarted}, right before a request is handed to the transport. */
  callStarted: 'tallystick:client:call:start',
  /** {@link CallEnded}, when it is judged. */
  callEnded: 'tallystick:client:call:end',
  /** {@link Alarm}, when something came back that a person should look at. */
  alarm: 'tallystick:client:alarm',
} as const

/** A request is sent. */
export interface CallStarted {
  /** The operation as the catalogue names it, such as `SALE`. */
  readonly operation: string
  readonly clientOrderId: string | undefined
  /** The gateway's id, where the request names it. */
  readonly orderId: string | undefined
  /** Of the endpoint, or of the group. */
  readonly endpointId: string
}

/** A request was sent, and judged. */
export interface CallEnded extends CallStarted {
  readonly outcome: 'accepted' | 'rejected' | 'notSent' | 'unknown'
  /** The code of the error, where there is one. */
  readonly code: PaymentErrorCode | undefined
  /** The HTTP status, where one was read and is no success. */
  readonly httpStatus: number | undefined
  /** From before it was sent until it was judged. */
  readonly milliseconds: number
}

/**
 * What a person should look at:
 *
 * - `redirected`: the gateway answered with a redirect. It was not followed; the address is wrong, or somebody sits between.
 * - `refused-but-exists`: a money operation was refused, and yet there is an order of its client order id.
 */
export interface Alarm extends Omit<CallStarted, 'orderId'> {
  readonly what: 'redirected' | 'refused-but-exists'
}

const started = channel(DIAGNOSTICS.callStarted)
const ended = channel(DIAGNOSTICS.callEnded)
const alarms = channel(DIAGNOSTICS.alarm)

/** A message is made only where somebody listens. */
export function isStartHeard(): boolean {
  return started.hasSubscribers
}

export function tellStarted(call: CallStarted): void {
  started.publish(call)
}

export function isEndHeard({ log }: Logged): boolean {
  return ended.hasSubscribers || log !== undefined
}

export function tellEnded(call: CallEnded, { log }: Logged): void {
  ended.publish(call)
  if (log !== undefined) apart(log, lineOf(call))
}

interface Logged {
  readonly log: ((line: string) => void) | undefined
}

/** A line of the log that is no call's. */
export function tellLine(line: string, { log }: Logged): void {
  if (log !== undefined) apart(log, line)
}

/** What is to be mended, and no alarm. */
export function warn(warning: string, { onWarning }: Warned): void {
  apart(onWarning, onOneLine(maskCardNumbers(warning)))
}

interface Warned {
  readonly onWarning: (warning: string) => void
}

/** `onWarning` hears it too: it is what a client without subscribers has. */
export function alarm(told: Alarm, { onWarning }: Warned): void {
  alarms.publish(told)
  apart(onWarning, `${told.operation} of ${onOneLine(told.clientOrderId ?? 'no order')}: ${REMEDIES[told.what]}`)
}

const REMEDIES: Readonly<Record<Alarm['what'], string>> = {
  redirected: 'the gateway answered with a redirect, which is never followed: check baseUrl, and who is in between',
  'refused-but-exists':
    'it was refused, and yet an order of its client order id exists: ask the status before anything else, and make a new ' +
    'id for each new order',
}

/**
 * A listener that throws must not change how a call ended: its error is thrown beside the call, as `diagnostics_channel`
 * does with those of subscribers.
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

/** One line a call: `SALE of inv-77 at 253: accepted in 123 ms`. */
function lineOf(call: CallEnded): string {
  const { operation, clientOrderId, orderId, endpointId, outcome, code, httpStatus, milliseconds } = call
  const order = [clientOrderId, orderId].filter((id) => id !== undefined).join(' ')
  const why = [code, httpStatus === undefined ? undefined : `HTTP ${httpStatus}`].filter((part) => part !== undefined)
  const error = why.length === 0 ? '' : ` (${why.join(', ')})`
  return `${operation}${order && ` of ${onOneLine(order)}`} at ${endpointId}: ${outcome}${error} in ${milliseconds} ms`
}

/** An id may hold what a terminal or a reader of lines would take for something else. */
function onOneLine(text: string): string {
  return text.replace(/\p{C}/gu, '?')
}
