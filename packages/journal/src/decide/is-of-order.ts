import type { Intent } from '@tallystick/client'

type Named = Pick<Intent, 'orderId'>

/** Whether one of the same client order id is of this intent's order, as far as that is known: there may be several of an id. */
export function isOfOrder({ orderId }: Named, intent: Named): boolean {
  return intent.orderId === undefined || intent.orderId === orderId
}
