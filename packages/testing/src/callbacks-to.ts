import type { Handler } from '@tallystick/client'
import type { SendCallback } from '@tallystick/gateway'

/**
 * Passes the callbacks of a gateway straight to a handler of the shop, without a socket:
 * `startGateway({ sendCallback: callbacksTo((inbound) => handler(inbound)) })`. If it throws, the answer is that of an app.
 */
export function callbacksTo(handler: Handler): SendCallback {
  return async (url) => {
    try {
      const { status } = await handler({ method: 'GET', query: new URL(url).search.slice(1) })
      return { status }
    } catch (error) {
      return { status: statusOf(error) }
    }
  }
}

/** Frameworks read the status from the error that is thrown: a `HandlerError` has one. */
function statusOf(error: unknown): number {
  return (error as { readonly status?: number } | undefined)?.status ?? 500
}
