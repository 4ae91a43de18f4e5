import type { Delivery } from '../store/delivery.ts'
import type { Change } from '../store/store.ts'
import type { FaultDesk } from './fault-plan.ts'

const DELAY_MS = 600_000
/** How long the first callback waits for another, and how long after that one it is sent. */
const HELD_MS = 86_400_000
const BEHIND_MS = 60_000

/** The change, with its callbacks due when the faults of its order say. */
export async function planDeliveries(
  change: Change,
  desk: FaultDesk,
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
