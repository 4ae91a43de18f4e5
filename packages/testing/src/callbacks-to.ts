import type { Handler } from '@tallystick/client'
import type { SendCallback } from '@tallystick/gateway'

/**
 * Brings the callbacks of a gateway straight to a handler of the shop, without a socket:
 * `startGateway({ sendCallback: callbacksTo((inbound) => handler(inbound)) })`.
 */
export function callbacksTo(handler: Handler): SendCallback {
  return async (url) => {
    const { status } = await handler({ method: 'GET', query: new URL(url).search.slice(1) })
    return { status }
  }
}
