import type { RecordedEvent } from '@tallystick/core'
import { type EventOf, field } from './recorded-fields.ts'
import { judgeTrial } from './sent-callbacks.ts'

/** What the pages show, made of the events of a recording. Pure. */

/** A request with its answer. */
export interface Exchange {
  readonly request: EventOf<'request'>
  /** Absent: it was not answered yet. */
  readonly reply?: EventOf<'reply'>
}

/** The requests in their order, each with its answer. */
export function exchangesOf(events: readonly RecordedEvent[]): readonly Exchange[] {
  const replies = new Map(events.flatMap((event) => (event.type === 'reply' ? [[event.request, event] as const] : [])))
  return events.flatMap((event) => {
    if (event.type !== 'request') return []
    const reply = replies.get(event.id)
    return [reply === undefined ? { request: event } : { request: event, reply }]
  })
}

export type Kind = 'request' | 'page' | 'callback' | 'merchant'

/** One line of the live page. */
export interface Row {
  /** Of the event. */
  readonly id: number
  readonly at: number
  readonly kind: Kind
  readonly what: string
  readonly order?: string | undefined
  /** The gateway's id, by which the order has a page. */
  readonly orderId?: string | undefined
  readonly amount?: string | undefined
  readonly card?: string | undefined
  /** Where it was sent, of a callback. */
  readonly address?: string | undefined
  readonly answer: string
  readonly isBad: boolean
  readonly milliseconds?: number | undefined
  /** All by which the line is found, in lower case. */
  readonly text: string
}

/** The lines of the live page, the latest first. */
export function rowsOf(events: readonly RecordedEvent[]): readonly Row[] {
  const replies = new Map(events.flatMap((event) => (event.type === 'reply' ? [[event.request, event] as const] : [])))
  return events.flatMap((event) => rowOf(event, replies) ?? []).reverse()
}

function rowOf(event: RecordedEvent, replies: ReadonlyMap<number, EventOf<'reply'>>): Row | undefined {
  switch (event.type) {
    case 'request':
      return requestRow(event, replies.get(event.id))
    case 'page': {
      const { id, at, orderId, method, page, httpStatus, shown = '', milliseconds } = event
      const what = `${method} ${page}`
      const answer = `${httpStatus} ${shown}`.trim()
      return found({ id, at, kind: 'page', what, orderId, answer, isBad: httpStatus >= 400, milliseconds })
    }
    case 'callback': {
      const { id, at, orderId, address, answer, state, query, trial } = event
      const status = field(query, 'status')
      const kind = trial === undefined ? 'callback' : `callback (${trial})`
      const of = field(query, 'type')
      const what = [kind, of, status && `“${status}”`].filter((part) => part !== undefined).join(' ')
      const order = field(query, 'client_orderid', 'merchant_order')
      const row = found({
        id,
        at,
        kind: 'callback',
        what,
        order,
        orderId,
        address,
        answer: answer || state,
        isBad: trial === undefined ? answer !== '200' : judgeTrial(trial, answer).tone !== 'good',
      })
      const said = [
        field(query, 'amount'),
        field(query, 'bin'),
        field(query, 'last-four-digits'),
        field(query, 'error_code'),
      ]
      return { ...row, text: `${row.text} ${said.join(' ')}`.toLowerCase() }
    }
    case 'call': {
      const { id, at, operation, clientOrderId, orderId, verdict, code, milliseconds } = event
      const answer = code === undefined ? verdict : `${verdict}: ${code}`
      const said = { id, at, kind: 'merchant', what: operation, order: clientOrderId, orderId, answer } as const
      return found({ ...said, isBad: verdict !== 'accepted', milliseconds })
    }
    default:
      return undefined
  }
}

