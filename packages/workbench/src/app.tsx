import type { RecordedEvent } from '@tallystick/core'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { NowContext, WorkbenchContext } from './context.ts'
import { CopyPlace, type OpenFile, RecordingBar } from './export.tsx'
import { EMPTY_FEED, type Feed, follow, recordedFeed } from './feed.ts'
import { CallbacksPage } from './pages/callbacks.tsx'
import { ErrorsPage } from './pages/errors.tsx'
import { ExplorerPage } from './pages/explorer.tsx'
import { FaultsPage } from './pages/faults.tsx'
import { JournalPage } from './pages/journal.tsx'
import { LivePage } from './pages/live.tsx'
import { OrderPage } from './pages/order.tsx'
import { RequestPage } from './pages/request.tsx'
import { SetUpPage } from './pages/set-up.tsx'
import { TimePage } from './pages/time.tsx'
import { recordedSandbox } from './recorded-sandbox.ts'
import { sandboxWith } from './sandbox.ts'

/** Where the page is: `#/order/123?q=x` is the page `order` with the subject `123` and the search `x`. */
interface Place {
  readonly page: string
  readonly subject: string
  readonly query: URLSearchParams
}

function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [page = '', subject = ''] = path.split('/')
  return { page: page || 'live', subject: decodeURIComponent(subject), query: new URLSearchParams(query) }
}

const PAGES = [
  ['live', 'Live'],
  ['errors', 'Errors'],
  ['callbacks', 'Callbacks'],
  ['journal', 'Journal'],
  ['faults', 'Faults'],
  ['time', 'Time'],
  ['explorer', 'Explorer'],
  ['set-up', 'Set-up'],
] as const

/** What a recording shows. The others are about a sandbox that runs. */
const OF_RECORDING: ReadonlySet<string> = new Set(['live', 'errors', 'callbacks', 'journal'])

interface AppProps {
  readonly firstKey: string
  /** The events of a file, in place of a sandbox. */
  readonly recorded?: readonly RecordedEvent[] | undefined
}

export function App({ firstKey, recorded }: AppProps) {
  const [key, setKey] = useState(firstKey)
  const [file, setFile] = useState<OpenFile | undefined>(recorded && { events: recorded })
  const [live, setLive] = useState(() => sandboxWith(firstKey))
  const [liveFeed, setFeed] = useState<Feed>(EMPTY_FEED)
  const [place, setPlace] = useState(() => placeOf(location.hash))
  const main = useRef<HTMLElement>(null)

  useEffect(() => {
    const move = () => {
      setPlace(placeOf(location.hash))
      // So that a reader hears of the page, and the next tab goes on in it.
      main.current?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
    addEventListener('hashchange', move)
    return () => removeEventListener('hashchange', move)
  }, [])

  useEffect(() => {
    const ended = new AbortController()
    if (recorded === undefined) void follow(live, setFeed, ended.signal)
    return () => ended.abort()
  }, [live, recorded])

  const { sandbox, feed } = useMemo(() => {
    if (file === undefined) return { sandbox: live, feed: liveFeed }
    return { sandbox: recordedSandbox(file.events), feed: recordedFeed(file.events, Date.now()) }
  }, [file, live, file === undefined && liveFeed])

  const useKey = (given: string) => {
    setKey(given)
    setFeed(EMPTY_FEED)
    setLive(sandboxWith(given))
  }
  const pages = file === undefined ? PAGES : PAGES.filter(([page]) => OF_RECORDING.has(page))

  return (
    <WorkbenchContext.Provider value={{ sandbox, feed }}>
      <Clock aheadMs={feed.aheadMs} standsAt={feed.standsAt}>
        <header>
          <p class="brand">
            Tallystick <span>workbench</span>
          </p>
          <nav aria-label="Pages">
            <ul>
              {pages.map(([page, title]) => (
                <li key={page}>
                  <a href={`#/${page}`} aria-current={place.page === page ? 'page' : undefined}>
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <p class={`connection ${feed.state}`} role="status">
            {CONNECTION[feed.state]}
          </p>
        </header>
        <main ref={main} tabIndex={-1}>
          {feed.state === 'refused' ? (
            <KeyPage reason={feed.reason} hadKey={key !== ''} use={useKey} />
          ) : (
            <Shown place={place} />
          )}
        </main>
        <footer>
          <CopyPlace />
          {recorded === undefined && <RecordingBar file={file} open={setFile} />}
        </footer>
      </Clock>
    </WorkbenchContext.Provider>
  )
}

const CONNECTION: Readonly<Record<Feed['state'], string>> = {
  connecting: 'Connecting',
  live: 'Connected',
  lost: 'Connection lost, trying again',
  refused: 'Refused',
  recorded: 'A recording',
}

/** Tells the time of the gateway to what shows one. */
function Clock({
  aheadMs,
  standsAt,
  children,
}: Pick<Feed, 'aheadMs' | 'standsAt'> & { readonly children: preact.ComponentChildren }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(ticking)
  }, [])
  return <NowContext.Provider value={standsAt ?? now + aheadMs}>{children}</NowContext.Provider>
}

function Shown({ place: { page, subject, query } }: { readonly place: Place }) {
  switch (page) {
    case 'live':
      return <LivePage query={query} />
    case 'request':
      return <RequestPage key={subject} id={Number(subject)} />
    case 'order':
      return <OrderPage key={subject} orderId={subject} />
    case 'callbacks':
      return <CallbacksPage key={query.get('host')} query={query} />
    case 'journal':
      return <JournalPage query={query} />
    case 'errors':
      return <ErrorsPage />
    case 'faults':
      return <FaultsPage query={query} />
    case 'explorer':
      return <ExplorerPage operation={subject} query={query} />
    case 'time':
      return <TimePage />
    case 'set-up':
      return <SetUpPage />
    default:
      return (
        <>
          <h1>There is no page “{page}”</h1>
          <p>
            Go to <a href="#/live">what happens now</a>.
          </p>
        </>
      )
  }
}

interface KeyPageProps {
  readonly reason: string
  readonly hadKey: boolean
  readonly use: (key: string) => void
}

/** After a reload: the key was in memory alone. */
function KeyPage({ reason, hadKey, use }: KeyPageProps) {
  return (
    <>
      <h1>The operator key is needed</h1>
      <p>
        Open the address that the sandbox printed when it started, or paste its <code>TALLYSTICK_OPERATOR_KEY</code>.
        The key stays in this page, so a reload asks for it again.
      </p>
      {hadKey && <p class="notice bad">The sandbox says: {reason}</p>}
      <form
        class="controls"
        onSubmit={(event) => {
          event.preventDefault()
          const given = new FormData(event.currentTarget).get('key')
          if (typeof given === 'string') use(given.trim())
        }}
      >
        <label>
          Operator key
          <input name="key" type="password" autocomplete="off" required />
        </label>
        <button type="submit">Open</button>
      </form>
    </>
  )
}
