import type { Deliverer } from '../callbacks/deliverer.ts'
import type { Service } from '../context.ts'
import type { StoredOrder } from '../orders/order.ts'
import { type Operator, operatorRecord } from '../store/operator-record.ts'
import { type Timeline, timelineOf } from './history.ts'

/** Which orders to return. */
interface TimelineFilter {
  readonly login?: string | undefined
  readonly clientOrderId?: string | undefined
  readonly limit: number
}

/** What a test environment may see and do, beyond the interface. */
export interface SandboxAccess {
  /** Those that changed last first. */
  orders(filter: TimelineFilter): Promise<readonly Timeline[]>
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

  async function found({ login, clientOrderId, limit }: TimelineFilter): Promise<readonly StoredOrder[]> {
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
