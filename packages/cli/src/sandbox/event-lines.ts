import { isFinalStatus, type Pair, parseForm, type RecordedEvent } from '@tallystick/core'
import { cut, inColour, plain, type Shape } from '@tallystick/gateway/internal'
import { wrapped } from '../help.ts'

type EventOf<Type extends RecordedEvent['type']> = Extract<RecordedEvent, { readonly type: Type }>

/** An event as a person reads it. */
interface Row {
  readonly what: string
  /** Of the order that it is about. */
  readonly clientOrderId?: string | undefined
  readonly details: string
  /** The word in the details that has a colour. */
  readonly status?: string | undefined
  /** Below the row, and never cut: what is wrong, and what to do about it. */
  readonly remedy?: string | undefined
}

/** Of the columns before the details, on a terminal of 80. */
const TIME_WIDTH = 8
const WHAT_WIDTH = 8
const ID_WIDTH = 14

export const EVENTS_HEAD = `${firstColumns('UTC', 'WHAT', 'ORDER')}DETAILS\n`

/**
 * Writes the events of a recording as lines, in the order in which they come. It remembers the shop's ids of orders and of requests
 * that are not answered yet: not every event has them.
 */
export function eventWriter({ width, isColoured }: Shape): (event: RecordedEvent) => string {
  const ofOrders = new Map<string, string>()
  const ofRequests = new Map<number, string>()
  return (event) => {
    const { what, details, status, remedy, ...row } = rowOf(event)
    const orderId = ('orderId' in event ? event.orderId : undefined) ?? ''
    const asked = event.type === 'reply' ? ofRequests.get(event.request) : undefined
    const clientOrderId = row.clientOrderId ?? asked ?? ofOrders.get(orderId) ?? ''
    if (event.type === 'request') ofRequests.set(event.id, clientOrderId)
    if (event.type === 'reply') ofRequests.delete(event.request)
    if (orderId !== '' && clientOrderId !== '') ofOrders.set(orderId, clientOrderId)
    const time = timeOf(event.at).slice(-TIME_WIDTH)
    const before = firstColumns(time, what, plain(clientOrderId))
    const rest = cut(plain(details), width - before.length)
    const coloured = isColoured && status !== undefined ? rest.replace(status, inColour(status, status)) : rest
    const line = `${before}${coloured}`.trimEnd()
    if (remedy === undefined) return `${line}\n`
    return `${line}\n${wrapped(plain(remedy), TIME_WIDTH + 2, Number.isFinite(width) ? width : undefined)}\n`
  }
}

/** The columns before the details. */
function firstColumns(time: string, what: string, clientOrderId: string): string {
  const cells = [time.padEnd(TIME_WIDTH), what.padEnd(WHAT_WIDTH), cut(clientOrderId, ID_WIDTH).padEnd(ID_WIDTH)]
  return `${cells.join('  ')}  `
}

function rowOf(event: RecordedEvent): Row {
  switch (event.type) {
    case 'request':
      return requestRow(event)
    case 'reply':
      return replyRow(event)
    case 'acquirer':
      return acquirerRow(event)
    case 'state':
      return stateRow(event)
    case 'callback':
      return callbackRow(event)
    case 'page':
      return { what: 'page', details: listed(`${event.method} ${event.page}: ${event.httpStatus}`, event.shown) }
    case 'three-ds':
      return { what: '3ds', details: `${event.step}, ${event.direction === 'to-issuer' ? 'to' : 'from'} the issuer` }
    case 'fault':
      return faultRow(event)
    case 'clock':
      return { what: 'clock', details: `set ahead by ${event.byMs / 1000} s to ${timeOf(event.at)}` }
    case 'dropped':
      return { what: 'dropped', details: `${event.count} events: there were too many to keep` }
    default:
      return merchantRow(event)
  }
}

function requestRow({ method, path, form = '' }: EventOf<'request'>): Row {
  const fields = new Map(pairsOf(form))
  const clientOrderId = fields.get('client_orderid') ?? fields.get('client-order-id')
  const money = [fields.get('amount'), fields.get('currency')].filter((text) => text !== undefined).join(' ')
  return { what: 'in', clientOrderId, details: `${method} ${path} ${money}` }
}

