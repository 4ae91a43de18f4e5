import { useMemo, useState } from 'preact/hooks'
import { useLoaded, useWorkbench } from '../context.ts'
import { ActButton, CopyButton, Empty, Facts, OrderLink, Raw, Time } from '../parts.tsx'
import { type IntentNow, intentsOf, noticesOf, orphansOf } from '../timeline.ts'

/** What the journal of a shop has written, and what a person has to decide. */
export function JournalPage({ query }: { readonly query: URLSearchParams }) {
  const { feed } = useWorkbench()
  const intents = useMemo(() => intentsOf(feed.events), [feed.events])
  const orphans = useMemo(() => orphansOf(feed.events), [feed.events])
  const notices = useMemo(() => noticesOf(feed.events), [feed.events])
  const reviews = intents.filter(({ state }) => state === 'REVIEW')
  const areTaken = useAreTaken(reviews.length)
  if (areTaken === undefined) {
    return (
      <>
        <h1>Journal</h1>
        <p>Loading</p>
      </>
    )
  }
  if (intents.length + orphans.length + notices.length === 0) return <NotConnected />
  return (
    <>
      <h1>Journal</h1>
      <ToDecide intents={reviews} areTaken={areTaken} />
      <Orphans orphans={orphans} />
      <Intents intents={intents} chosen={query.get('state') ?? ''} />
      {notices.length > 0 && (
        <section aria-labelledby="notices">
          <h2 id="notices">What it reports</h2>
          <ol class="attempts">
            {notices.map(({ id, at, notice, intentIds }) => (
              <li key={id}>
                <Time at={at} /> <strong>{notice}</strong> {namesOf(intentIds, intents)}
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}

const CONNECT = `const recorder = sandboxRecorder({ address: 'http://127.0.0.1:9465/__sandbox', key })
const client = createPaymentClient({ recorder, ... })
const journal = createJournal({ client, recorder, decisionsFromWorkbench: true, ... })`

function NotConnected() {
  return (
    <>
      <h1>Journal</h1>
      <Empty>
        <p>No journal is connected, or it has written nothing yet.</p>
        <p>
          Give your shop's client and journal a recorder: in a test <code>gateway.recording</code>, in another process{' '}
          <code>sandboxRecorder</code> of the client with the operator key. With <code>decisionsFromWorkbench</code>{' '}
          what is in review can be decided here.
        </p>
        <Raw>{CONNECT}</Raw>
        <CopyButton text={CONNECT}>Copy</CopyButton>
      </Empty>
    </>
  )
}

function namesOf(intentIds: readonly string[], intents: readonly IntentNow[]): string {
  return intentIds.map((id) => intents.find(({ intentId }) => intentId === id)?.businessKey ?? id).join(', ')
}

/** Whether a journal takes decisions from here. `undefined`: that is not known yet. */
function useAreTaken(reviews: number): boolean | undefined {
  const { sandbox, feed } = useWorkbench()
  const load = () => sandbox.ask<{ readonly areTaken: boolean }>('GET', '/decisions')
  const { value, error } = useLoaded(load, [sandbox, reviews, feed.state])
  return error === undefined ? value?.areTaken : false
}

interface ToDecideProps {
  readonly intents: readonly IntentNow[]
  readonly areTaken: boolean
}

function ToDecide({ intents, areTaken }: ToDecideProps) {
  return (
    <section aria-labelledby="review">
      <h2 id="review">To decide</h2>
      {intents.length === 0 && <p>Nothing: no intent is in review.</p>}
      <ol class="cards">
        {intents.map((intent) => (
          <li key={`${intent.intentId} ${intent.intentVersion}`}>
            <InReview intent={intent} areTaken={areTaken} />
          </li>
        ))}
      </ol>
    </section>
  )
}

const REASONS: Readonly<Record<string, string>> = {
  AMOUNT_DIFFERS: 'the gateway shows another amount or currency than was asked for',
  ORDER_DIFFERS: 'the gateway names another order than before, or one without its id',
  CHANGED_OTHERWISE: 'the order changed, but not as this would change it',
  PART_UNCHANGED: 'the order is as it was before, and an equal change would look the same',
  NO_STATUS: 'the reply was lost, and there is no status to ask for',
  TOO_OLD: 'no outcome within thirty days',
}

const DECISIONS: Readonly<Record<string, string>> = {
  'take-status': 'what the status showed last is the outcome, although it differs',
  'nothing-charged': 'nothing was charged: the next attempt may be made',
  'ask-again': 'ask for the status again, from the start',
  reference: 'it is at the gateway, which shows this id for it',
}

function InReview({ intent, areTaken }: { readonly intent: IntentNow; readonly areTaken: boolean }) {
  const { intentId, businessKey, attempt, operation, clientOrderId, orderId, reviewReason = '', review } = intent
  const decisions = review?.decisions ?? []
  return (
    <>
      <h3>
        {businessKey}, attempt {attempt}: {operation}
      </h3>
      <Facts
        facts={[
          ['Why', REASONS[reviewReason] ?? reviewReason],
          ['Since', <Time at={intent.at} />],
          ['Order', orderId === undefined ? clientOrderId : <OrderLink orderId={orderId}>{clientOrderId}</OrderLink>],
          ['Intent', <code>{intentId}</code>],
        ]}
      />
      <h4>What was seen</h4>
      <ol class="attempts">
        {(review?.evidence ?? []).map(({ at, seen }, index) => (
          <li key={index}>
            <Time at={at} /> {seen}
          </li>
        ))}
      </ol>
      {areTaken ? (
        <Decide intent={intent} decisions={decisions} />
      ) : (
        <ByCommand intentId={intentId} decisions={decisions} />
      )}
    </>
  )
}

interface DecideProps {
  readonly intent: IntentNow
  readonly decisions: readonly string[]
}

function Decide({ intent: { intentId, intentVersion }, decisions }: DecideProps) {
  const { sandbox } = useWorkbench()
  const [decision, setDecision] = useState('')
  const [reference, setReference] = useState('')
  const [by, setBy] = useState('')
  const [because, setBecause] = useState('')
  const decide = async () => {
    if (decision === '' || by.trim() === '' || because.trim() === '')
      return 'Choose a decision, and say who decides and why.'
    const chosen = decision === 'reference' ? { reference } : decision
    await sandbox.ask('POST', '/decisions', { intentId, intentVersion, decision: chosen, by, because })
    return 'The journal has written it.'
  }
  return (
    <>
      <fieldset>
        <legend>Decide</legend>
        {decisions.map((one) => (
          <label key={one} class="choice">
            <input
              type="radio"
              name={`decision ${intentId}`}
              checked={decision === one}
              onChange={() => setDecision(one)}
            />
            <span>
              <strong>{one}</strong>: {DECISIONS[one]}
            </span>
          </label>
        ))}
      </fieldset>
      <div class="controls">
        {decision === 'reference' && (
          <label>
            Id at the gateway
            <input value={reference} onInput={(event) => setReference(event.currentTarget.value)} />
          </label>
        )}
        <label>
          Who decides
          <input value={by} maxLength={80} onInput={(event) => setBy(event.currentTarget.value)} />
        </label>
        <label class="wide">
          Why
          <input value={because} maxLength={300} onInput={(event) => setBecause(event.currentTarget.value)} />
        </label>
      </div>
      <ActButton act={decide}>Write the decision</ActButton>
    </>
  )
}

/** Where no journal takes decisions from here. */
function ByCommand({ intentId, decisions }: { readonly intentId: string; readonly decisions: readonly string[] }) {
  const commands = decisions.map((decision) => {
    const chosen = decision === 'reference' ? '--reference ID' : `--as ${decision}`
    return `npx tallystick-journal settle ${intentId} ${chosen} --by WHO --because WHY`
  })
  return (
    <>
      <p class="note">
        The journal takes no decisions from here. Decide with one of these, beside the shop's database; or give{' '}
        <code>createJournal</code> <code>decisionsFromWorkbench: true</code>.
      </p>
      <Raw>{commands.join('\n')}</Raw>
      <CopyButton text={commands.join('\n')}>Copy</CopyButton>
    </>
  )
}

/** Orders that callbacks have named and no intent has. */
function Orphans({ orphans }: { readonly orphans: ReturnType<typeof orphansOf> }) {
  if (orphans.length === 0) return null
  return (
    <section aria-labelledby="orphans">
      <h2 id="orphans">Orders without an intent</h2>
      <p>
        A callback came of an order that the journal did not make, such as a charge of a schedule or a payment of
        another process. The journal asks for its status and calls <code>onOrphan</code> with that; if nothing is to
        come of it, void or return it on the order's page.
      </p>
      <ol class="attempts">
        {orphans.map(({ orderId, clientOrderId, status, stored, at }) => (
          <li key={orderId}>
            <OrderLink orderId={orderId}>{clientOrderId}</OrderLink> “{status}” <Time at={at} />
            {stored === 'full' && <span class="bad"> turned away: there are too many of these</span>}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** More at once nobody reads. */
const MOST = 200

function Intents({ intents, chosen }: { readonly intents: readonly IntentNow[]; readonly chosen: string }) {
  const states = [...Map.groupBy(intents, ({ state }) => state)]
  const shown = intents.filter(({ state }) => chosen === '' || state === chosen)
  return (
    <section aria-labelledby="intents">
      <h2 id="intents">Intents</h2>
      <ul class="choices">
        {[['', intents] as const, ...states].map(([state, all]) => (
          <li key={state}>
            <a
              href={state === '' ? '#/journal' : `#/journal?state=${state}`}
              aria-current={state === chosen ? 'true' : undefined}
            >
              {state === '' ? 'all' : state} <span class="relative">{all.length}</span>
            </a>
          </li>
        ))}
      </ul>
      <ol class="rows">
        {shown.slice(0, MOST).map((intent) => (
          <li key={intent.intentId} class="row due">
            <Time at={intent.at} />
            <span>
              <span class="what">{intent.businessKey}</span>, attempt {intent.attempt}: {intent.operation}{' '}
              <span class={intent.orderId === undefined ? 'order' : ''}>
                {intent.orderId !== undefined && <OrderLink orderId={intent.orderId}>{intent.clientOrderId}</OrderLink>}
              </span>
            </span>
            <span class={toneOf(intent.state)}>
              {intent.state} {intent.status} <span class="relative">{intent.seen}</span>
              {intent.nextCheckAt !== undefined && (
                <>
                  {' '}
                  <span class="relative">the status is asked for</span> <Time at={intent.nextCheckAt} />
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function toneOf(state: string): string {
  if (state === 'FINAL') return 'good'
  return state === 'REVIEW' || state === 'REJECTED' ? 'bad' : 'open'
}
