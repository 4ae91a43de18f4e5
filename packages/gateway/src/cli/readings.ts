import { suggestName } from '@tallystick/core/internal'
import type { Gateway } from '../gateway.ts'
import { FilterError, type OrderFilter, type PageFilter } from '../inspection/inspection.ts'
import { type Clock, type Duration, milliseconds } from '../runtime/clock.ts'

/** What an operator reads of the running gateway: `undefined` if it is not there. */
export interface Reading {
  readonly path: RegExp
  readonly shown: string
  /** @throws FilterError that names what is wrong with the query */
  readonly read: (gateway: Inspected, named: readonly string[], query: URLSearchParams) => Promise<unknown>
}

interface Inspected extends Pick<Gateway, 'inspect'> {
  readonly clock: Pick<Clock, 'now'>
}

/** Filters of a page, as the query and the command line name them. */
export const PAGE_FILTERS = ['login', 'since', 'until', 'limit', 'cursor'] as const
export const ORDER_FILTERS = ['status', 'endpoint', 'client-order-id', ...PAGE_FILTERS] as const

export const READINGS: readonly Reading[] = [
  {
    path: /^\/orders$/,
    shown: `GET /orders?${ORDER_FILTERS.join('&')}`,
    read: async ({ inspect, clock }, _, query) => {
      const {
        endpoint: endpointId,
        status,
        'client-order-id': clientOrderId,
        ...page
      } = filtersOf(query, ORDER_FILTERS)
      // What it is, is checked where it is used: it may come from a program without types.
      const filter = {
        ...pageOf(page, clock.now()),
        status: status as OrderFilter['status'],
        endpointId,
        clientOrderId,
      }
      return await inspect.orders(filter)
    },
  },
  {
    path: /^\/orders\/(\d{15})$/,
    shown: 'GET /orders/ORDER_ID',
    read: ({ inspect }, [orderId = '']) => inspect.order(orderId),
  },
  {
    path: /^\/callbacks\/given-up$/,
    shown: `GET /callbacks/given-up?${PAGE_FILTERS.join('&')}`,
    read: ({ inspect, clock }, _, query) =>
      inspect.givenUpCallbacks(pageOf(filtersOf(query, PAGE_FILTERS), clock.now())),
  },
]

type Given<Name extends string> = Partial<Record<Name, string>>

/** @throws FilterError for one that there is not, and for one that comes twice: which of them counts? */
function filtersOf<Name extends string>(query: URLSearchParams, known: readonly Name[]): Given<Name> {
  const given: Given<Name> = {}
  for (const [text, value] of query) {
    const name = known.find((each) => each === text)
    if (name === undefined) throw new FilterError(`there is no filter of this name; ${suggestName(text, known)}`)
    if (given[name] !== undefined) throw new FilterError(`${name}: comes twice`)
    given[name] = value
  }
  return given
}

function pageOf({ login, since, until, limit, cursor }: Given<(typeof PAGE_FILTERS)[number]>, now: number): PageFilter {
  return {
    login,
    cursor,
    since: since === undefined ? undefined : timeIn('since', since, now),
    until: until === undefined ? undefined : timeIn('until', until, now),
    limit: limit === undefined ? undefined : wholeNumber(limit),
  }
}

function wholeNumber(limit: string): number {
  return /^\d{1,9}$/.test(limit) ? Number(limit) : Number.NaN
}

/** A date is the beginning of its day. Without a zone nobody could tell whose time it is. */
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/
const AGO = /^\d{1,9}(ms|[smhdw])$/

function timeIn(name: string, text: string, now: number): number {
  const at = AGO.test(text) ? now - milliseconds(text as Duration) : DATE.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isSafeInteger(at)) return at
  throw new FilterError(
    `${name}: must be a date such as 2030-01-31, a time such as 2030-01-31T06:00Z, or how long ago, such as 24h`,
  )
}
