import type { StoredOrder } from './order.ts'

/** The order without the sealed particulars of its form: the acquirer has them, or will never get them. */
export function withoutParticulars(order: StoredOrder): StoredOrder {
  if (order.details.pages?.particulars === undefined) return order
  const { particulars: _, ...pages } = order.details.pages
  return { ...order, details: { ...order.details, pages } }
}