function requestRow({ id, at, method, path, form }: EventOf<'request'>, reply: EventOf<'reply'> | undefined): Row {
  const amount = [field(form, 'amount'), field(form, 'currency')].filter((part) => part !== undefined).join(' ')
  const order = reply?.clientOrderId ?? field(form, 'client_orderid', 'client-order-id', 'client_order_id')
  const operation = reply?.operation
  const what = operation === undefined ? `${method} ${path}` : operation
  const row = found({
    id,
    at,
    kind: 'request',
    what,
    order,
    orderId: reply?.orderId ?? field(form, 'orderid'),
    amount: amount === '' ? undefined : amount,
    card: field(form, 'credit_card_number', 'card_number', 'pan'),
    answer: reply === undefined ? 'no answer yet' : answerOf(reply),
    isBad: reply !== undefined && isBad(reply),
    milliseconds: reply?.milliseconds,
  })
  const { cause = '' } = reply?.refusal?.doctor ?? {}
  return { ...row, text: `${row.text} ${path} ${cause} ${reply?.serialNumber ?? ''}`.toLowerCase() }
}

/** Whether it was refused, or a fault has spoilt the answer. */
export function isBad({ httpStatus, refusal }: EventOf<'reply'>): boolean {
  return refusal !== undefined || httpStatus === 0 || httpStatus >= 400
}

/** What was answered, in a few words. */
export function answerOf({ httpStatus, refusal, fault, values }: EventOf<'reply'>): string {
  const status = httpStatus === 0 ? 'no reply' : String(httpStatus)
  const { cause } = refusal?.doctor ?? {}
  const detail = cause ?? (refusal?.errorCode === undefined ? values['status'] : `error ${refusal.errorCode}`)
  return [status, detail, fault && `fault: ${fault}`].filter((part) => part !== undefined && part !== '').join(' ')
}

function found(row: Omit<Row, 'text'>): Row {
  const { what, order, orderId, amount, card, address, answer } = row
  const text = [what, order, orderId, amount, card, address, answer].filter((part) => part !== undefined).join(' ')
  return { ...row, text: text.toLowerCase() }
}

/** Whether a line has all words of a search. */
export function matches({ text }: Pick<Row, 'text'>, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/)
  return words.every((word) => text.includes(word))
}

/** What went wrong in the same way. */
export interface ErrorGroup {
  readonly cause: string
  /** What to do about it, or the reason of the last. */
  readonly advice: string
  /** The operation and endpoint, or the address of a callback. */
  readonly where: string
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
  /** The page of the last: of its request, or of its order. */
  readonly link: string
}

/** What was refused or failed, by cause and place; what happened last comes first. */
export function errorsOf(events: readonly RecordedEvent[]): readonly ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>()
  for (const event of events) {
    const error = errorOf(event)
    if (error === undefined) continue
    const key = JSON.stringify([error.cause, error.where])
    const known = groups.get(key)
    const firstAt = known?.firstAt ?? event.at
    groups.set(key, { ...error, firstAt, lastAt: event.at, count: (known?.count ?? 0) + 1 })
  }
  return [...groups.values()].sort((one, other) => other.lastAt - one.lastAt)
}

function errorOf(event: RecordedEvent): Pick<ErrorGroup, 'cause' | 'advice' | 'where' | 'link'> | undefined {
  if (event.type === 'reply' && isBad(event)) {
    const { request, operation = 'no operation', endpointId, httpStatus, refusal, fault } = event
    const { reason = '', errorCode, doctor } = refusal ?? {}
    const status = httpStatus === 0 ? 'no reply' : String(httpStatus)
    const cause = doctor?.cause ?? (fault === undefined ? undefined : `fault: ${fault}`) ?? causeOf(errorCode, reason)
    return {
      cause: cause === '' ? status : cause,
      // A cause without a diagnosis says the reason itself.
      advice: doctor?.advice ?? (cause.endsWith(reason) ? '' : reason),
      where: endpointId === undefined ? operation : `${operation}, endpoint ${endpointId}`,
      link: `#/request/${request}`,
    }
  }
  if (event.type === 'callback' && event.trial === undefined && event.answer !== '200' && event.answer !== '') {
    const { answer, address, orderId } = event
    return { cause: `callback answered ${answer}`, advice: CALLBACK_ADVICE, where: address, link: `#/order/${orderId}` }
  }
  return undefined
}

