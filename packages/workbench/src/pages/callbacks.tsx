import { useMemo, useState } from 'preact/hooks'
import { type AgendaEntry, useAgenda, useWorkbench } from '../context.ts'
import { ActButton, Empty, OrderLink, Time } from '../parts.tsx'
import type { Sandbox } from '../sandbox.ts'
import { type Callback, callbackHostsOf, callbacksOf, judgeTrial, originOf, type Trial } from '../sent-callbacks.ts'

const STATES: Readonly<Record<Callback['state'], string>> = {
  open: 'not acknowledged yet',
  acknowledged: 'acknowledged',
  refused: 'refused: your shop answered 410, and is not called again',
  'given-up': 'given up',
}

const TRIALS: ReadonlyArray<readonly [trial: Trial, title: string, meaning: string]> = [
  ['forged', 'Forged', 'signed with another key'],
  [
    'shifted',
    'Shifted',
    'the last digit of the order id stands before your id: the control is valid, the order another',
  ],
  ['other-amount', 'With another amount', 'which no control covers'],
  ['twice', 'Twice', 'two at once'],
]

/** More at once nobody reads. */
const MOST = 100

/** How each host answers, and each callback with its attempts. */
export function CallbacksPage({ query }: { readonly query: URLSearchParams }) {
  const { feed } = useWorkbench()
  const [search, setSearch] = useState(query.get('q') ?? '')
  const host = query.get('host') ?? ''
  const callbacks = useMemo(() => callbacksOf(feed.events), [feed.events])
  const due = new Map(useAgenda().flatMap((entry) => (entry.kind === 'callback' ? [[entry.id, entry] as const] : [])))
  const unsent = [...due.values()].filter(({ id }) => !callbacks.some(({ callbackId }) => callbackId === id))
  const found = callbacks.filter(
    (callback) => isMeant(callback, search) && (host === '' || originOf(callback.address) === host),
  )
  const look = (next: string) => {
    setSearch(next)
    history.replaceState(undefined, '', placeOf({ host, q: next }))
  }
  if (callbacks.length + unsent.length === 0) return <NoneYet />
  return (
    <>
      <h1>Callbacks</h1>
      <Hosts chosen={host} search={search} />
      <Unsent unsent={unsent} />
      <search class="controls">
        <label class="wide">
          Order
          <input
            type="search"
            value={search}
            placeholder="your id of the order, or the gateway's"
            onInput={(event) => look(event.currentTarget.value)}
          />
        </label>
      </search>
      <p class="count" role="status">
        {found.length > MOST ? `The latest ${MOST} of ${found.length}` : `${found.length} of ${callbacks.length}`}
      </p>
      <ol class="cards">
        {found.slice(0, MOST).map((callback) => (
          <li key={callback.callbackId}>
            <Sent callback={callback} dueAt={due.get(callback.callbackId)?.dueAt} />
          </li>
        ))}
      </ol>
      {found.length === 0 && (
        <Empty>
          <p>No callback fits. Each search finds a part of an order's id.</p>
          <a href="#/callbacks">Show all callbacks</a>
        </Empty>
      )}
    </>
  )
}

function NoneYet() {
  return (
    <>
      <h1>Callbacks</h1>
      <Empty>
        <p>No callback was sent yet.</p>
        <p>
          The gateway sends one if a request has <code>server_callback_url</code>, or <code>notify_url</code> where the
          operation has that, and the order gets an outcome. In a sandbox it may lead to this machine:{' '}
          <code>http://127.0.0.1:3000/callback</code>.
        </p>
      </Empty>
    </>
  )
}

function isMeant({ orderId, clientOrderId = '' }: Callback, search: string): boolean {
  const text = search.trim().toLowerCase()
  return orderId.includes(text) || clientOrderId.toLowerCase().includes(text)
}

function placeOf(asked: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== '')).toString()
  return `#/callbacks${text === '' ? '' : `?${text}`}`
}

