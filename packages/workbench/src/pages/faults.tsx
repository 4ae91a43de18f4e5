import { useState } from 'preact/hooks'
import { messageOf, useLoaded, useWorkbench } from '../context.ts'
import { ActButton, Empty } from '../parts.tsx'

/** What the page has of `GET /__sandbox/faults`. */
interface FaultList {
  readonly seed?: number
  readonly draw?: { readonly seed: number; readonly only: readonly string[]; readonly probability: number }
  readonly next: ReadonlyArray<{ readonly operation: string; readonly fault: string }>
  readonly orders: ReadonlyArray<{ readonly clientOrderId: string; readonly fault: string }>
  readonly struck: ReadonlyArray<{ readonly clientOrderId?: string; readonly fault: string }>
}

/** What the page has of `GET /__sandbox`. */
interface Fault {
  readonly fault: string
  readonly acts: string
  readonly meaning: string
  readonly amountInMinorUnits: number
  readonly testCard: string
}

const PLACES: Readonly<Record<string, string>> = {
  reply: 'the reply',
  outcome: 'the outcome',
  callback: 'callbacks',
  issuer: 'the issuer, later',
  page: "the customer's pages",
}

/** More at once nobody reads. */
const MOST = 50

/** What can go wrong on demand: asked for here, and what came of it. */
export function FaultsPage({ query }: { readonly query: URLSearchParams }) {
  const { sandbox, feed } = useWorkbench()
  const [asked, setAsked] = useState(0)
  const latest = feed.events.findLast(({ type }) => type === 'fault')?.id
  const { value: all, error } = useLoaded(async () => {
    const { faults } = await sandbox.ask<{ readonly faults: readonly Fault[] }>('GET', '')
    return { faults, operations: await operationsOf() }
  }, [sandbox])
  const { value: list } = useLoaded(() => sandbox.ask<FaultList>('GET', '/faults'), [sandbox, latest, asked])
  if (all === undefined || list === undefined) {
    return (
      <>
        <h1>Faults</h1>
        {error === undefined ? <p>Loading</p> : <Empty>{error}</Empty>}
      </>
    )
  }
  const tell = async (path: string, body: object) => {
    await sandbox.ask('POST', path, body)
    setAsked((count) => count + 1)
  }
  return (
    <>
      <h1>Faults</h1>
      <p>What goes wrong at a gateway once in a thousand times goes wrong here when you ask for it.</p>
      <Ask {...all} chosen={query.get('fault') ?? ''} order={query.get('order') ?? ''} tell={tell} />
      <section aria-labelledby="asked">
        <h2 id="asked">Asked for</h2>
        <AskedFor list={list} />
        <ActButton
          act={async () => {
            await tell('/faults/clear', {})
            return 'Forgotten: what was asked for, what struck, and the share of all orders.'
          }}
        >
          Forget them all
        </ActButton>
      </section>
      <section aria-labelledby="struck">
        <h2 id="struck">Struck</h2>
        <Struck list={list} />
      </section>
      <section aria-labelledby="all">
        <h2 id="all">All faults</h2>
        <p>
          Without this page, an order has a fault by its amount, in the smallest unit of its currency, or by its card.
        </p>
        <ol class="cards">
          {all.faults.map(({ fault, acts, meaning, amountInMinorUnits, testCard }) => (
            <li key={fault}>
              <h3>
                <a href={`#/faults?fault=${fault}`}>{fault}</a>
              </h3>
              <p>{meaning}</p>
              <p class="note">
                Acts on {PLACES[acts] ?? acts}. Amount <code>{amountInMinorUnits}</code>, card{' '}
                <code>{testCard.replace(/(?<=^(?:\d{4})+)/g, ' ').trim()}</code>
              </p>
            </li>
          ))}
        </ol>
      </section>
    </>
  )

  async function operationsOf(): Promise<readonly string[]> {
    const { operations } = await sandbox.ask<{ readonly operations: ReadonlyArray<{ readonly key: string }> }>(
      'GET',
      '/operations',
    )
    return operations.map(({ key }) => key)
  }
}

interface AskProps {
  readonly faults: readonly Fault[]
  readonly operations: readonly string[]
  readonly chosen: string
  readonly order: string
  readonly tell: (path: string, body: object) => Promise<void>
}

const TARGETS = [
  ['next', 'the next request of an operation'],
  ['order', 'one order'],
  ['all', 'a share of all orders'],
] as const