/** Where to look first: at what went wrong first, or else at the last order. */
export function placeOfTrouble(events: readonly RecordedEvent[]): string {
  for (const event of events) {
    const link = errorOf(event)?.link
    if (link !== undefined) return link
    if (event.type === 'handler' && event.what === 'failed' && event.orderId !== undefined)
      return orderLink(event.orderId)
  }
  const changes = events.filter((event) => event.type === 'state')
  const refused = changes.find(({ status }) => status === 'declined' || status === 'error' || status === 'filtered')
  const order = refused ?? changes.at(-1)
  return order === undefined ? '#/live' : orderLink(order.orderId)
}

function orderLink(orderId: string): string {
  return `#/order/${orderId}`
}

const CALLBACK_ADVICE =
  'Only the status 200 acknowledges a callback. It is sent again until then, later and later, and given up in the end.'

function causeOf(errorCode: string | undefined, reason: string): string {
  return errorCode === undefined ? reason : `error ${errorCode}: ${reason}`
}

/** Adds amounts in major units, each with the same decimals or fewer. */
export function sumOf(amounts: readonly string[]): string {
  const decimals = Math.max(0, ...amounts.map((amount) => (amount.split('.')[1] ?? '').length))
  const sum = amounts.reduce((total, amount) => total + inSmallest(amount, decimals), 0n)
  const digits = String(sum < 0n ? -sum : sum).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const part = decimals === 0 ? '' : `.${digits.slice(-decimals)}`
  return `${sum < 0n ? '-' : ''}${whole}${part}`
}

function inSmallest(amount: string, decimals: number): bigint {
  const [whole = '', part = ''] = amount.split('.')
  return BigInt(whole + part.padEnd(decimals, '0'))
}

/** Whether an event is about an order: by the gateway's id, or by the shop's where it has no other. */
export function isAbout(event: RecordedEvent, orderId: string): boolean {
  return 'orderId' in event && event.orderId === orderId
}

/** The class of a status. */
export function toneOf(status: string): string {
  if (status === 'approved') return 'good'
  return ['declined', 'error', 'filtered'].includes(status) ? 'bad' : 'open'
}

/** The last that was written of an intent of the shop's journal, with what was seen of it. */
export interface IntentNow extends EventOf<'intent'> {
  /** What was seen before, the oldest first. */
  readonly history: ReadonlyArray<{ readonly at: number; readonly state: string; readonly seen?: string | undefined }>
}

/** The intents of a journal as they are now, those that changed last first. */
export function intentsOf(events: readonly RecordedEvent[]): readonly IntentNow[] {
  const intents = new Map<string, IntentNow>()
  for (const event of events) {
    if (event.type !== 'intent') continue
    const { intentId, at, state, seen } = event
    const history = [...(intents.get(intentId)?.history ?? []), { at, state, seen }]
    intents.delete(intentId)
    intents.set(intentId, { ...event, history })
  }
  return [...intents.values()].reverse()
}

/** When a journal asks for the status of an intent by itself. */
export function journalChecksOf(events: readonly RecordedEvent[]) {
  return intentsOf(events).flatMap(({ intentId, nextCheckAt, orderId, clientOrderId }) =>
    nextCheckAt === undefined ? [] : [{ intentId, at: nextCheckAt, orderId, clientOrderId }],
  )
}

/** Orders that callbacks have named and no intent has, with the last callback of each; the latest first. */
export function orphansOf(events: readonly RecordedEvent[]): ReadonlyArray<EventOf<'callback-received'>> {
  const orphans = new Map<string, EventOf<'callback-received'>>()
  for (const event of events) {
    if (event.type !== 'callback-received' || (event.stored !== 'orphan' && event.stored !== 'full')) continue
    orphans.delete(event.orderId)
    orphans.set(event.orderId, event)
  }
  return [...orphans.values()].reverse()
}

/** What a journal has reported, the latest first. */
export function noticesOf(events: readonly RecordedEvent[]): ReadonlyArray<EventOf<'journal'>> {
  return events.filter((event) => event.type === 'journal').reverse()
}
