import { useMemo, useState } from 'preact/hooks'
import { useWorkbench } from '../context.ts'
import { FindingsList } from '../order/findings-list.tsx'
import { Empty, Time } from '../parts.tsx'
import { type Kind, matches, type Row, rowsOf } from '../timeline.ts'

const KINDS: ReadonlyArray<readonly [value: Kind | 'failed' | '', title: string]> = [
  ['', 'Everything'],
  ['failed', 'What failed'],
  ['request', 'Requests'],
  ['page', "Customer's pages"],
  ['callback', 'Callbacks'],
  ['merchant', "The client's calls"],
]
/** More at once nobody reads. */
const MOST = 200

/** What comes in and goes out, as it happens. */
export function LivePage({ query }: { readonly query: URLSearchParams }) {
  const { feed } = useWorkbench()
  const [search, setSearch] = useState(query.get('q') ?? '')
  const [kind, setKind] = useState(query.get('kind') ?? '')
  const [paused, setPaused] = useState<typeof feed.events>()
  const events = paused ?? feed.events
  const rows = useMemo(() => rowsOf(events), [events])
  const found = rows.filter((row) => isOfKind(row, kind) && matches(row, search))
  // There may be as many as before, because the oldest are dropped.
  const news = (feed.events.at(-1)?.id ?? 0) - (events.at(-1)?.id ?? 0)

  // The address says what is searched for, so that it can be shared.
  const look = (nextSearch: string, nextKind: string) => {
    setSearch(nextSearch)
    setKind(nextKind)
    const asked = Object.entries({ q: nextSearch, kind: nextKind }).filter(([, value]) => value !== '')
    const text = new URLSearchParams(asked).toString()
    history.replaceState(undefined, '', `#/live${text === '' ? '' : `?${text}`}`)
  }

  return (
    <>
      <h1>Live</h1>
      <search class="controls">
        <label class="wide">
          Search
          <input
            type="search"
            value={search}
            placeholder="order, id, 444455 1111, amount, code, path"
            onInput={(event) => look(event.currentTarget.value, kind)}
          />
        </label>
        <label>
          Show
          <select value={kind} onChange={(event) => look(search, event.currentTarget.value)}>
            {KINDS.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          aria-pressed={paused !== undefined}
          onClick={() => setPaused(paused === undefined ? feed.events : undefined)}
        >
          Pause
        </button>
      </search>
      <p class="count" role="status">
        {countOf(found.length)}
        {paused !== undefined && `. Paused, ${news} new ${news === 1 ? 'event' : 'events'}`}
      </p>
      {search === '' && kind === '' && paused === undefined && <FindingsList most={3} />}
      {found.length > 0 && (
        <ol class="rows">
          {found.slice(0, MOST).map((row) => (
            <li key={row.id}>
              <Line row={row} />
            </li>
          ))}
        </ol>
      )}
      {rows.length === 0 && <NothingYet />}
      {rows.length > 0 && found.length === 0 && (
        <Empty>
          <p>
            Nothing has all of these words. Each may be a part of an order, an id, an amount, an error code or a path.
          </p>
          <button type="button" onClick={() => look('', '')}>
            Show everything
          </button>
        </Empty>
      )}
    </>
  )
}

function isOfKind(row: Row, kind: string): boolean {
  return kind === '' || (kind === 'failed' ? row.isBad : row.kind === kind)
}

function countOf(count: number): string {
  if (count > MOST) return `The latest ${MOST} of ${count}`
  return `${count} ${count === 1 ? 'line' : 'lines'}`
}

function NothingYet() {
  return (
    <Empty>
      <p>Nothing has come in yet.</p>
      <p>
        Pay with the <code>curl</code> line that the sandbox printed when it started, or{' '}
        <a href="#/set-up">set up your shop</a>. Each request shows here at once.
      </p>
    </Empty>
  )
}

const MARKS: Readonly<Record<Kind, string>> = {
  request: 'request',
  page: 'page',
  callback: 'callback',
  merchant: 'client',
}

function Line({ row }: { readonly row: Row }) {
  const { id, at, kind, what, order, orderId, amount, card, address, answer, isBad, milliseconds } = row
  const to = kind === 'request' ? `#/request/${id}` : orderId === undefined ? undefined : `#/order/${orderId}`
  const parts = (
    <>
      <Time at={at} />
      <span class="kind">{MARKS[kind]}</span>
      <span class="what">{what}</span>
      <span class="order">{order ?? orderId}</span>
      <span class="amount">{[amount, card, address].filter((part) => part !== undefined).join(' · ')}</span>
      <span class={isBad ? 'answer bad' : 'answer good'}>
        {answer}
        {milliseconds !== undefined && <span class="relative"> {milliseconds} ms</span>}
      </span>
    </>
  )
  if (to === undefined) return <div class="row">{parts}</div>
  return (
    <a class="row" href={to}>
      {parts}
    </a>
  )
}