/** Each host that was called: its last answer, and since when it answers so. */
function Hosts({ chosen, search }: { readonly chosen: string; readonly search: string }) {
  const { feed } = useWorkbench()
  const hosts = useMemo(() => callbackHostsOf(feed.events), [feed.events])
  return (
    <ul class="hosts" aria-label="Hosts">
      {hosts.map(({ origin, answer, since, lastAt, inARow }) => (
        <li key={origin}>
          <a
            href={placeOf({ host: origin === chosen ? '' : origin, q: search })}
            aria-current={origin === chosen || undefined}
          >
            {origin}
          </a>{' '}
          <span class={answer === '200' ? 'good' : 'bad'}>
            answers <strong>{answer}</strong>
          </span>{' '}
          since <Time at={since} />, {inARow === 1 ? 'once' : `${inARow} times in a row`}
          {lastAt !== since && (
            <>
              , last <Time at={lastAt} />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Those whose host is down wait until it is called again. */
function Unsent({ unsent }: { readonly unsent: readonly AgendaEntry[] }) {
  if (unsent.length === 0) return null
  return (
    <section aria-labelledby="unsent">
      <h2 id="unsent">Not sent yet</h2>
      <p>A host that has failed is called by one callback at a time, and the others wait for that.</p>
      <ul class="attempts">
        {unsent.map(({ id, orderId = '', clientOrderId, address, dueAt }) => (
          <li key={id}>
            <OrderLink orderId={orderId}>{clientOrderId}</OrderLink> to <code>{address}</code>, due{' '}
            <Time at={Date.parse(dueAt)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface SentProps {
  readonly callback: Callback
  /** When it is sent again now: it may have been put off since its last attempt. */
  readonly dueAt: string | undefined
}

function Sent({ callback, dueAt }: SentProps) {
  const { sandbox } = useWorkbench()
  const { orderId, clientOrderId, status, transaction, address, state, nextAt, attempts, trials } = callback
  const name = clientOrderId ?? orderId
  const againAt = dueAt === undefined ? nextAt : Date.parse(dueAt)
  return (
    <>
      <h2>
        <OrderLink orderId={orderId}>{name}</OrderLink>
        {transaction !== undefined && ` ${transaction}`}
        {status !== undefined && ` “${status}”`}
      </h2>
      <p>
        <code>{address}</code>
      </p>
      <p class={state === 'acknowledged' ? 'good' : 'bad'}>
        {STATES[state]}
        {againAt !== undefined && (
          <>
            , sent again <Time at={againAt} />
          </>
        )}
      </p>
      {attempts.length > 0 && (
        <ol class="attempts">
          {attempts.map(({ at, answer }, index) => (
            <li key={index}>
              <Time at={at} /> <span class={answer === '200' ? 'good' : 'bad'}>{answer}</span>
              {adviceFor(answer)}
            </li>
          ))}
        </ol>
      )}
      <ActButton act={() => resend(orderId, sandbox)}>
        Send again<span class="hidden"> the callbacks of {name}</span>
      </ActButton>
      <details>
        <summary>
          Try your shop with a changed one<span class="hidden"> of {name}</span>
        </summary>
        <ul class="actions">
          {TRIALS.map(([trial, title, meaning]) => (
            <li key={trial}>
              <ActButton act={() => tryShop(callback, trial, sandbox)}>{title}</ActButton>
              <span class="relative">{meaning}</span>
            </li>
          ))}
        </ul>
      </details>
      {trials.length > 0 && (
        <ol class="attempts">
          {trials.map(({ at, trial, answer }, index) => {
            const { tone, text } = judgeTrial(trial, answer)
            return (
              <li key={index}>
                {trial} <Time at={at} /> <span class={tone}>{answer}</span>: {text}
              </li>
            )
          })}
        </ol>
      )}
    </>
  )
}

/** What to do about an answer that is no status, or that tells which wall it met. */
function adviceFor(answer: string): string {
  const [, advice = ''] = ADVICE.find(([codes]) => codes.test(answer)) ?? []
  return advice === '' ? '' : `: ${advice}`
}

const ADVICE: ReadonlyArray<readonly [answers: RegExp, advice: string]> = [
  [
    /^address not allowed/,
    'it leads to a network that callbacks may not reach; in a sandbox only this machine and public hosts',
  ],
  [/^ECONNREFUSED/, 'nothing listens at this address: is your shop running, and on this port?'],
  [/^(ENOTFOUND|ENODATA|ESERVFAIL)/, 'its name is not known'],
  [/^3\d\d$/, 'no redirect is followed: name the address itself'],
  [/^40[13]$/, 'your shop, or something before it, asks for a login or refuses the control'],
  [/^404$/, 'your shop has nothing at this path'],
  [/^405$/, 'a callback is a GET'],
  [/^5\d\d$/, 'your shop has failed: see its log'],
]

async function resend(orderId: string, sandbox: Sandbox): Promise<string> {
  const { callbacks } = await sandbox.ask<{ readonly callbacks: number }>('POST', '/callbacks/resend', { orderId })
  return `${callbacks} sent`
}

async function tryShop({ callbackId }: Callback, trial: Trial, sandbox: Sandbox): Promise<string> {
  const asked = { callbackId, as: trial }
  const { answers } = await sandbox.ask<{ readonly answers: readonly string[] }>('POST', '/callbacks/try', asked)
  return `answered ${answers.join(' and ')}`
}
