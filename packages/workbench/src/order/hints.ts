import type { RecordedEvent } from '@tallystick/core'
import { type EventOf, fieldsOf } from '../recorded-fields.ts'
import type { Order } from './order.ts'

/** Something about an order that whoever looks for a mistake should see first. */
export interface Hint {
  readonly tone: 'bad' | 'open'
  readonly text: string
  /** The page that shows more. */
  readonly link?: string | undefined
}

/** What stands out. `own`: the events of the order; `all`: those of other orders as well. */
export function hintsOf(order: Order, own: readonly RecordedEvent[], all: readonly RecordedEvent[]): readonly Hint[] {
  return [...refused(own), ...wentWrong(order, own), ...repeated(own), ...pressedTwice(own, all)]
}

/** What went wrong with an order although nothing was refused. */
export function wentWrong(order: Judged, own: readonly RecordedEvent[]): readonly Hint[] {
  return [...unfinished(order, own), ...released(order, own), ...unheard(order, own)]
}

/** As the sandbox says it, or as far as the events tell. */
type Judged = Pick<Order, 'operations' | 'callbacks' | 'tasks' | 'currency'>

type Operation = Order['operations'][number]

const OPEN: ReadonlySet<string> = new Set(['created', 'sent', 'processing', 'unknown'])

/** The last request that was refused, if nothing of its operation was accepted after it. */
function refused(own: readonly RecordedEvent[]): readonly Hint[] {
  const reply = own.findLast((event) => event.type === 'reply')
  if (reply?.refusal === undefined) return []
  const { operation = 'The last request', refusal, request } = reply
  return [{ tone: 'bad', text: `${operation} was refused: ${refusal.reason}`, link: `#/request/${request}` }]
}

/** The customer was sent somewhere, and did not come back. */
function unfinished({ operations, tasks }: Judged, own: readonly RecordedEvent[]): readonly Hint[] {
  const last = operations.at(-1)
  if (last === undefined) return []
  const { status, awaits, statusAt } = last
  if (status === 'processing' && awaits !== undefined) {
    const until = tasks.find(({ kind }) => kind === 'abandon')?.dueAt
    const then = until === undefined ? '' : `: until ${shown(until)}, then it is declined`
    return [{ tone: 'open', text: `It waits for the customer, who has to finish 3-D Secure (${awaits})${then}.` }]
  }
  const message = own.findLast((event) => event.type === 'three-ds')
  const isAbandoned = status === 'declined' && message?.direction === 'to-issuer'
  if (!isAbandoned) return []
  const hasCome = own.some(({ type }) => type === 'page')
  const where = hasCome
    ? ''
    : ' No page of the gateway was opened either: has your shop sent the browser to the address that the status names?'
  const text = `Nobody has finished 3-D Secure: the issuer was asked (${message.step}), no result came back, and at ${shown(statusAt)} it was declined.${where}`
  return [{ tone: 'bad', text }]
}

/** The gateway has released a hold by itself: no request had asked for that. */
function released({ operations, currency }: Judged, own: readonly RecordedEvent[]): readonly Hint[] {
  const serialNumbers = new Set(own.flatMap((event) => (event.type === 'reply' ? [event.serialNumber] : [])))
  const isAsked = ({ serialNumber }: Operation) => serialNumber === undefined || serialNumbers.has(serialNumber)
  const [opening] = operations
  // Else its requests are no longer in the recording.
  if (opening === undefined || !isAsked(opening)) return []
  return operations
    .filter((operation) => operation.kind === 'cancel' && !isAsked(operation))
    .map(({ amount, statusAt }) => {
      return {
        tone: 'bad',
        text: `The hold has expired: at ${shown(statusAt)} the gateway released ${amount} ${currency}, so that nothing can be captured any more.`,
      }
    })
}

