import type { RecordedEvent } from '@tallystick/core'
import { type EventOf, field } from './recorded-fields.ts'

/** One callback with its attempts. */
export interface Callback {
  readonly callbackId: string
  readonly orderId: string
  readonly clientOrderId?: string | undefined
  readonly status?: string | undefined
  /** The operation that it reports, as the gateway names it. */
  readonly transaction?: string | undefined
  readonly address: string
  readonly state: EventOf<'callback'>['state']
  readonly nextAt?: number | undefined
  readonly attempts: readonly Attempt[]
  /** How it was sent to see what the shop makes of it. */
  readonly trials: ReadonlyArray<Attempt & { readonly trial: Trial }>
}

interface Attempt {
  readonly at: number
  readonly answer: string
}

export type Trial = NonNullable<EventOf<'callback'>['trial']>

/** The callbacks, those that were tried last first. */
export function callbacksOf(events: readonly RecordedEvent[]): readonly Callback[] {
  const callbacks = new Map<string, Callback>()
  for (const event of events) {
    if (event.type !== 'callback') continue
    const { callbackId, orderId, address, query, state, nextAt, at, answer, trial } = event
    const known = callbacks.get(callbackId)
    if (trial !== undefined) {
      if (known !== undefined) callbacks.set(callbackId, { ...known, trials: [...known.trials, { at, answer, trial }] })
      continue
    }
    const { attempts = [], trials = [] } = known ?? {}
    // So that the one that was tried last is the last.
    callbacks.delete(callbackId)
    callbacks.set(callbackId, {
      callbackId,
      orderId,
      clientOrderId: field(query, 'client_orderid', 'merchant_order'),
      status: field(query, 'status'),
      transaction: field(query, 'type'),
      address,
      state,
      nextAt,
      attempts: answer === '' ? attempts : [...attempts, { at, answer }],
      trials,
    })
  }
  return [...callbacks.values()].reverse()
}

/** A place that callbacks go to. */
export interface CallbackHost {
  /** Scheme, host and port. */
  readonly origin: string
  /** The last answer, and since when there was no other. */
  readonly answer: string
  readonly since: number
  readonly lastAt: number
  /** How many such answers there were in a row. */
  readonly inARow: number
}

/** How each host answers callbacks; the one that was called last comes first. */
export function callbackHostsOf(events: readonly RecordedEvent[]): readonly CallbackHost[] {
  const hosts = new Map<string, CallbackHost>()
  for (const event of events) {
    if (event.type !== 'callback' || event.answer === '' || event.trial !== undefined) continue
    const { address, answer, at } = event
    const origin = originOf(address)
    const before = hosts.get(origin)
    const isSame = before?.answer === answer
    const since = isSame ? before.since : at
    hosts.set(origin, { origin, answer, since, lastAt: at, inARow: isSame ? before.inARow + 1 : 1 })
  }
  return [...hosts.values()].sort((one, other) => other.lastAt - one.lastAt)
}

export function originOf(address: string): string {
  return URL.parse(address)?.origin ?? address
}

/** What it means that the shop has answered a trial so. */
export function judgeTrial(
  trial: Trial,
  answer: string,
): { readonly tone: 'good' | 'bad' | 'open'; readonly text: string } {
  const isAcknowledged = answer === '200'
  if (!isAcknowledged && !/^4\d\d$/.test(answer)) {
    return { tone: 'open', text: 'it says nothing: your shop has failed, or was not reached' }
  }
  switch (trial) {
    case 'forged':
      return isAcknowledged
        ? { tone: 'bad', text: 'acknowledged, although it is not from the gateway: see that nothing was booked by it' }
        : { tone: 'good', text: 'not acknowledged, as it should be' }
    case 'shifted':
      return isAcknowledged
        ? { tone: 'open', text: 'acknowledged, as its control is valid: see that no order was booked by it' }
        : { tone: 'good', text: 'not acknowledged: your shop has no such order' }
    case 'twice':
      return isAcknowledged ? { tone: 'good', text: 'acknowledged: see that it was booked once' } : NOT_TAKEN
    case 'other-amount':
      return isAcknowledged ? AMOUNT_TAKEN : NOT_TAKEN
  }
}

const NOT_TAKEN = { tone: 'bad', text: 'not acknowledged, although its control is valid' } as const
const AMOUNT_TAKEN = {
  tone: 'good',
  text: 'acknowledged: no control covers the amount. See that your shop took it from the status',
} as const
