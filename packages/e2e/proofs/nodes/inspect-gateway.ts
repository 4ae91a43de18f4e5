import type { Delivery, Store, StoredOrder } from '@tallystick/gateway'
import { postgresStore } from '@tallystick/gateway/postgres'
import { checkCalls, checkOrder, doubled, lostSightOf, repeated, withoutOutcome } from '../bank/check-books.ts'
import { deedsIn } from '../bank/journal.ts'
import { LOGIN, type World } from './world.ts'

export interface GatewaySeen {
  readonly findings: readonly string[]
  readonly orders: readonly StoredOrder[]
  readonly deliveries: number
}

const ALL = 10_000_000

/** Compares the gateway's books at the end with the bank's, and with what the shops have acknowledged. */
export async function inspectGateway(world: World): Promise<GatewaySeen> {
  const store = await postgresStore({ connectionString: world.urls.gateway, jobs: false })
  try {
    return await inspect(store, world)
  } finally {
    await store.close()
  }
}

async function inspect(store: Store, world: World): Promise<GatewaySeen> {
  const orders = await store.recentOrders(LOGIN, ALL)
  const deeds = deedsIn(world.bankBook)
  const findings: string[] = []
  let told = 0
  for (const order of orders) {
    const deliveries = await store.deliveriesOf(order.orderId)
    told += deliveries.length
    findings.push(...(await checkOrder(order, deeds, store)), ...wrongDeliveries(order, deliveries, world))
  }
  return {
    orders,
    deliveries: told,
    findings: [
      ...findings,
      ...checkCalls(world.bankBook),
      ...chargedTwice(world),
      ...orders.flatMap(withoutOutcome),
      ...lostSightOf(deeds, orders),
      ...doubled(orders),
      ...(await wrongSums(world)),
    ],
  }
}

/** Each operation must have one callback, acknowledged by a shop. */
function wrongDeliveries({ orderId, operations }: StoredOrder, deliveries: readonly Delivery[], { heard }: World) {
  const told = new Set(deliveries.map(({ id }) => id))
  return [
    ...operations.filter(({ id }) => !told.has(id)).map(({ id }) => `order ${orderId}: no callback of ${id}`),
    ...deliveries
      .filter(({ state, url }) => state !== 'acknowledged' || !heard.has(pathOf(url)))
      .map(({ id, state }) => `order ${orderId}: the callback of ${id} is ${state}, and nobody has heard it`),
  ]
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** The orders for which the bank carried out more than one charge, whatever it was called. */
function chargedTwice({ bankBook }: World): readonly string[] {
  const charges = bankBook.flatMap((entry) => ('decision' in entry && entry.did === 'execute' ? [entry.orderId] : []))
  return repeated(charges).map((orderId) => `order ${orderId}: charged twice`)
}

/** Reads the sums by a plain statement, not through the store. */
async function wrongSums({ watch }: World): Promise<readonly string[]> {
  const sums = await watch.rows(
    'gateway',
    `select order_id, sum(postings.amount) as sum from tallystick.postings
     join tallystick.orders on orders.seq = postings.order_seq group by order_id having sum(postings.amount) <> 0`,
  )
  return sums.map((row) => `order ${String(row['order_id'])}: its postings sum to ${String(row['sum'])}`)
}
