import type { Intent } from '@tallystick/client'

/** All the names by which an outcome identifies its intent. */
export function namesOf({ intentId, businessKey, operation, clientOrderId, orderId }: Intent) {
  return { intentId, businessKey, operation, clientOrderId, orderId }
}
