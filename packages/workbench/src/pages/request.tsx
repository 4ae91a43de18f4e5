import type { RecordedEvent } from '@tallystick/core'
import { useMemo } from 'preact/hooks'
import { type Loaded, useLoaded, useWorkbench } from '../context.ts'
import { curlOf } from '../curl.ts'
import { Diagnosis } from '../diagnosis.tsx'
import { CopyButton, Empty, Facts, OrderLink, Raw, Time } from '../parts.tsx'
import { type EventOf, field, fieldsOf } from '../recorded-fields.ts'
import { answerOf, type Exchange, exchangesOf } from '../timeline.ts'
import type { SetUp } from './set-up.tsx'
import { SendAgain, SignRight, useDraft } from './sign-right.tsx'

/** A request as it was sent, as it was signed, and as it was answered. */
export function RequestPage({ id }: { readonly id: number }) {
  const { exchange, error } = useExchange(id)
  const draft = useDraft(id)
  const { feed } = useWorkbench()
  if (exchange === undefined) {
    return (
      <>
        <p class="over">Request {id}</p>
        {feed.state === 'connecting' || (feed.events.length === 0 && error === undefined) ? (
          <h1>Loading</h1>
        ) : (
          <>
            <h1>Not in the recording</h1>
            <Empty>
              <p>{error ?? 'This request is not in the recording, or not any more: the oldest are dropped.'}</p>
              <p>
                Look for it among <a href="#/live">the latest</a>.
              </p>
            </Empty>
          </>
        )}
      </>
    )
  }
  const { request, reply } = exchange
  return (
    <>
      <p class="over">Request {id}</p>
      <h1>{reply?.operation ?? `${request.method} ${request.path}`}</h1>
      <Facts
        facts={[
          ['Time', <Time at={request.at} />],
          ['Answer', reply === undefined ? 'none yet' : <span class={toneOf(reply)}>{answerOf(reply)}</span>],
          ['Order', orderOf(exchange)],
          ['Merchant', reply?.login],
          ['Endpoint', reply?.endpointId],
          ['Verified by', reply?.verifiedBy],
          ['Fault', reply?.fault],
          ['Took', reply && `${reply.milliseconds} ms`],
          ['Serial number', reply?.serialNumber],
        ]}
      />
      {reply?.refusal !== undefined && <WhyRefused refusal={reply.refusal} exchange={exchange} />}
      {/* What comes later moves nothing: all below waits for it. */}
      {(draft.value !== undefined || draft.error !== undefined) && (
        <>
          {feed.state !== 'recorded' && (
            <SignRight draft={draft} isRefused={reply?.refusal !== undefined && reply.verifiedBy === undefined} />
          )}
          <Sent request={request} />
          <Answered reply={reply} />
          <SendAgain key={id} draft={draft} />
        </>
      )}
    </>
  )
}

/** From what the page has, or else from the recording. */
function useExchange(id: number): { readonly exchange?: Exchange | undefined; readonly error?: string | undefined } {
  const { sandbox, feed } = useWorkbench()
  const known = useMemo(() => exchangesOf(feed.events).find(({ request }) => request.id === id), [feed.events, id])
  const isOlder = known === undefined && feed.state === 'live' && id < (feed.events[0]?.id ?? 0)
  const { value, error }: Loaded<Exchange | undefined> = useLoaded(
    async (signal) => {
      if (!isOlder) return undefined
      const events = []
      for await (const event of sandbox.events(`/recording?after=${id - 1}`, { signal })) {
        events.push(event)
        if (event.type === 'reply' && event.request === id) break
      }
      return exchangesOf(events).find(({ request }) => request.id === id)
    },
    [sandbox, id, isOlder],
  )
  return { exchange: known ?? value, error }
}

function toneOf({ refusal, httpStatus }: EventOf<'reply'>): string {
  return refusal !== undefined || httpStatus === 0 || httpStatus >= 400 ? 'bad' : 'good'
}

/** By what was answered, or by what a request that was refused says. */
function orderOf({ request, reply }: Exchange) {
  const orderId = reply?.orderId ?? field(request.form, 'orderid')
  if (orderId === undefined || !/^\d{1,20}$/.test(orderId)) return reply?.clientOrderId
  return (
    <>
      {reply?.clientOrderId} <OrderLink orderId={orderId} />
    </>
  )
}

