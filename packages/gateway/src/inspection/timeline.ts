import { maskCardNumbers } from '@tallystick/core'
import type { Deliverer } from '../callbacks/deliverer.ts'
import type { Service } from '../context.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { Delivery } from '../store/delivery.ts'
import { type Operator, operatorRecord } from '../store/operator-record.ts'
import {
  type HistoryParts,
  masked,
  shownDelivery,
  shownOperation,
  shownPosting,
  shownTask,
  summaryOf,
} from './history.ts'

/** An order with all that is known about it, as plain JSON: amounts in major units, times in ISO 8601, no card number. */
export type Timeline = ReturnType<typeof timelineOf>

interface TimelineParts extends Omit<HistoryParts, 'records'> {
  /** The faults of the order, by name. */
  readonly faults: readonly string[]
}

function timelineOf({ order, postings, deliveries, tasks, faults, profile, at }: TimelineParts) {
  return {
    ...summaryOf(order, profile, at),
    faults,
    operations: order.operations.map((operation) => shownOperation(operation, order, profile)),
    postings: postings.map((posting) => shownPosting(posting, profile)),
    callbacks: deliveries.map((delivery) => ({ ...shownDelivery(delivery), ...calledWith(delivery) })),
    tasks: tasks.map(shownTask),
  }
}

/** What the callback reports, for tests. */
function calledWith({ url }: Delivery) {
  // The merchant's own query may hold a further question mark. What the callback reports comes after it.
  const query = url.indexOf('?')
  return {
    address: masked(url.slice(0, query)),
    parameters: Object.fromEntries([...new URLSearchParams(url.slice(query))].map(shownParameter)),
  }
}

/** An order id has as many digits as a card number, and may pass its check: it is the only value that is never masked. */
function shownParameter([name, value]: [string, string]): [string, string] {
  return [name, name === 'orderid' ? value : maskCardNumbers(value)]
}

/** Which orders to return. */
export interface OrderFilter {
  readonly login?: string | undefined
  readonly clientOrderId?: string | undefined
  readonly limit: number
}

/** What a test environment may see and do, beyond the interface. */
export interface SandboxAccess {
  /** Those that changed last first. */
  orders(filter: OrderFilter): Promise<readonly Timeline[]>
  order(orderId: string): Promise<Timeline | undefined>
  /** Resolves when no callback is on its way: one that is would be sent again if the time were advanced by much. */
  callbacksAnswered(): Promise<void>
  /** Records what a person had the sandbox do, beside what moves an order. */
  record(request: string, by: Operator): Promise<void>
  /** Waits for the work in progress, then forgets orders, cards, nonces, what was due, and which shops were down. */
  reset(): Promise<void>
}

export function sandboxAccess(
  service: Service,
  logins: readonly string[],
  deliverer: Pick<Deliverer, 'forgetHosts' | 'settled'>,
): SandboxAccess {
  const { store, clock, commit, background, repeatsAllowed } = service

  /** One order at most, unless client order ids may be used again. */
  async function named(login: string, clientOrderId: string): Promise<readonly StoredOrder[]> {
    if (!repeatsAllowed) return [(await store.findOrder({ login, clientOrderId })) ?? []].flat()
    const all = await store.recentOrders(login, Number.MAX_SAFE_INTEGER)
    return all.filter((order) => order.clientOrderId === clientOrderId)
  }

  async function found({ login, clientOrderId, limit }: OrderFilter): Promise<readonly StoredOrder[]> {
    const asked = login === undefined ? logins : [login]
    const orders = await Promise.all(
      asked.map((each) => (clientOrderId === undefined ? store.recentOrders(each, limit) : named(each, clientOrderId))),
    )
    return orders
      .flat()
      .sort((one, other) => changedAt(other) - changedAt(one))
      .slice(0, limit)
  }

  return {
    orders: async (filter) => await Promise.all((await found(filter)).map((order) => timeline(order, service))),
    order: async (orderId) => {
      const order = await store.orderById(orderId)
      return order && (await timeline(order, service))
    },
    callbacksAnswered: deliverer.settled,
    record: async (request, by) => {
      const deed = {
        at: clock.now(),
        act: 'sandbox',
        subject: request,
        orderId: undefined,
        before: '',
        after: '',
      } as const
      await commit({ records: [operatorRecord(deed, by)] })
    },
    reset: async () => {
      await background.settled()
      await store.reset()
      deliverer.forgetHosts()
    },
  }
}

function changedAt({ operations }: StoredOrder): number {
  return Math.max(...operations.map(({ statusAt }) => statusAt))
}

async function timeline(order: StoredOrder, { store, faults, profile, clock }: Service): Promise<Timeline> {
  const { orderId } = order
  const [postings, deliveries, tasks] = await Promise.all([
    store.postingsOf(orderId),
    store.deliveriesOf(orderId),
    store.tasksOf(orderId),
  ])
  return timelineOf({ order, postings, deliveries, tasks, faults: [...faults.of(order)], profile, at: clock.now() })
}
