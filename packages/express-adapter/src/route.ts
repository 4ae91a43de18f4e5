import { type Handler, readInbound, sendGatewayReply } from '@tallystick/client'
import type { RequestHandler } from 'express'

/** A handler as a route. It answers whatever reaches it, under any prefix; errors go to the app's error handler. */
export function route(handle: Handler): RequestHandler {
  return async (request, response, next) => {
    try {
      const outbound = await handle(await readInbound(request))
      // A middleware that waits only so long may have answered.
      if (!response.headersSent) sendGatewayReply(response, outbound)
    } catch (error) {
      next(error)
    }
  }
}
