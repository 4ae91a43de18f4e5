import { useContext, useMemo, useState } from 'preact/hooks'
import { NowContext, useAgenda, useWorkbench } from '../context.ts'
import { Timeline } from '../order/timeline.tsx'
import { ActButton, Empty, OrderLink, Time } from '../parts.tsx'
import { journalChecksOf } from '../timeline.ts'
import { exactTime } from '../times.ts'

interface Due {
  readonly id: string
  readonly at: number
  readonly what: string
  readonly orderId?: string | undefined
  readonly order?: string | undefined
}

/** The time was advanced. */
interface Advance {
  /** The id of the last event before it. */
  readonly after: number
  /** What was due then. */
  readonly before: readonly Due[]
  readonly reached: number
}

/** What the gateway does by itself, by the kind of its task. */
const KINDS: Readonly<Record<string, string>> = {
  release: 'the hold ends, and what is left of it is released',
  lookup: 'the acquirer is asked for the outcome',
  abandon: "the customer's time on the pages is over",
  'expire-check': 'the checked payout can no longer be paid',
  charge: 'the next charge of the schedule',
}

/** The clock, what is due, and a way to get there. */
export function TimePage() {
  const { sandbox, feed } = useWorkbench()
  const now = useContext(NowContext)
  const [span, setSpan] = useState('1h')
  const [advanced, setAdvanced] = useState<Advance>()
  const due = useDue()
  const next = due.find(({ at }) => at > now)
  const advance = async (duration: string | number) => {
    const after = feed.events.at(-1)?.id ?? 0
    const reply = await sandbox.ask<{ readonly now: string }>('POST', '/clock/advance', { duration })
    const reached = Date.parse(reply.now)
    setAdvanced({ after, before: due, reached })
    return `It is ${exactTime(reached)} now. What fell due on the way is done.`
  }
  const toNext = async () =>
    next === undefined ? 'Nothing is due.' : await advance(Math.max(1, Math.ceil(next.at - now)))
  return (
    <>
      <h1>Time</h1>
      <p class="clock">
        <time dateTime={new Date(now).toISOString()}>{exactTime(now).slice(0, 19)}</time>{' '}
        <span class="relative">UTC{feed.isStill === true && ', stands still until it is advanced'}</span>
      </p>
      <p>The time of the gateway can be advanced: what falls due on the way is done in order.</p>
      <div class="controls">
        <label>
          By how much
          <input value={span} onInput={(event) => setSpan(event.currentTarget.value)} aria-describedby="spans" />
        </label>
        <ActButton act={() => advance(span)}>Advance</ActButton>
        <ActButton act={toNext}>Advance to what is due next</ActButton>
      </div>
      <p class="note" id="spans">
        Like <code>30s</code>, <code>15m</code>, <code>24h</code> or <code>14d</code>. It cannot be turned back.
      </p>
      {advanced !== undefined && <Ran advance={advanced} due={due} />}
      <h2>What is due</h2>
      {due.length === 0 ? (
        <Empty>
          <p>
            Nothing is due: no callback is to be sent again, no hold ends and no charge is scheduled. A callback that
            your shop does not acknowledge shows here with the time of its next attempt.
          </p>
        </Empty>
      ) : (
        <Entries due={due} />
      )}
    </>
  )
}

interface RanProps {
  readonly advance: Advance
  /** What is due now. */
  readonly due: readonly Due[]
}

/** What happened since the time was advanced last. */
function Ran({ advance: { after, before, reached }, due }: RanProps) {
  const { feed } = useWorkbench()
  const events = useMemo(
    () => feed.events.filter(({ id, type }) => id > after && type !== 'clock'),
    [feed.events, after],
  )
  const callbacks = due.filter(({ id, at }) => id.startsWith('callback ') && at > reached)
  const later = callbacks.filter(({ id }) => before.some((one) => one.id === id && one.at <= reached))
  return (
    <section aria-labelledby="ran">
      <h2 id="ran">What ran</h2>
      {events.length === 0 && <p>Nothing ran on the way.</p>}
      <Timeline events={events} ofAll />
      {later.length > 0 && (
        <>
          <p>
            Put off, and due again later: the host of a callback that was down is not called by each callback at once.
          </p>
          <Entries due={later} />
        </>
      )}
    </section>
  )
}

function Entries({ due }: { readonly due: readonly Due[] }) {
  return (
    <ol class="rows">
      {due.map(({ id, at, what, orderId, order }) => (
        <li key={id} class="row due">
          <Time at={at} />
          <span class="what">{what}</span>
          <span class="order">{orderId === undefined ? order : <OrderLink orderId={orderId}>{order}</OrderLink>}</span>
        </li>
      ))}
    </ol>
  )
}

/** What the gateway and a journal will do by themselves, the next first. */
function useDue(): readonly Due[] {
  const { feed } = useWorkbench()
  const agenda = useAgenda()
  return useMemo(() => {
    const tasks = agenda.map(({ id, kind, dueAt, tried, orderId, clientOrderId, address }): Due => {
      const again = tried === 0 ? '' : `, after ${tried} ${tried === 1 ? 'try' : 'tries'}`
      const what = address === undefined ? (KINDS[kind] ?? kind) : `callback to ${address}`
      return {
        id: `${kind} ${id}`,
        at: Date.parse(dueAt),
        what: what + again,
        orderId,
        order: clientOrderId ?? orderId,
      }
    })
    const checks = journalChecksOf(feed.events).map(({ intentId, at, orderId, clientOrderId }): Due => {
      return { id: intentId, at, what: "the shop's journal asks for the status", orderId, order: clientOrderId }
    })
    return [...tasks, ...checks].sort((one, other) => one.at - other.at)
  }, [agenda, feed.events])
}
