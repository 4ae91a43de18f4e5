import { maskCardNumbers } from '@tallystick/core'
import type { Delivery } from '../store/delivery.ts'
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

export interface TimelineParts extends Omit<HistoryParts, 'records'> {
  /** The faults of the order, by name. */
  readonly faults: readonly string[]
}

export function timelineOf({ order, postings, deliveries, tasks, faults, profile, at }: TimelineParts) {
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
