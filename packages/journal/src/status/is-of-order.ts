import type { Intent } from '@tallystick/client'

type Named = Pick<Intent, 'orderId'>

/**
 * Whether an intent with the same client order id belongs to this intent's order. Several orders may share an id; if this intent
 * does not know its order yet, the answer is yes.
 */
export function isOfOrder({ orderId }: Named, intent: Named): boolean {
  return intent.orderId === undefined || intent.orderId === orderId
}
