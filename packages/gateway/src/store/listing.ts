import type { OperationKind, OperationStatus } from '@tallystick/core'
import type { StoredOrder } from '../orders/order.ts'
import type { Delivery } from './delivery.ts'

/**
 * Lists run from the latest to the earliest. A place in one is what it is sorted by, which never changes: what comes in meanwhile is
 * neither skipped nor listed twice.
 */
export interface Place {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly id: string
}

/** What lies between two times, after a place. */
export interface Span {
  /** Milliseconds since 1970, itself included. */
  readonly since?: number | undefined
  /** Itself excluded. */
  readonly until?: number | undefined
  readonly after?: Place | undefined
}

/** Which orders to list, by when they were made. */
export interface OrderQuery extends Span {
  readonly login?: string | undefined
  readonly endpointId?: string | undefined
  readonly clientOrderId?: string | undefined
  /** What the last operation must be: one of these. */
  readonly last?:
    | ReadonlyArray<{ readonly status: OperationStatus; readonly kind?: OperationKind | undefined }>
    | undefined
  readonly limit: number
}

/** A page of orders. */
export interface OrderPage {
  readonly orders: readonly StoredOrder[]
  /** Where to go on: there may be more. */
  readonly next: Place | undefined
}

/** Which callbacks to list that were given up or refused, by when that was. */
export interface GivenUpQuery extends Span {
  readonly login?: string | undefined
  readonly limit: number
}

/** A page of the callbacks that were given up. */
export interface GivenUpPage {
  readonly deliveries: readonly Delivery[]
  readonly next: Place | undefined
}

/** What a store lists for an operator, page by page. */
export interface Listings {
  /** Orders by when they were made. A page may have fewer than its limit, or none, and still a `next`. */
  listOrders(query: OrderQuery): Promise<OrderPage>
  /** Callbacks that somebody has to look into, by when they were given up or refused: pages as of orders. */
  listGivenUp(query: GivenUpQuery): Promise<GivenUpPage>
}

/** Whether something is in the span, by its own place. */
export function isWithin({ at, id }: Place, { since = -Infinity, until = Infinity, after }: Span): boolean {
  const isAfter = after === undefined || at < after.at || (at === after.at && id < after.id)
  return at >= since && at < until && isAfter
}

/** Sorts places from the latest to the earliest. */
export function byPlace(one: Place, other: Place): number {
  if (one.at !== other.at) return other.at - one.at
  if (one.id === other.id) return 0
  return one.id < other.id ? 1 : -1
}

export function placeOf({ createdAt, orderId }: StoredOrder): Place {
  return { at: createdAt, id: orderId }
}
