import type { StoredOrder } from './order.ts'

/** The order without what the request for its form said: the acquirer has that, or will not get it. */
export function withoutParticulars(order: StoredOrder): StoredOrder {
  if (order.details.pages?.particulars === undefined) return order
  const { particulars: _, ...pages } = order.details.pages
  return { ...order, details: { ...order.details, pages } }
}
