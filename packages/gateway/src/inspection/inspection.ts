import { maskCardNumbers } from '@tallystick/core'
import { checkOptions, type KnownStatus, type Validators, validator } from '@tallystick/core/internal'
import { type Mutex, mutex } from '@tallystick/durable/mutex'
import { givenUpBecause } from '../callbacks/retry.ts'
import type { Service } from '../context.ts'
import type { Clock } from '../runtime/clock.ts'
import { afterNextTurn } from '../runtime/system.ts'
import type { Delivery } from '../store/delivery.ts'
import { type OrderQuery, type Place, placeOf } from '../store/listing.ts'
import { historyOf, type OrderHistory, type OrderSummary, shownDelivery, summaryOf } from './history.ts'

/** Some of a list: the latest first. */
export interface Page<Item> {
  readonly items: ReadonlyArray<Listed<Item>>
  /** Where to go on. `undefined`: that was all. A page may have fewer items than its limit, and still a `next`. */
  readonly next: string | undefined
}

/** An item with the cursor of what comes after it. */
export type Listed<Item> = Item & { readonly cursor: string }

/** Which part of a list. */
export interface PageFilter {
  /** Of this merchant alone. */
  readonly login?: string | undefined
  /** Milliseconds since 1970, itself included. */
  readonly since?: number | undefined
  /** Itself excluded. */
  readonly until?: number | undefined
  /** From a page that came before. */
  readonly cursor?: string | undefined
  /** From 1 to 1000. Default 50. */
  readonly limit?: number | undefined
}

/** Which orders to list. */
export interface OrderFilter extends PageFilter {
  /** As the status shows it. */
  readonly status?: KnownStatus | undefined
  readonly endpointId?: string | undefined
  readonly clientOrderId?: string | undefined
}

/** A callback that was given up or refused. */
export type GivenUpCallback = Omit<ReturnType<typeof shownDelivery>, 'dueAt'> & {
  readonly orderId: string
  readonly reason: string
  /** Where it was sent to: an address may hold what only the merchant should know. */
  readonly host: string
}

/** What operators may see of a gateway while it runs. No card number, no token of a page, no key, nothing of the payer. */
export interface Inspection {
  /** By when they were made. */
  orders(filter?: OrderFilter): Promise<Page<OrderSummary>>
  order(orderId: string): Promise<OrderHistory | undefined>
  /** Callbacks that were given up or refused, by when that was: `since` and `until` mean that time. */
  givenUpCallbacks(filter?: PageFilter): Promise<Page<GivenUpCallback>>
}

export const INSPECTED_STATUSES = ['processing', 'approved', 'declined', 'filtered', 'error', 'unknown'] as const

const MOST_ITEMS = 1000
export const USUAL_ITEMS = 50

/** How many items are read at a time, so that payments go on in between. */
const AT_A_TIME = 100
/** How often the store is asked for one page: of an SQLite file that is 100,000 orders. */
const MOST_TURNS = 50

const TIME = { wanted: 'milliseconds since 1970', isRight: (at: unknown) => Number.isSafeInteger(at) }
const PAGE: Validators<PageFilter> = {
  login: validator.text,
  since: TIME,
  until: TIME,
  cursor: { wanted: 'a cursor from a page that came before', isRight: isCursor },
  limit: {
    wanted: `a whole number from 1 to ${MOST_ITEMS}`,
    isRight: (limit) => Number.isSafeInteger(limit) && Number(limit) >= 1 && Number(limit) <= MOST_ITEMS,
  },
}
const ORDERS: Validators<OrderFilter> = {
  ...PAGE,
  status: validator.oneOf(...INSPECTED_STATUSES),
  endpointId: validator.text,
  clientOrderId: validator.text,
}

/** A filter is wrong: the message says which, and what it must be. */
export class FilterError extends TypeError {
  override readonly name = 'FilterError'
}

function check(list: string, filter: object, kinds: Validators<PageFilter>): void {
  try {
    checkOptions(list, filter, kinds)
  } catch (error) {
    throw new FilterError((error as Error).message)
  }
}