/** The outcome is there, and the shop has neither acknowledged a callback nor asked for the status since. */
function unheard({ operations, callbacks }: Judged, own: readonly RecordedEvent[]): readonly Hint[] {
  const last = operations.at(-1)
  if (last === undefined || OPEN.has(last.status)) return []
  const since = Date.parse(last.statusAt)
  const asked = new Set(own.flatMap((event) => (event.type === 'request' && !isOfWorkbench(event) ? [event.id] : [])))
  const hasHeard = own.some((event) => {
    if (event.at < since) return false
    if (event.type === 'callback') return event.answer === '200' && event.trial === undefined
    return (
      event.type === 'reply' && event.operation === 'status' && event.refusal === undefined && asked.has(event.request)
    )
  })
  if (hasHeard) return []
  const known = `Your shop does not know that it is ${last.status}`
  const answer = own.filter((event) => event.type === 'callback').findLast(({ trial }) => trial === undefined)?.answer
  if (callbacks.length === 0) {
    const text = `${known}: the request named no address for a callback, and nobody has asked for the status since.`
    return [{ tone: 'bad', text }]
  }
  const why = answer ? `it answers the callback with ${answer}` : 'its callback was not sent yet'
  const text = `${known}: ${why}, and has not asked for the status since.`
  return [{ tone: answer ? 'bad' : 'open', text, link: '#/callbacks' }]
}

function isOfWorkbench({ headers }: EventOf<'request'>): boolean {
  return headers['user-agent']?.startsWith('tallystick-workbench') === true
}

/** The same request came more than once. */
function repeated(own: readonly RecordedEvent[]): readonly Hint[] {
  const requests = own.filter((event) => event.type === 'request')
  const [first] = requests
  const count = requests.filter(({ form, path }) => form === first?.form && path === first?.path).length
  if (first?.form === undefined || count < 2) return []
  return [{ tone: 'open', text: `Its request was sent ${count} times with this id, and carried out once.` }]
}

/** Two presses of a button are closer to each other than this. */
const PRESSES_MS = 10_000

/**
 * Another payment of the same customer with the same card and amount: a button may have been pressed twice, by a shop that makes a new
 * id each time. Only the next one: tests pay alike many times.
 */
function pressedTwice(own: readonly RecordedEvent[], all: readonly RecordedEvent[]): readonly Hint[] {
  const first = own.find((event) => event.type === 'request')
  const paid = first && paymentIn(first)
  if (first === undefined || paid === undefined) return []
  const others = all
    .filter((event) => event.type === 'request')
    .filter(({ at, path }) => Math.abs(at - first.at) <= PRESSES_MS && path === first.path)
    .filter((event) => {
      const other = paymentIn(event)
      return other !== undefined && other.order !== paid.order && other.what === paid.what
    })
  const distance = ({ at }: { readonly at: number }) => Math.abs(at - first.at)
  const [nearest] = others.sort((one, other) => distance(one) - distance(other))
  if (nearest === undefined) return []
  const { id, at } = nearest
  const apart = distance(nearest)
  const span = apart < 1000 ? `${apart} ms` : `${Math.round(apart / 1000)} s`
  const when = `${span} ${at < first.at ? 'before' : 'after'} it`
  const text = `The same card was charged the same amount ${when}, as ${paymentIn(nearest)?.order}: was a button pressed twice? A basket that keeps its id is charged once, however often it is sent.`
  return [{ tone: 'open', text, link: `#/request/${id}` }]
}

function paymentIn({ form }: Pick<EventOf<'request'>, 'form'>) {
  const fields = new Map(fieldsOf(form))
  const [card, amount] = [fields.get('credit_card_number'), fields.get('amount')]
  if (card === undefined || amount === undefined) return undefined
  const who = `${fields.get('email')} ${card}`
  return { order: fields.get('client_orderid'), what: `${who} ${amount} ${fields.get('currency')}` }
}

function shown(time: string): string {
  return time.slice(0, 19).replace('T', ' ')
}
