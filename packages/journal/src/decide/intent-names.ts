import type { Intent } from '@tallystick/client'

/** What an outcome is told of, by all its names. */
export function namesOf({ intentId, businessKey, operation, clientOrderId, orderId }: Intent) {
  return { intentId, businessKey, operation, clientOrderId, orderId }
}
