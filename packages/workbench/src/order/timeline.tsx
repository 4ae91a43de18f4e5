import type { RecordedEvent } from '@tallystick/core'
import { Facts, OrderLink, Time } from '../parts.tsx'
import { fieldsOf } from '../recorded-fields.ts'
import { answerOf, exchangesOf, isBad, toneOf } from '../timeline.ts'
import { exactTime } from '../times.ts'

interface Step {
  readonly id: number
  readonly at: number
  readonly who: string
  readonly what: preact.ComponentChildren
  readonly tone: string
}

interface TimelineProps {
  readonly events: readonly RecordedEvent[]
  /** Whether each step says whose it is. */
  readonly ofAll?: boolean
}

/** What happened, in one line of time. */
export function Timeline({ events, ofAll = false }: TimelineProps) {
  const orders = new Map(events.map((event) => [event.id, 'orderId' in event ? event.orderId : undefined]))
  return (
    <ol class="timeline">
      {stepsOf(events).map(({ id, at, who, what, tone }) => (
        <li key={id} class={tone}>
          <Time at={at} />
          <span class="kind">{who}</span>
          <div>
            {what}
            {ofAll && orders.get(id) !== undefined && (
              <>
                {' '}
                <OrderLink orderId={orders.get(id) ?? ''} />
              </>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

function stepsOf(events: readonly RecordedEvent[]): readonly Step[] {
  const requests = new Map(exchangesOf(events).map((exchange) => [exchange.request.id, exchange]))
  return events.flatMap((event) => stepOf(event, requests.has(event.type === 'reply' ? event.request : 0)) ?? [])
}

/** @param hasRequest of a reply: whether its request is a step too */
function stepOf(event: RecordedEvent, hasRequest: boolean): Step | undefined {
  const { id, at } = event
  const step = (who: string, what: preact.ComponentChildren, tone = ''): Step => ({ id, at, who, what, tone })
  switch (event.type) {
    case 'request':
      return step('shop', <a href={`#/request/${id}`}>{`${event.method} ${event.path}`}</a>)
    case 'reply': {
      const { request, operation = 'the request' } = event
      const what = `${operation} is answered: ${answerOf(event)}`
      return step('gateway', hasRequest ? what : <a href={`#/request/${request}`}>{what}</a>, isBad(event) ? 'bad' : '')
    }
    case 'state': {
      const { kind, status, amount, currency, errorCode, postings } = event
      const code = errorCode === undefined ? '' : `, error ${errorCode}`
      return step(
        'state',
        <>
          <strong>{status}</strong>: {kind} of {amount} {currency}
          {code}
          {postings.length > 0 && (
            <ul class="postings">
              {postings.map((posting) => (
                <li key={posting.account}>
                  {posting.account} <span class="number">{posting.amount}</span>
                </li>
              ))}
            </ul>
          )}
        </>,
        toneOf(status),
      )
    }
    case 'acquirer': {
      const { call, kind, amount, currency, answer, errorCode, errorMessage } = event
      const said = [answer, errorCode, errorMessage].filter((part) => part !== undefined).join(', ')
      return step('bank', `${call} ${kind} of ${amount} ${currency}: ${said}`)
    }
    case 'page': {
      const { method, page, shown, sentOnTo } = event
      const then = [shown, sentOnTo && `sent on to ${sentOnTo}`].filter((part) => part !== undefined).join(', ')
      return step('customer', `${method} ${page}${then === '' ? '' : `: ${then}`}`)
    }
    case 'three-ds':
      return step(
        '3-D Secure',
        <>
          {event.step} {event.direction === 'to-issuer' ? 'to the issuer' : 'from the issuer'}
          <Facts facts={Object.entries(event.fields)} />
        </>,
      )
    case 'callback': {
      const { address, query, answer, state, attempts, nextAt, trial } = event
      const status = fieldsOf(query).find(([name]) => name === 'status')?.[1] ?? ''
      return step(
        'callback',
        <>
          “{status}” to {address}: {answer === '' ? state : `answered ${answer}`},{' '}
          {trial === undefined ? `attempt ${attempts}` : `a trial: ${trial}`}
          {nextAt !== undefined && trial === undefined && (
            <>
              , again at <span class="exact">{exactTime(nextAt)}</span>
            </>
          )}
        </>,
        trial === undefined && answer !== '200' ? 'bad' : '',
      )
    }
    case 'fault':
      return step('fault', [event.fault, event.what].filter((part) => part !== undefined).join(' '), 'open')
    case 'call':
      return step('client', `${event.operation}: ${event.verdict}`, event.verdict === 'accepted' ? '' : 'open')
    case 'intent':
      return step('journal', `${event.businessKey}, attempt ${event.attempt}: ${event.state}`)
    case 'callback-received':
      return step('shop', `the callback “${event.status}” was received: ${event.stored}`)
    case 'handler':
      return step('shop', `the handler of “${event.status}”: ${event.what}`, event.what === 'failed' ? 'bad' : '')
    default:
      return undefined
  }
}
