import { type Handler, readInbound } from '@tallystick/client'
import { sendGatewayReply } from '@tallystick/client/internal'
import type { Request, RequestHandler } from 'express'

type Reply = Parameters<typeof sendGatewayReply>[1]

/** A handler as a route. It answers every request that reaches it, under any prefix; errors go to the app's error handler. */
export function route(handle: Handler): RequestHandler {
  return answerWith(async (request) => await handle(await readInbound(request)))
}

export function answerWith(replyTo: (request: Request) => Promise<Reply>): RequestHandler {
  return async (request, response, next) => {
    try {
      const reply = await replyTo(request)
      // A middleware with a timeout may have answered.
      if (!response.headersSent) sendGatewayReply(response, reply)
    } catch (error) {
      next(error)
    }
  }
}