function replyRow(event: EventOf<'reply'>): Row {
  const { operation = 'unknown operation', httpStatus, clientOrderId, orderId, refusal, values, milliseconds } = event
  const fault = event.fault === undefined ? undefined : `fault ${event.fault}`
  const answer = httpStatus === 0 ? `no reply to ${operation}` : `${httpStatus} ${operation}`
  if (refusal === undefined) {
    const { status } = values
    const order = orderId === undefined ? undefined : `order ${orderId}`
    return { what: 'out', clientOrderId, details: listed(answer, status, order, fault, `${milliseconds} ms`), status }
  }
  const { reason, errorCode, doctor } = refusal
  const code = errorCode === undefined ? undefined : `error-code ${errorCode}`
  // A reason of the doctor's is the sentence that every refused signature has.
  const remedy = doctor === undefined ? reason : [doctor.cause, doctor.advice].filter(isText).join(': ')
  return { what: 'refused', clientOrderId, details: listed(answer, code, fault, `${milliseconds} ms`), remedy }
}

function acquirerRow(event: EventOf<'acquirer'>): Row {
  const { call, kind, clientOrderId, amount, currency, answer, errorCode, errorMessage, milliseconds } = event
  const details = `${call} ${kind} ${amount} ${currency}: ${answer}`
  const code = [errorCode, errorMessage].filter(isText).join(' ')
  return { what: 'bank', clientOrderId, details: listed(details, code, `${milliseconds} ms`), status: answer }
}

function stateRow({ clientOrderId, kind, status, amount, currency, errorCode }: EventOf<'state'>): Row {
  const code = errorCode === undefined ? undefined : `error-code ${errorCode}`
  const what = status === 'unknown' || isFinalStatus(status) ? 'decided' : 'order'
  return { what, clientOrderId, details: listed(`${kind} ${amount} ${currency}: ${status}`, code), status }
}

function callbackRow({ at, query, answer, state, attempts, nextAt }: EventOf<'callback'>): Row {
  const fields = new Map(pairsOf(query))
  const said = `${fields.get('status') ?? ''}: ${answer === '' ? 'never sent' : answer}`
  const [today] = timeOf(at).split(' ', 1)
  const next = nextAt === undefined ? undefined : `next ${timeOf(nextAt).replace(`${today} `, '')}`
  const details = listed(said, state === 'open' ? undefined : state, `try ${attempts}`, next)
  return { what: 'callback', clientOrderId: fields.get('client_orderid'), details, status: state }
}

function faultRow({ what, fault, operation, clientOrderId, probability }: EventOf<'fault'>): Row {
  const share = probability === undefined ? undefined : `${probability * 100} % of all orders`
  return { what: 'fault', clientOrderId, details: listed(what, fault, operation, share) }
}

/** What the shop's own half has sent to the recording. */
function merchantRow(event: Exclude<RecordedEvent, { readonly half: 'gateway' }>): Row {
  switch (event.type) {
    case 'call': {
      const { operation, clientOrderId, verdict, code, seen, milliseconds } = event
      return {
        what: 'shop',
        clientOrderId,
        details: listed(`${operation}: ${verdict}`, code, seen, `${milliseconds} ms`),
      }
    }
    case 'intent': {
      const { businessKey, attempt, clientOrderId, state, status, reviewReason } = event
      const details = listed(`${businessKey}, attempt ${attempt}: ${state}`, status, reviewReason)
      return { what: 'journal', clientOrderId, details, status }
    }
    case 'callback-received':
      return { what: 'shop', clientOrderId: event.clientOrderId, details: `callback ${event.status}: ${event.stored}` }
    case 'handler': {
      const { what, kind, clientOrderId, status, error } = event
      return { what: 'handler', clientOrderId, details: listed(`${kind} ${status}: ${what}`, error), status }
    }
    case 'journal':
      return { what: 'journal', details: listed(event.notice, ...event.intentIds) }
    default:
      // A newer recorder has kinds of events that this command does not know.
      return { what: String((event as RecordedEvent).type), details: JSON.stringify(event) }
  }
}

function listed(...parts: ReadonlyArray<string | undefined>): string {
  return parts.filter(isText).join(', ')
}

function isText(text: string | undefined): text is string {
  return text !== undefined && text !== ''
}

/** In UTC. */
function timeOf(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}

/** A masked form is one still, but whoever wrote a recording may have written anything. */
function pairsOf(form: string): readonly Pair[] {
  try {
    return parseForm(form)
  } catch {
    return []
  }
}
