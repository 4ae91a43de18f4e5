import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useWorkbench } from '../context.ts'
import { ActButton } from '../parts.tsx'
import type { Sandbox } from '../sandbox.ts'
import { signedRequest } from '../signed-request.tsx'
import type { Order, OrderAdvice } from './order.ts'

interface Doing {
  readonly button: string
  /** @param amount in major units, if a part may be named */
  readonly act: (order: Order, amount: string | undefined, sandbox: Sandbox) => Promise<ComponentChildren>
}

/** What the sandbox does in place of the shop, by action. What is not here happens by itself. */
const DOINGS: Readonly<Record<string, Doing>> = {
  capture: { button: 'Capture', act: (order, amount, sandbox) => ask('capture', order, sandbox, amount) },
  void: { button: 'Void', act: (order, _, sandbox) => ask('void', order, sandbox) },
  return: { button: 'Return', act: (order, amount, sandbox) => ask('return', order, sandbox, amount) },
  pay: { button: 'Pay out', act: (order, _, sandbox) => ask('payoutPay', order, sandbox) },
  'store-card': { button: 'Store the card', act: (order, _, sandbox) => ask('createCardRef', order, sandbox) },
  chargeback: {
    button: 'Charge back, as the issuer',
    act: async ({ orderId }, amount, sandbox) => {
      await sandbox.ask('POST', `/orders/${orderId}/chargeback`, amount === undefined ? {} : { amount })
      return 'The issuer has taken it back.'
    },
  },
}

/** What may be done with the order now, with a button that does it, and of the rest why not. */
export function Actions({ order }: { readonly order: Order }) {
  const { sandbox } = useWorkbench()
  // A recording in a file has no sandbox that could do it.
  if (order.actions.length === 0) return null
  const possible = order.actions.filter(({ allowed }) => allowed)
  const refused = order.actions.filter(({ allowed }) => !allowed)
  return (
    <section aria-labelledby="actions">
      <h2 id="actions">What may be done now</h2>
      <ul class="actions">
        <li>
          <span class="what">status</span>
          <ActButton act={() => ask('status', order, sandbox)}>Ask for the status</ActButton>
        </li>
        {possible.map((advice) => (
          <Possible key={`${advice.action} ${advice.upTo}`} advice={advice} order={order} />
        ))}
        {refused.map(({ action, reason, rule }) => (
          <li key={action}>
            <span class="what">{action}</span>
            <span class="relative">
              no: {reason} (rule {rule})
            </span>
          </li>
        ))}
      </ul>
      <p class="note">The sandbox signs these requests with the keys of {order.login}, as the shop would.</p>
    </section>
  )
}

function Possible({ advice, order }: { readonly advice: OrderAdvice; readonly order: Order }) {
  const { action, kind, upTo, partial = false } = advice
  const { sandbox } = useWorkbench()
  const [amount, setAmount] = useState(upTo ?? '')
  const doing = DOINGS[action]
  const sum = upTo === undefined ? '' : ` of ${partial ? 'up to ' : ''}${upTo} ${order.currency}`
  return (
    <li>
      <span class="what">{action}</span>
      {doing === undefined ? (
        <span class="relative">
          the gateway does it by itself: see <a href="#/time">what is due</a>
        </span>
      ) : (
        <div class="doing">
          {partial && (
            <label>
              Amount
              <input inputMode="decimal" value={amount} onInput={(event) => setAmount(event.currentTarget.value)} />
            </label>
          )}
          <ActButton act={() => doing.act(order, partial && amount !== upTo ? amount : undefined, sandbox)}>
            {doing.button}
          </ActButton>
          <span class="relative">
            {kind}
            {sum}
          </span>
        </div>
      )}
    </li>
  )
}

/** Without an amount it is for all that is left. */
async function ask(operation: string, order: Order, sandbox: Sandbox, amount?: string) {
  const { orderId, clientOrderId, login, endpointId, currency } = order
  const money = amount === undefined ? {} : { amount, currency }
  return await signedRequest(sandbox, { operation, endpointId, values: { login, clientOrderId, orderId, ...money } })
}
