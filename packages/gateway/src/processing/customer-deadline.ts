import { DEFAULT_FORM_LIFETIME } from '../merchants/endpoint.ts'
import type { Merchants } from '../merchants/merchants.ts'
import { openingOperation } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import { orderTask } from '../scheduler/order-task.ts'
import type { OrderTask } from '../store/task.ts'

/** How long the order's endpoint gives a customer for a page. */
export function formLifetime(order: StoredOrder, merchants: Pick<Merchants, 'endpointOf'>): number {
  return merchants.endpointOf(order)?.formLifetime ?? DEFAULT_FORM_LIFETIME
}

/**
 * What the order needs from the customer: the hosted form, or a step of 3DS, whoever shows it. `undefined`: it does not wait
 * for the customer.
 */
export function awaitedOfCustomer(order: StoredOrder): 'form' | 'authentication' | undefined {
  const { status, outcome } = openingOperation(order)
  if (status === 'created' && order.details.pages?.form !== undefined) return 'form'
  return status === 'processing' && outcome.awaits !== undefined ? 'authentication' : undefined
}

/** Until when the customer has time, in milliseconds since 1970: for the form, and once more for the whole of 3DS. */
export function patienceEndsAt(order: StoredOrder, merchants: Pick<Merchants, 'endpointOf'>): number {
  return openingOperation(order).statusAt + formLifetime(order, merchants)
}

/** The end of the wait for the customer: one task per order, put off when a form is followed by 3DS. */
export function abandonTask(order: StoredOrder, merchants: Pick<Merchants, 'endpointOf'>): OrderTask | undefined {
  return orderTask('abandon', order, awaitedOfCustomer(order) && patienceEndsAt(order, merchants))
}
