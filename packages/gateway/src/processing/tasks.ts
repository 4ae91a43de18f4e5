import { DEFAULT_FORM_LIFETIME } from '../merchants/endpoint.ts'
import type { Merchants } from '../merchants/merchants.ts'
import { openingOperation, ruledOrder } from '../orders/operations.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import { MOST_TRIES, waitBeforeTry } from '../scheduler/scheduler.ts'
import type { OrderTask } from '../store/store.ts'

/** For a hold: released when it expires (gaps part 13). For a payout-check: it ends if not paid in time (rule `check-expiry`). */
export function expiryTask(order: StoredOrder, { kind }: StoredOperation): OrderTask | undefined {
  if (kind === 'preauth') return orderTask('release', order, ruledOrder(order).holdExpiresAt)
  if (kind === 'payout-check') return orderTask('expire-check', order, ruledOrder(order).checkExpiresAt)
  return undefined
}

/** Two machines may be a minute apart. */
const APART_MS = 60_000

/** Whether this was written before the clock was set back. */
export function isAhead(at: number, now: number): boolean {
  return at > now + APART_MS
}

/** The next look-up of an operation without an outcome, after `tried` look-ups. `at`: now. */
export function lookupTask(
  { orderId }: StoredOrder,
  operation: StoredOperation,
  at: number,
  tried = 0,
): OrderTask | undefined {
  if (!isWithoutOutcome(operation) || tried >= MOST_TRIES) return undefined
  return { id: lookupId(operation.id), kind: 'lookup', orderId, dueAt: at + waitBeforeTry(tried), tried }
}

/** Whether the acquirer had all that it needs, and has not said what became of the operation. */
export function isWithoutOutcome({ status, outcome }: StoredOperation): boolean {
  return status === 'unknown' || (status === 'processing' && outcome.awaits === undefined)
}

/** The one task that looks an operation up. */
export function lookupId(operationId: string): string {
  return `lookup-${operationId}`
}

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
export function customerDeadlineAt(order: StoredOrder, merchants: Pick<Merchants, 'endpointOf'>): number {
  return openingOperation(order).statusAt + formLifetime(order, merchants)
}

/** The end of the wait for the customer: one task per order, put off when a form is followed by 3DS. */
export function abandonTask(order: StoredOrder, merchants: Pick<Merchants, 'endpointOf'>): OrderTask | undefined {
  return orderTask('abandon', order, awaitedOfCustomer(order) && customerDeadlineAt(order, merchants))
}

/** The one task of its kind that an order has. `undefined`: it is never due. */
function orderTask(
  kind: Exclude<OrderTask['kind'], 'lookup'>,
  { orderId }: StoredOrder,
  dueAt: number | undefined,
): OrderTask | undefined {
  return dueAt === undefined ? undefined : { id: `${kind}-${orderId}`, kind, orderId, dueAt, tried: 0 }
}
