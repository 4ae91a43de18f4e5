import type { CallbackTrial, KnownStatus } from '@tallystick/core/internal'
import { type Deliverer, shownAddress } from '../callbacks/deliverer.ts'
import type { Service } from '../context.ts'
import type { StoredOrder } from '../orders/order.ts'
import { type TrialCalls, tryCallback } from '../processing/deliveries.ts'
import { type Operator, operatorRecord } from '../store/operator-record.ts'
import type { Task } from '../store/store.ts'
import { summaryOf, type Timeline, timelineOf } from './history.ts'
import { type SandboxRequests, sandboxRequests } from './sandbox-requests.ts'

/** Which orders to return. */
interface TimelineFilter {
  readonly login?: string | undefined
  readonly clientOrderId?: string | undefined
  /** As the status shows it. */
  readonly status?: KnownStatus | undefined
  readonly limit: number
}

/** The address that shops call, and who may. */
interface SetUp {
  readonly baseUrl: string
  readonly merchants: ReadonlyArray<{ readonly login: string; readonly endpoints: readonly string[] }>
}

/** What is due at a time: a callback, work on an order, or the next charge of a recurring payment. */
export interface AgendaEntry {
  readonly id: string
  readonly kind: 'callback' | Task['kind']
  readonly dueAt: string
  /** How often it was tried before. */
  readonly tried: number
  readonly orderId?: string | undefined
  /** The merchant's id of the order, or of the recurring payment. */
  readonly clientOrderId?: string | undefined
  /** Of a callback. */
  readonly address?: string | undefined
}

/** What a test environment may see and do, beyond the interface. */
export interface SandboxAccess {
  /** What a shop has to be set up with, but for the keys. */
  readonly setUp: SetUp
  /** A value as JSON has it, in which card numbers, CVVs and keys are masked. */
  masked<Value>(value: Value): Value
  /** What can be sent in place of a merchant. */
  readonly requests: SandboxRequests
  /** Those that changed last first. */
  orders(filter: TimelineFilter): Promise<readonly Timeline[]>
  order(orderId: string): Promise<Timeline | undefined>
  /** What is due next, the earliest first. */
  agenda(limit: number): Promise<readonly AgendaEntry[]>
  /** Calls the shop with a changed callback; returns its answers. `undefined`: there is no such callback. */
  tryCallback(callbackId: string, trial: CallbackTrial): Promise<readonly string[] | undefined>
  /** The control key of a merchant, once: each later time, and of a login that there is not, `undefined`. */
  takeControlKey(login: string): string | undefined
  /** Resolves when no callback is on its way: one that is would be sent again if the time were advanced by much. */
  callbacksAnswered(): Promise<void>
  /** Records what a person had the sandbox do, beside what moves an order. */
  record(request: string, by: Operator): Promise<void>
  /** Waits for the work in progress, then forgets orders, cards, nonces, what was due, and which shops were down. */
  reset(): Promise<void>
}

export function sandboxAccess(
  service: Service,
  merchants: SetUp['merchants'],
  {
    deliverer,
    trials,
    masked,
  }: {
    readonly deliverer: Pick<Deliverer, 'forgetHosts' | 'settled'>
    readonly trials: TrialCalls
    readonly masked: SandboxAccess['masked']
  },
): SandboxAccess {
  const { store, clock, commit, background, profile, repeatsAllowed } = service
  const taken = new Set<string>()

  /** One order at most, unless client order ids may be used again. */
  async function named(login: string, clientOrderId: string): Promise<readonly StoredOrder[]> {
    if (!repeatsAllowed) return [(await store.findOrder({ login, clientOrderId })) ?? []].flat()
    const all = await store.recentOrders(login, Number.MAX_SAFE_INTEGER)
    return all.filter((order) => order.clientOrderId === clientOrderId)
  }

  async function found({ login, clientOrderId, status, limit }: TimelineFilter): Promise<readonly StoredOrder[]> {
    const asked = login === undefined ? merchants.map((merchant) => merchant.login) : [login]
    // Any of them may have the status.
    const most = status === undefined ? limit : Number.MAX_SAFE_INTEGER
    const orders = await Promise.all(
      asked.map((each) => (clientOrderId === undefined ? store.recentOrders(each, most) : named(each, clientOrderId))),
    )
    return orders
      .flat()
      .filter((order) => status === undefined || summaryOf(order, profile, clock.now()).status === status)
      .sort((one, other) => changedAt(other) - changedAt(one))
      .slice(0, limit)
  }

  return {
    setUp: { baseUrl: profile.baseUrl, merchants },
    masked,
    requests: sandboxRequests(service, merchants),
    orders: async (filter) => await Promise.all((await found(filter)).map((order) => timeline(order, service))),
    order: async (orderId) => {
      const order = await store.orderById(orderId)
      return order && (await timeline(order, service))
    },
    agenda: async (limit) => await agenda(limit, service),
    tryCallback: (callbackId, trial) => tryCallback(callbackId, trial, trials, service),
    takeControlKey: (login) => {
      if (taken.has(login)) return undefined
      taken.add(login)
      return service.merchants.byLogin(login)?.controlKey.reveal()
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

async function agenda(limit: number, { store }: Service): Promise<readonly AgendaEntry[]> {
  const { deliveries, tasks } = await store.listDue(limit)
  const due = [
    ...deliveries.map(({ dueAt = 0, made, ...delivery }) => {
      const { id, orderId } = delivery
      return {
        id,
        kind: 'callback' as const,
        dueAt,
        tried: made,
        orderId,
        address: shownAddress({ ...delivery, made }),
      }
    }),
    ...tasks,
  ]
  const next = due.sort((one, other) => one.dueAt - other.dueAt).slice(0, limit)
  return await Promise.all(
    next.map(async (each) => {
      const { id, kind, tried } = each
      const shown = { id, kind, tried, dueAt: new Date(each.dueAt).toISOString() }
      if ('recurringPaymentId' in each) {
        return { ...shown, clientOrderId: (await store.recurringPaymentById(each.recurringPaymentId))?.clientOrderId }
      }
      const { orderId } = each
      const clientOrderId = (await store.orderById(orderId))?.clientOrderId
      return { ...shown, orderId, clientOrderId, address: 'address' in each ? each.address : undefined }
    }),
  )
}
