import type { RecordedEvent } from '@tallystick/core'
import { useMemo } from 'preact/hooks'
import { useLoaded, useWorkbench } from '../context.ts'
import { CopyTest, SaveButton } from '../export.tsx'
import { Actions } from '../order/actions.tsx'
import { type Hint, hintsOf } from '../order/hints.ts'
import { Money } from '../order/money.tsx'
import type { Order } from '../order/order.ts'
import { States } from '../order/states.tsx'
import { Timeline } from '../order/timeline.tsx'
import { ActButton, Empty, Facts, Time } from '../parts.tsx'
import { isAbout, toneOf } from '../timeline.ts'

/** All that happened to one order, of both sides, in one line of time. */
export function OrderPage({ orderId }: { readonly orderId: string }) {
  const { sandbox, feed } = useWorkbench()
  // Loads again when something about the order comes in.
  const latest = useMemo(() => feed.events.findLast((event) => isAbout(event, orderId))?.id, [feed.events, orderId])
  const { value, error } = useLoaded(
    async (signal) => {
      const events: RecordedEvent[] = []
      const asked = encodeURIComponent(orderId)
      for await (const event of sandbox.events(`/recording?orderId=${asked}`, { signal })) events.push(event)
      return { events, order: await sandbox.ask<Order>('GET', `/orders/${asked}`) }
    },
    [sandbox, orderId, latest],
  )
  if (value === undefined) {
    return (
      <>
        <p class="over">Order {orderId}</p>
        <h1>{error === undefined ? 'Loading' : 'Order'}</h1>
        {error !== undefined && (
          <Empty>
            <p>{error}</p>
            <p>
              Look for the order among <a href="#/live">the latest</a>: after a reset, or a restart without a store, it
              is gone.
            </p>
          </Empty>
        )}
      </>
    )
  }
  const { order, events } = value
  const callbacks = order.callbacks.flatMap(({ id, dueAt }) =>
    dueAt === undefined ? [] : [{ id, dueAt, kind: 'callback' }],
  )
  const due = [...order.tasks, ...callbacks]
  return (
    <>
      <p class="over">Order {orderId}</p>
      <h1>{order.clientOrderId}</h1>
      <Summary order={order} />
      <Hints hints={hintsOf(order, events, feed.events)} />
      <div class="controls">
        <CopyTest orderId={orderId} />
        <SaveButton orderId={orderId} />
      </div>
      <Actions order={order} />
      <section aria-labelledby="timeline">
        <h2 id="timeline">What happened</h2>
        <Timeline events={events} />
      </section>
      <States order={order} events={events} />
      <Money order={order} />
      <section aria-labelledby="due">
        <h2 id="due">What is due</h2>
        {due.length === 0 ? (
          <p>Nothing.</p>
        ) : (
          <ul>
            {due.map(({ id, kind, dueAt }) => (
              <li key={id}>
                {kind}: <Time at={Date.parse(dueAt)} />
              </li>
            ))}
          </ul>
        )}
        {order.callbacks.length > 0 && <ActButton act={() => resend(orderId)}>Send its callbacks again</ActButton>}
      </section>
    </>
  )

  async function resend(id: string): Promise<string> {
    const { callbacks } = await sandbox.ask<{ readonly callbacks: number }>('POST', '/callbacks/resend', {
      orderId: id,
    })
    return `${callbacks} sent`
  }
}

function Hints({ hints }: { readonly hints: readonly Hint[] }) {
  if (hints.length === 0) return null
  return (
    <section class="why" aria-labelledby="hints">
      <h2 id="hints">What stands out</h2>
      <ul>
        {hints.map(({ tone, text, link }) => (
          <li key={text}>
            <span class={tone}>{text}</span>
            {link !== undefined && (
              <>
                {' '}
                <a href={link}>See it</a>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Summary({ order }: { readonly order: Order }) {
  const { status, transactionType, orderStage, amount, initialAmount, currency, card, login, endpointId, faults } =
    order
  return (
    <Facts
      facts={[
        ['Status', <span class={toneOf(status)}>{status}</span>],
        ['Operation', [transactionType, orderStage].filter((part) => part !== undefined).join(', ')],
        ['Amount', initialAmount && `${initialAmount} ${currency}`],
        ['Amount now', amount && amount !== initialAmount ? `${amount} ${currency}` : undefined],
        ['Card', card && `${card.bin} … ${card.lastFourDigits} ${card.cardType ?? ''}`],
        ['Merchant', `${login}, endpoint ${endpointId}`],
        ['Faults', faults.join(', ')],
      ]}
    />
  )
}
