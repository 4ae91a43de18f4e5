import type { Store, StoredOrder } from '@tallystick/gateway'
import { sqliteStore } from '../../../gateway/src/store/sqlite/sqlite-store.ts'
import { checkOrder, doubled, lostSightOf, withoutOutcome } from '../bank/check-books.ts'
import { deedsIn, type Entry } from '../bank/journal.ts'
import type { Book } from './book.ts'
import { LOGIN, type World } from './world.ts'

const ALL = 10_000_000

/** Inspects the file of a dead process: whether the books of the orders that were changed last are right. */
export async function inspectLast(most: number, { file, journal }: World): Promise<readonly string[]> {
  return await within(file, async (store) => await wrongBooks(await store.recentOrders(LOGIN, most), journal, store))
}

/** Whether there is a callback that was not acknowledged yet. */
export async function hasOpenDeliveries({ file }: World): Promise<boolean> {
  return await within(file, async (store) => {
    for (const { orderId } of await store.recentOrders(LOGIN, ALL)) {
      if ((await store.deliveriesOf(orderId)).some(({ state }) => state === 'open')) return true
    }
    return false
  })
}

export interface Whole {
  readonly findings: readonly string[]
  readonly orders: number
  readonly deliveries: number
}

/** Inspects everything at the end: what is there, what should be, and what should not. */
export async function inspectAll({ file, journal, book, receiver }: World): Promise<Whole> {
  return await within(file, async (store) => {
    const orders = await store.recentOrders(LOGIN, ALL)
    const deliveries = await deliveriesOf(orders, store)
    const unheard = deliveries.filter(({ state, url }) => state !== 'acknowledged' || !receiver.hasHeard(url))
    return {
      orders: orders.length,
      deliveries: deliveries.length,
      findings: [
        ...(await wrongBooks(orders, journal, store)),
        ...orders.flatMap(withoutOutcome),
        ...lostSightOf(deedsIn(journal), orders),
        ...doubled(orders),
        ...againstBook(orders, book),
        ...unheard.map(({ id, state }) => `callback ${id}: ${state}, and nobody has heard it`),
        ...untold(orders, deliveries),
      ],
    }
  })
}

async function within<Result>(file: string, look: (store: Store) => Promise<Result>): Promise<Result> {
  const store = sqliteStore({ file })
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}

async function wrongBooks(orders: readonly StoredOrder[], journal: readonly Entry[], store: Store): Promise<string[]> {
  const deeds = deedsIn(journal)
  const findings: string[] = []
  for (const order of orders) findings.push(...(await checkOrder(order, deeds, store)))
  return findings
}

async function deliveriesOf(orders: readonly StoredOrder[], store: Store) {
  const deliveries = []
  for (const { orderId } of orders) deliveries.push(...(await store.deliveriesOf(orderId)))
  return deliveries
}

/** Operations that should have a callback and have none. The callback of a payout comes with its second step. */
function untold(orders: readonly StoredOrder[], deliveries: readonly { readonly id: string }[]): string[] {
  const told = new Set(deliveries.map(({ id }) => id))
  return orders
    .filter(({ details }) => details.addresses.notifyUrl !== undefined)
    .flatMap(({ operations }) => operations)
    .filter(({ kind, status }) => kind !== 'payout-check' || status !== 'approved')
    .flatMap(({ id }) => (told.has(id) ? [] : [`${id}: no callback was written`]))
}

/** Compares the shop's book with the gateway's: they must have the same orders under the same names. */
function againstBook(orders: readonly StoredOrder[], book: Book): string[] {
  const found = new Map(orders.map(({ clientOrderId, orderId }) => [clientOrderId, orderId]))
  return [...book.orders].flatMap(([clientOrderId, { orderId }]) =>
    found.get(clientOrderId) === orderId
      ? []
      : [`${clientOrderId}: the shop knows ${orderId}, the file ${found.get(clientOrderId)}`],
  )
}
