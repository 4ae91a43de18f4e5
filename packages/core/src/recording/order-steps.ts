import { parseForm } from '../codec/form.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** Whether an event is about an order. What has not the gateway's id, such as a request, has the shop's. */
export function isAboutOrder(event: RecordedEvent, orderId: string, clientOrderId: string | undefined): boolean {
  if ('orderId' in event && event.orderId !== undefined) return event.orderId === orderId
  if (clientOrderId === undefined) return false
  if (event.type !== 'request') return 'clientOrderId' in event && event.clientOrderId === clientOrderId
  const named = /(?:^|&)client[_-]order-?id=([^&]*)/.exec(event.form ?? '')?.[0]
  return named !== undefined && parseForm(named.replace(/^&/, ''))[0]?.[1] === clientOrderId
}

/** What happened to an order, without what differs each time that the same happens, such as ids and times. */
export interface OrderSteps {
  /** The requests that change something, each with its answer: `sale: 200`. */
  readonly calls: readonly string[]
  /** The statuses of its operations: `sale of 10.42 EUR: approved`. */
  readonly states: readonly string[]
  /** The callbacks with the shop's answers: `approved sale: 200`. Answers of the same kind that follow each other are one. */
  readonly callbacks: readonly string[]
  /** What the shop's handler was called with, and how that ended: `outcome approved: done`. Empty if the shop does not record. */
  readonly handlers: readonly string[]
}

/** Their answers depend on when they are asked. */
const READING: ReadonlySet<string | undefined> = new Set(['status', 'getCardInfo', 'getRecurringPayment'])

/** @param events of the order, or of all: then only those of the order count */
export function orderSteps(events: readonly RecordedEvent[], orderId: string, clientOrderId: string): OrderSteps {
  const steps = { calls: [] as string[], states: [] as string[], callbacks: [] as string[], handlers: [] as string[] }
  const lastOf = new Map<string, string>()
  for (const event of events) {
    if (!isAboutOrder(event, orderId, clientOrderId)) continue
    if (event.type === 'reply' && !READING.has(event.operation)) steps.calls.push(callLine(event))
    if (event.type === 'state') steps.states.push(stateLine(event))
    if (event.type === 'callback' && event.trial === undefined) {
      const line = callbackLine(event)
      if (lastOf.get(event.callbackId) !== line) steps.callbacks.push(line)
      lastOf.set(event.callbackId, line)
    }
    if (event.type === 'handler' && event.what !== 'called') steps.handlers.push(handlerLine(event))
  }
  return steps
}

type EventOf<Type extends RecordedEvent['type']> = Extract<RecordedEvent, { readonly type: Type }>

function callLine({ operation = 'a request', httpStatus, refusal, fault }: EventOf<'reply'>): string {
  const status = httpStatus === 0 ? 'no reply' : String(httpStatus)
  const code = refusal?.errorCode === undefined ? '' : `, error ${refusal.errorCode}`
  return `${operation}: ${status}${code}${fault === undefined ? '' : ` (${fault})`}`
}

function stateLine({ kind, amount, currency, status, errorCode }: EventOf<'state'>): string {
  return `${kind} of ${amount} ${currency}: ${status}${errorCode === undefined ? '' : `, error ${errorCode}`}`
}

function callbackLine({ query, answer, state }: EventOf<'callback'>): string {
  const [, status = ''] = /(?:^|&)status=([^&]*)/.exec(query) ?? []
  const [, type = ''] = /(?:^|&)type=([^&]*)/.exec(query) ?? []
  return `${status} ${type}: ${answer === '' || state === 'given-up' ? state : answer}`
}

function handlerLine({ kind, status, what, error }: EventOf<'handler'>): string {
  return `${kind} ${status}: ${what}${error === undefined ? '' : ` with ${error}`}`
}
