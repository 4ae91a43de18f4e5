import { type Handler, type Outbound, readInbound } from '@tallystick/client'
import type { RequestHandler, Response } from 'express'

/**
 * Mounts a callback handler: `app.all('/payments/callback', paymentCallbacks(handler))`. Works before and after any
 * body parser, under any prefix. Errors go to the app's error handler.
 */
export function paymentCallbacks(handle: Handler): RequestHandler {
  return async (request, response, next) => {
    try {
      send(response, await handle(await readInbound(request)))
    } catch (error) {
      next(error)
    }
  }
}

function send(response: Response, { status, headers, body }: Outbound): void {
  response.status(status).set(headers).send(body)
}
