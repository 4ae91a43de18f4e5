import { useMemo, useState } from 'preact/hooks'
import { useLoaded, useWorkbench } from '../context.ts'
import { ActButton, CopyButton, Empty, Facts, OrderLink, Raw } from '../parts.tsx'
import type { Sandbox } from '../sandbox.ts'
import { type Draft, sendDraft } from '../signed-request.tsx'

/** What `GET /__sandbox/setup` answers. */
export interface SetUp {
  readonly baseUrl: string
  readonly merchants: ReadonlyArray<{ readonly login: string; readonly endpoints: readonly string[] }>
}

interface Requests {
  readonly faults: ReadonlyArray<{
    readonly fault: string
    readonly meaning: string
    readonly amountInMinorUnits: number
    readonly testCard: string
  }>
}

const CVVS = [
  ['123', 'approved'],
  ['116', 'declined: not sufficient funds'],
  ['101', 'declined: expired card'],
  ['321', 'asks the customer for 3-D Secure; the code is “hint”'],
  ['217', 'stays unknown'],
] as const

/** What to put into a shop, and what to pay with. */
export function SetUpPage() {
  const { sandbox } = useWorkbench()
  const load = async () => {
    return await Promise.all([sandbox.ask<SetUp>('GET', '/setup'), sandbox.ask<Requests>('GET', '')])
  }
  const { value: loaded, error } = useLoaded(load, [sandbox])
  if (loaded === undefined) {
    return (
      <>
        <h1>Set-up</h1>
        {error === undefined ? <p>Loading</p> : <Empty>{error}</Empty>}
      </>
    )
  }
  const [value, listed] = loaded
  return (
    <>
      <h1>Set-up</h1>
      <section aria-labelledby="shop">
        <h2 id="shop">Your shop</h2>
        {value.merchants.map(({ login, endpoints }) => (
          <Merchant key={login} baseUrl={value.baseUrl} login={login} endpoints={endpoints} />
        ))}
        <p>
          The control key is never shown here: it is copied once, and also printed when a sandbox without a
          configuration starts. A callback goes to the address that a request names; in a sandbox that may be one of
          this machine.
        </p>
      </section>
      <TestPayment endpointId={value.merchants[0]?.endpoints[0]} />
      <section aria-labelledby="cards">
        <h2 id="cards">Test cards</h2>
        <p>
          Any card number with a valid check digit does, such as the card below, until a date to come. Its CVV decides.
        </p>
        <Facts
          facts={[
            ['Card', <code>4444 5555 6666 1111</code>],
            ['Valid until', '12/2039'],
          ]}
        />
        <table>
          <caption>What a CVV does</caption>
          <thead>
            <tr>
              <th scope="col">CVV</th>
              <th scope="col">Payment</th>
            </tr>
          </thead>
          <tbody>
            {CVVS.map(([cvv, meaning]) => (
              <tr key={cvv}>
                <th scope="row">{cvv}</th>
                <td>{meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section aria-labelledby="faults">
        <h2 id="faults">What can go wrong</h2>
        <p>An order with one of these amounts, in the smallest unit of its currency, has the fault.</p>
        <table>
          <caption>Faults on demand</caption>
          <thead>
            <tr>
              <th scope="col">Fault</th>
              <th scope="col">What happens</th>
              <th scope="col" class="number">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {listed.faults.map(({ fault, meaning, amountInMinorUnits }) => (
              <tr key={fault}>
                <th scope="row">{fault}</th>
                <td>{meaning}</td>
                <td class="number">{amountInMinorUnits}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

function Merchant({ baseUrl, login, endpoints }: SetUp['merchants'][number] & Pick<SetUp, 'baseUrl'>) {
  const { sandbox } = useWorkbench()
  const [first = ''] = endpoints
  const lines = `TALLYSTICK_BASE_URL=${baseUrl}\nTALLYSTICK_LOGIN=${login}\nTALLYSTICK_ENDPOINT=${first}`
  return (
    <div class="merchant">
      <Facts
        facts={[
          ['Address', <code>{baseUrl}</code>],
          ['Login', <code>{login}</code>],
          [endpoints.length === 1 ? 'Endpoint' : 'Endpoints', <code>{endpoints.join(', ')}</code>],
        ]}
      />
      <Raw>{lines}</Raw>
      <CopyButton text={lines}>Copy</CopyButton>{' '}
      <ActButton act={() => copyKey(login, sandbox)}>
        Copy the control key, once<span class="hidden"> of {login}</span>
      </ActButton>
    </div>
  )
}

/** The page never has it longer than this takes. */
async function copyKey(login: string, sandbox: Sandbox): Promise<string> {
  if (navigator.clipboard === undefined)
    return 'This browser does not let the page copy: the key is in your configuration.'
  const { controlKey } = await sandbox.ask<{ readonly controlKey: string }>('POST', '/setup/key', { login })
  await navigator.clipboard.writeText(controlKey)
  return 'Copied. The sandbox does not say it again.'
}

/** Pays as the shop would, to see whether the gateway answers and the shop hears of it. */
function TestPayment({ endpointId }: { readonly endpointId: string | undefined }) {
  const { sandbox } = useWorkbench()
  const [address, setAddress] = useState('')
  const [orderId, setOrderId] = useState<string>()
  const pay = async () => {
    setOrderId(undefined)
    const sale = await sandbox.ask<Draft>('GET', '/operations/sale')
    const values = address.trim() === '' ? {} : { serverCallbackUrl: address.trim() }
    const sent = await sendDraft(sandbox, { draft: sale, endpointId, values })
    setOrderId(sent.orderId)
    return sent.orderId === undefined ? sent.said : ''
  }
  return (
    <section aria-labelledby="check">
      <h2 id="check">Check it</h2>
      <p>
        Pays 10.42 with the test card. With the address of your shop's callbacks it also shows how your shop answers.
      </p>
      <div class="controls">
        <label class="wide">
          Callback address, if you like
          <input
            type="url"
            value={address}
            placeholder="http://127.0.0.1:3000/callback"
            onInput={(event) => setAddress(event.currentTarget.value)}
          />
        </label>
        <ActButton act={pay}>Send a test payment</ActButton>
      </div>
      <div role="status">
        {orderId !== undefined && <Checks orderId={orderId} awaitsCallback={address.trim() !== ''} />}
      </div>
    </section>
  )
}

/** What became of the test payment so far. */
function Checks({ orderId, awaitsCallback }: { readonly orderId: string; readonly awaitsCallback: boolean }) {
  const { feed } = useWorkbench()
  const { status, answer } = useMemo(() => {
    const own = feed.events.filter((event) => 'orderId' in event && event.orderId === orderId)
    return {
      status: own.findLast((event) => event.type === 'state')?.status,
      answer: own.findLast((event) => event.type === 'callback')?.answer,
    }
  }, [feed.events, orderId])
  return (
    <ol class="attempts">
      <li>
        <span class="good">The gateway has taken it</span>: <OrderLink orderId={orderId} />
      </li>
      <li>
        <span class={status === 'approved' ? 'good' : 'open'}>
          {status === 'approved' ? 'The bank has approved it' : 'The bank has not answered yet'}
        </span>
      </li>
      {awaitsCallback && (
        <li>
          {answer === undefined ? (
            <span class="open">Your shop was not called yet</span>
          ) : (
            <span class={answer === '200' ? 'good' : 'bad'}>
              Your shop {answer === '200' ? 'has acknowledged the callback' : `answers the callback with ${answer}`}
            </span>
          )}
          : see <a href="#/callbacks">the callbacks</a>
        </li>
      )}
    </ol>
  )
}
