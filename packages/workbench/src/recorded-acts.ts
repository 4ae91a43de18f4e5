import type { RecordedEvent } from '@tallystick/core'
import { isAboutOrder } from '@tallystick/core/internal'
import { type EventOf, fieldsOf } from './recorded-fields.ts'

/** Something that was done with the order from outside the gateway. */
export type Act =
  | {
      readonly kind: 'call'
      readonly id: number
      readonly at: number
      readonly request: EventOf<'request'>
      readonly reply: EventOf<'reply'>
    }
  | { readonly kind: 'pages'; readonly id: number; readonly at: number }
  | { readonly kind: 'chargeback'; readonly id: number; readonly at: number; readonly amount: string }
  | { readonly kind: 'resend'; readonly id: number; readonly at: number }
  | {
      readonly kind: 'fault'
      readonly id: number
      readonly at: number
      readonly fault: string
      readonly operation?: string | undefined
    }

export interface RecordedOrder {
  readonly orderId: string
  readonly clientOrderId: string
  readonly startAt: number
  readonly events: readonly RecordedEvent[]
  readonly acts: readonly Act[]
  /** What a test cannot do as it was done, in sentences. */
  readonly notReplayed: readonly string[]
}

/** They change nothing, and a test has nothing of theirs to expect. */
const READING: ReadonlySet<string | undefined> = new Set(['status', 'getCardInfo', 'getRecurringPayment'])

export function readOrder(recorded: readonly RecordedEvent[], orderId: string): RecordedOrder | undefined {
  const clientOrderId = recorded.find((event) => event.type === 'state' && event.orderId === orderId)
  if (clientOrderId?.type !== 'state') return undefined
  const named = clientOrderId.clientOrderId
  const requests = new Map(recorded.flatMap((event) => (event.type === 'request' ? [[event.id, event] as const] : [])))
  // Who was not taken for the merchant changed nothing, and a client signs as it should.
  const events = recorded.filter(
    (event) =>
      isAboutOrder(event, orderId, named) &&
      // What a person sent to see what the shop makes of it.
      !(event.type === 'callback' && event.trial !== undefined) &&
      !(event.type === 'reply' && event.refusal !== undefined && event.verifiedBy === undefined),
  )
  const acts: Act[] = []
  // Those that are sent again when they are sent once more: they were over, or were to be sent never.
  const over = new Set<string>()
  const isNeverCalled = recorded.some(
    (event) => event.type === 'fault' && event.fault === 'callback-never' && event.clientOrderId === named,
  )
  const called = new Set<string>()
  for (const event of events) {
    const { id, at } = event
    if (event.type === 'reply' && !READING.has(event.operation)) {
      const request = requests.get(event.request)
      if (request !== undefined) acts.push({ kind: 'call', id: request.id, at: request.at, request, reply: event })
    }
    // A customer who only opens a page changes nothing.
    if (event.type === 'page' && isPaid(event) && !acts.some(({ kind }) => kind === 'pages'))
      acts.push({ kind: 'pages', id, at })
    if (event.type === 'state' && event.kind === 'chargeback')
      acts.push({ kind: 'chargeback', id, at, amount: event.amount })
    if (event.type === 'callback') {
      const isFirst = !called.has(event.callbackId)
      called.add(event.callbackId)
      if (over.has(event.callbackId) || (isFirst && isNeverCalled)) acts.push({ kind: 'resend', id, at })
      if (event.state === 'open') over.delete(event.callbackId)
      else over.add(event.callbackId)
    }
  }
  acts.push(...faultsOf(recorded, named, acts))
  acts.sort((one, other) => one.id - other.id)
  const startAt = acts[0]?.at
  if (startAt === undefined) return undefined
  return { orderId, clientOrderId: named, startAt, events, acts, notReplayed: notReplayed(events, acts) }
}

function isPaid({ method, form = '' }: EventOf<'page'>): boolean {
  return method === 'POST' && form !== ''
}

const LEFT_OUT = /^\[\d+ (?:lines|characters)\]$/
/** The gateway that the test starts gives others. */
const OF_THE_GATEWAY = /card[-_]?ref[-_]?id|recurring[-_]?payment[-_]?id/i

function notReplayed(events: readonly RecordedEvent[], acts: readonly Act[]): readonly string[] {
  const said = new Set<string>()
  for (const act of acts) {
    if (act.kind !== 'call') continue
    for (const [name, value] of fieldsOf(act.request.form)) {
      if (LEFT_OUT.test(value)) said.add(`${name} was not recorded: write a value of your own in place of ${value}.`)
      if (OF_THE_GATEWAY.test(name))
        said.add(`${name} is an id of the gateway that was recorded: take the one that this gateway gives.`)
    }
  }
  const steps = (direction: EventOf<'three-ds'>['direction']) =>
    new Set(events.flatMap((event) => (event.type === 'three-ds' && event.direction === direction ? [event.step] : [])))
  const brought = steps('from-issuer')
  const isLeft = [...steps('to-issuer')].some((step) => step !== 'method' && !brought.has(step))
  if (isLeft && acts.some(({ kind }) => kind === 'pages'))
    said.add("The customer left the bank's page; here they confirm.")
  return [...said]
}

/** Those that were asked for the order, and those of a next request that was one of the order. */
function faultsOf(recorded: readonly RecordedEvent[], clientOrderId: string, acts: readonly Act[]): readonly Act[] {
  const faults: Act[] = []
  const waiting: Array<EventOf<'fault'>> = []
  for (const event of recorded) {
    if (event.type === 'fault' && event.what === 'set' && event.fault !== undefined) {
      const { id, at, fault, operation } = event
      if (event.clientOrderId === clientOrderId) faults.push({ kind: 'fault', id, at, fault })
      if (operation !== undefined) waiting.push(event)
    }
    if (event.type === 'fault' && event.what === 'cleared') waiting.length = 0
    if (event.type !== 'reply') continue
    const place = waiting.findIndex(({ operation }) => operation === event.operation)
    const [asked] = place < 0 ? [] : waiting.splice(place, 1)
    const call = acts.find((act) => act.kind === 'call' && act.reply.id === event.id)
    if (asked?.fault === undefined || call === undefined) continue
    // Just before the request.
    faults.push({ kind: 'fault', id: call.id - 0.5, at: call.at, fault: asked.fault, operation: asked.operation })
  }
  return faults
}
