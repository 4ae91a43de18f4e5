import type { CallbackAnswer, SendCallback } from '../callbacks/callback-answer.ts'
import type { Delivery } from '../store/delivery.ts'
import type { Change } from '../store/store.ts'
import type { FaultPlan } from './fault-plan.ts'
import type { FaultName } from './faults.ts'

/** Sends a callback with the faults of its order. Returns the answer to the callback itself. */
export function withCallbackFaults(
  send: SendCallback,
  faultsOf: (orderId: string) => Promise<ReadonlySet<FaultName>>,
): (url: string, delivery: Delivery) => Promise<CallbackAnswer> {
  return async (url, { orderId, made }) => {
    const faults = await faultsOf(orderId)
    if (made === 0 && faults.has('callback-forged')) await ignored(send(forged(url)))
    if (made === 0 && faults.has('callback-shifted')) await ignored(send(shifted(url)))
    const said = faults.has('callback-amount-differs') ? withOtherAmount(url) : url
    const atOnce = faults.has('callback-twice-at-once') ? [ignored(send(said))] : []
    const [answer] = await Promise.all([send(said), ...atOnce])
    if (faults.has('callback-twice')) await ignored(send(said))
    return answer
  }
}

/** The answer to an additional callback does not count. */
async function ignored(sending: Promise<CallbackAnswer>): Promise<void> {
  await sending.catch(() => {})
}

/** Says the opposite, with the control of the true callback. */
function forged(url: string): string {
  return withParameters(url, { status: (status) => (status === 'approved' ? 'declined' : 'approved') })
}

/**
 * A control covers a text without separators, so it still matches when the border between two terms moves. The gateway's order
 * id loses its last digit to the merchant's.
 */
function shifted(url: string): string {
  let digit = ''
  const shorter = withParameters(url, {
    orderid: (orderId) => {
      digit = orderId.slice(-1)
      return orderId.slice(0, -1)
    },
  })
  const longer = (clientOrderId: string) => digit + clientOrderId
  return withParameters(shorter, { client_orderid: longer, merchant_order: longer })
}

function withOtherAmount(url: string): string {
  return withParameters(url, {
    amount: (amount) => {
      const [units = '', ...decimals] = amount.split('.')
      return [BigInt(units) + 1n, ...decimals].join('.')
    },
  })
}

type Changes = Readonly<Record<string, (value: string) => string>>

/** The address with these query parameters changed. The others stay as they are. */
function withParameters(url: string, changes: Changes): string {
  const at = url.indexOf('?')
  const pairs = url.slice(at + 1).split('&')
  return `${url.slice(0, at + 1)}${pairs.map((pair) => withParameter(pair, changes)).join('&')}`
}

function withParameter(pair: string, changes: Changes): string {
  const [name = '', value = ''] = pair.split('=')
  const change = changes[name]
  return change === undefined ? pair : `${name}=${encodeURIComponent(change(decodeURIComponent(value)))}`
}

const DELAY_MS = 600_000
/** How long the first callback waits for another, and how long after that one it is sent. */
const HELD_MS = 86_400_000
const BEHIND_MS = 60_000

/** The change, with its callbacks due when the faults of its order say. */
export async function planDeliveries(
  change: Change,
  desk: FaultPlan,
  deliveriesOf: (orderId: string) => Promise<readonly Delivery[]>,
): Promise<Change> {
  const { order, deliveries = [] } = change
  if (order === undefined || deliveries.length === 0) return change
  const faults = desk.of(order.order)
  if (faults.has('callback-never')) return { ...change, deliveries: deliveries.map(never) }
  if (faults.has('callback-delayed')) return { ...change, deliveries: deliveries.map((each) => later(each, DELAY_MS)) }
  if (!faults.has('callback-out-of-order')) return change
  const before = await deliveriesOf(order.order.orderId)
  if (before.length === 0) return { ...change, deliveries: deliveries.map((each) => later(each, HELD_MS)) }
  const held = before.filter(({ state, made }) => state === 'open' && made === 0)
  const behind = deliveries.flatMap(({ dueAt }) => held.map((each) => ({ ...each, dueAt: (dueAt ?? 0) + BEHIND_MS })))
  return { ...change, deliveries: [...deliveries, ...behind] }
}

function never(delivery: Delivery): Delivery {
  return { ...delivery, dueAt: undefined, state: 'given-up', lastAnswer: 'not sent' }
}

function later(delivery: Delivery, by: number): Delivery {
  return { ...delivery, dueAt: delivery.createdAt + by }
}