interface Inspectable extends Pick<Service, 'store' | 'profile'> {
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Each list throws a `FilterError` for a filter that is wrong. However many operators ask, one part is read at a time: payments
 * wait for no more.
 */
export function inspectionOf(service: Inspectable): Inspection {
  const { store, profile, clock } = service
  const inTurn = mutex()
  return {
    orders: async (filter = {}) => {
      check('orders', filter, ORDERS)
      const { status, limit: _, cursor: __, ...query } = filter
      return await collected(filter, inTurn, async (after, limit) => {
        const { orders, next } = await store.listOrders({ ...query, after, last: lastOf(status), limit })
        const items = orders.flatMap((order) => {
          const summary = summaryOf(order, profile, clock.now())
          if (status !== undefined && summary.status !== status) return []
          return { ...summary, cursor: cursorOf(placeOf(order)) }
        })
        return { items, next }
      })
    },
    order: async (orderId) => {
      const order = await store.orderById(orderId)
      if (order === undefined) return undefined
      const [postings, deliveries, tasks, records] = await Promise.all([
        store.postingsOf(orderId),
        store.deliveriesOf(orderId),
        store.tasksOf(orderId),
        store.operatorRecords({ orderId, limit: MOST_ITEMS }),
      ])
      return historyOf({ order, postings, deliveries, tasks, records, profile, at: clock.now() })
    },
    givenUpCallbacks: async (filter = {}) => {
      check('callbacks', filter, PAGE)
      const { limit: _, cursor: __, ...query } = filter
      return await collected(filter, inTurn, async (after, limit) => {
        const { deliveries, next } = await store.listGivenUp({ ...query, after, limit })
        return { items: deliveries.map(givenUp), next }
      })
    },
  }
}

/** Reads a page of a list, some items at a time. */
async function collected<Item>(
  { limit = USUAL_ITEMS, cursor }: PageFilter,
  inTurn: Mutex,
  read: (after: Place | undefined, limit: number) => Promise<{ items: Listed<Item>[]; next: Place | undefined }>,
): Promise<Page<Item>> {
  const items: Listed<Item>[] = []
  let after = placeAt(cursor)
  for (let turn = 0; turn < MOST_TURNS && items.length < limit; turn += 1) {
    const [from, most] = [after, Math.min(limit - items.length, AT_A_TIME)]
    const found = await inTurn(async () => {
      await new Promise<void>(afterNextTurn)
      return await read(from, most)
    })
    items.push(...found.items)
    after = found.next
    if (after === undefined) break
  }
  return { items, next: after && cursorOf(after) }
}

/** What the last operation of an order is that may have this status. A payout-check that was approved depends on the time. */
function lastOf(status: KnownStatus | undefined): OrderQuery['last'] {
  if (status === undefined) return undefined
  const check = { status: 'approved', kind: 'payout-check' } as const
  if (status === 'processing') return [{ status: 'created' }, { status: 'sent' }, { status }, check]
  return status === 'declined' ? [{ status }, check] : [{ status }]
}

function givenUp(delivery: Delivery): Listed<GivenUpCallback> {
  const { dueAt: _, ...shown } = shownDelivery(delivery)
  return {
    ...shown,
    orderId: delivery.orderId,
    reason: givenUpBecause(delivery),
    host: shownHost(delivery),
    cursor: cursorOf({ at: delivery.givenUpAt ?? 0, id: delivery.id }),
  }
}

const CURSOR = /^(\d{1,16})_([\d-]{1,40})$/

function isCursor(cursor: unknown): boolean {
  return typeof cursor === 'string' && CURSOR.test(cursor)
}

/** A cursor is no secret: whoever makes one up starts at another place of the same list. */
function cursorOf({ at, id }: Place): string {
  return `${at}_${id}`
}

function placeAt(cursor: string | undefined): Place | undefined {
  const [, at, id = ''] = CURSOR.exec(cursor ?? '') ?? []
  return at === undefined ? undefined : { at: Number(at), id }
}

/** The host that a callback goes to, with its port. */
function shownHost({ url }: Delivery): string {
  return maskCardNumbers(URL.parse(url)?.host ?? '')
}
