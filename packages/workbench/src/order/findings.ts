import type { RecordedEvent } from '@tallystick/core'
import { isAboutOrder } from '@tallystick/core/internal'
import { orderOf } from '../recorded-order.ts'
import { wentWrong } from './hints.ts'

/** What went wrong with an order although nothing was refused. */
export interface Finding {
  readonly orderId: string
  readonly clientOrderId: string
  /** When something last happened to it. */
  readonly at: number
  readonly texts: readonly string[]
}

/** Those before are looked at on their own pages. */
const MOST_ORDERS = 50

/** Of the orders that changed last, the latest first. */
export function findingsOf(events: readonly RecordedEvent[]): readonly Finding[] {
  const orders = new Map<string, string>()
  for (const event of events) {
    if (event.type !== 'state') continue
    orders.delete(event.orderId)
    orders.set(event.orderId, event.clientOrderId)
  }
  return [...orders]
    .slice(-MOST_ORDERS)
    .reverse()
    .flatMap(([orderId, clientOrderId]) => {
      const own = events.filter((event) => isAboutOrder(event, orderId, clientOrderId))
      const order = orderOf(own, orderId)
      const bad = order === undefined ? [] : wentWrong(order, own).filter(({ tone }) => tone === 'bad')
      const at = own.at(-1)?.at ?? 0
      return bad.length === 0 ? [] : [{ orderId, clientOrderId, at, texts: bad.map(({ text }) => text) }]
    })
}
