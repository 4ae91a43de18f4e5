import type { Intent } from '@tallystick/client'

/** Whether one of the same client order id is of this intent's order, as far as that is known: there may be several of an id. */
export function isOfOrder({ orderId }: Pick<Intent, 'orderId'>, intent: Pick<Intent, 'orderId'>): boolean {
  return intent.orderId === undefined || intent.orderId === orderId
}