function Ask({ faults, operations, chosen, order, tell }: AskProps) {
  const names = faults.map(({ fault }) => fault)
  const [target, setTarget] = useState(order === '' ? 'next' : 'order')
  const [said, setSaid] = useState('')

  const ask = async (form: FormData) => {
    const text = (name: string) => {
      const given = form.get(name)
      return typeof given === 'string' ? given.trim() : ''
    }
    const fault = text('fault')
    if (target === 'next') {
      await tell('/faults', { fault, operation: text('operation') })
      return `The next ${text('operation')} has ${fault}.`
    }
    if (target === 'order') {
      await tell('/faults', { fault, clientOrderId: text('order') })
      return `${text('order')} has ${fault}.`
    }
    const probability = Number(text('percent')) / 100
    const seed = text('seed') === '' ? {} : { seed: Number(text('seed')) }
    await tell('/faults/all', { probability, ...seed, ...(fault === '' ? {} : { only: [fault] }) })
    return probability === 0 ? 'No order draws a fault any more.' : `${text('percent')} % of all orders draw a fault.`
  }

  return (
    <form
      class="controls"
      onSubmit={(event) => {
        event.preventDefault()
        ask(new FormData(event.currentTarget)).then(setSaid, (error: unknown) => setSaid(messageOf(error)))
      }}
    >
      <label>
        Fault
        {/* Another default is another field: what was chosen in the last must not stay. */}
        <select name="fault" key={`${chosen} ${target}`}>
          {target === 'all' && <option value="">any of them</option>}
          {names.map((name) => (
            <option key={name} value={name} selected={name === chosen}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        For
        <select value={target} onChange={(event) => setTarget(event.currentTarget.value)}>
          {TARGETS.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {target === 'next' && (
        <label>
          Operation
          <select name="operation">
            {operations.map((key) => (
              <option key={key} value={key} selected={key === 'sale'}>
                {key}
              </option>
            ))}
          </select>
        </label>
      )}
      {target === 'order' && (
        <label>
          Order, by the shop's id
          <input name="order" defaultValue={order} required autocomplete="off" />
        </label>
      )}
      {target === 'all' && (
        <>
          <label>
            Share in percent
            <input name="percent" type="number" min="0" max="100" step="any" defaultValue="20" required />
          </label>
          <label>
            Seed
            <input name="seed" type="number" min="0" step="1" placeholder="a random one" />
          </label>
        </>
      )}
      <button type="submit">Ask for it</button>
      <span role="status" class="said">
        {said}
      </span>
    </form>
  )
}

function AskedFor({ list: { draw, next, orders } }: { readonly list: FaultList }) {
  if (draw === undefined && next.length === 0 && orders.length === 0) {
    return (
      <Empty>
        <p>Nothing is asked for. Choose a fault above, then pay: what struck shows below.</p>
      </Empty>
    )
  }
  return (
    <ul>
      {draw !== undefined && (
        <li key="draw">
          {/* The seed is what repeats it. */}
          {Math.round(draw.probability * 10_000) / 100} % of all orders draw{' '}
          {draw.only.length > 3 ? `one of ${draw.only.length} faults` : draw.only.join(' or ')}, by the seed{' '}
          <code>{draw.seed}</code>: the same seed gives the same faults to the same orders.
        </li>
      )}
      {next.map(({ operation, fault }, index) => (
        <li key={`${index} next`}>
          The next <code>{operation}</code> has <strong>{fault}</strong>.
        </li>
      ))}
      {orders.map(({ clientOrderId, fault }, index) => (
        <li key={`${index} order`}>
          <a href={`#/live?q=${encodeURIComponent(clientOrderId)}`}>{clientOrderId}</a> has <strong>{fault}</strong>.
        </li>
      ))}
    </ul>
  )
}

function Struck({ list: { struck } }: { readonly list: FaultList }) {
  if (struck.length === 0) {
    return (
      <Empty>
        <p>
          No fault has struck a reply or an outcome yet. What happens to a callback shows among the{' '}
          <a href="#/callbacks">callbacks</a>.
        </p>
      </Empty>
    )
  }
  return (
    <>
      {struck.length > MOST && (
        <p class="note">
          The latest {MOST} of {struck.length}.
        </p>
      )}
      <ul>
        {struck
          .slice(-MOST)
          .reverse()
          .map(({ clientOrderId, fault }, index) => (
            <li key={struck.length - index}>
              <strong>{fault}</strong>
              {clientOrderId !== undefined && (
                <>
                  : <a href={`#/live?q=${encodeURIComponent(clientOrderId)}`}>{clientOrderId}</a>
                </>
              )}
            </li>
          ))}
      </ul>
    </>
  )
}