interface WhyRefusedProps {
  readonly refusal: NonNullable<EventOf<'reply'>['refusal']>
  readonly exchange: Exchange
}

function WhyRefused({ refusal: { reason, errorCode, doctor }, exchange: { request, reply } }: WhyRefusedProps) {
  const { feed } = useWorkbench()
  // A reason names the fields that are wrong as they are spelled in the form.
  const named = fieldsOf(request.form).filter(([name]) => name !== 'control' && reason.includes(`(${name})`))
  const isKey = doctor !== undefined && doctor.cause === undefined && isEachRefused(feed.events, reply?.login)
  return (
    <section class="why" aria-labelledby="why">
      <h2 id="why">Why it was refused</h2>
      <p>
        {reason}
        {errorCode !== undefined && ` (error ${errorCode})`}
      </p>
      {named.length > 0 && <Facts facts={named.map(([name, value]) => [name, <code>{value}</code>])} />}
      {doctor !== undefined && <Diagnosis {...doctor} />}
      {isKey && (
        <p>
          Every signed request of this merchant was refused so far, whatever it asked for:{' '}
          <strong>it is the key</strong>. The one that the gateway has is under <a href="#/set-up">Set-up</a>.
        </p>
      )}
    </section>
  )
}

/** Two operations are signed by different texts, and with the same key. */
function isEachRefused(events: readonly RecordedEvent[], login: string | undefined): boolean {
  const signed = events.filter((event) => event.type === 'reply' && event.login === login)
  const refused = signed.filter((event) => event.type === 'reply' && event.refusal?.doctor?.advice !== undefined)
  const operations = new Set(refused.map((event) => (event.type === 'reply' ? event.operation : undefined)))
  return operations.size > 1 && !signed.some((event) => event.type === 'reply' && event.verifiedBy !== undefined)
}

function Sent({ request }: { readonly request: EventOf<'request'> }) {
  const { method, path, peer, headers, form, bytes } = request
  const { sandbox } = useWorkbench()
  const { value } = useLoaded(() => sandbox.ask<SetUp>('GET', '/setup'), [sandbox])
  const origin = value === undefined ? location.origin : new URL(value.baseUrl).origin
  const command = curlOf(request, origin)
  return (
    <section aria-labelledby="sent">
      <h2 id="sent">As sent</h2>
      <Facts
        facts={[
          ['To', <code>{`${method} ${path}`}</code>],
          ['From', peer],
          ...Object.entries(headers).map(([name, text]) => [name, <code>{text}</code>] as const),
          ['Body', `${bytes} bytes`],
        ]}
      />
      {form === undefined ? (
        <p>The body is no form, so it is not recorded: nobody can tell what is a card number in it.</p>
      ) : (
        <>
          <Pairs title="Fields of the form" pairs={fieldsOf(form)} />
          <h3>To the letter</h3>
          <Raw>{form}</Raw>
        </>
      )}
      <h3>As curl</h3>
      <p class="note">What is masked has to be put in, and then the request signed again.</p>
      <Raw>{command}</Raw>
      <CopyButton text={command}>Copy as curl</CopyButton>
    </section>
  )
}

function Answered({ reply }: { readonly reply: EventOf<'reply'> | undefined }) {
  if (reply === undefined) return null
  const { httpStatus, values } = reply
  return (
    <section aria-labelledby="answered">
      <h2 id="answered">As answered</h2>
      <Facts facts={[['HTTP status', httpStatus === 0 ? 'none: a fault has lost the reply' : httpStatus]]} />
      {Object.keys(values).length > 0 && <Pairs title="Fields of the answer" pairs={Object.entries(values)} />}
    </section>
  )
}

interface PairsProps {
  readonly title: string
  readonly pairs: ReadonlyArray<readonly [name: string, value: string]>
}

function Pairs({ title, pairs }: PairsProps) {
  return (
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {pairs.map(([name, value], index) => (
          <tr key={`${index} ${name}`}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
