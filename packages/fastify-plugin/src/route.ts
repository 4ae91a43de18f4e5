import { type Handler, readInbound } from '@tallystick/client'
import { fromFastify, readBody, sendByFastify } from '@tallystick/client/internal'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'

type NodeRequest = ReturnType<typeof fromFastify>
type Reply = Parameters<typeof sendByFastify>[1]

/** A handler as a plugin with one route, for every method. Errors go to the app's error handler. */
export function route(handle: Handler): FastifyPluginAsync {
  return answerWith(['/'], async (request) => await handle(await readInbound(request)))
}

/**
 * Answers every method at these paths. The parsers of the app do not apply here, nor those from here anywhere else: each plugin of
 * Fastify has its own.
 */
export function answerWith(
  paths: readonly string[],
  replyTo: (request: NodeRequest) => Promise<Reply>,
): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', readPayload)
    for (const path of paths) {
      app.all(path, async (request, reply) => sendByFastify(reply, await replyTo(fromFastify(request))))
    }
  }
}

/** What a hook of the app has left of the body, or made of it, such as an inflated one. */
async function readPayload(_request: FastifyRequest, payload: Parameters<typeof readBody>[0]): Promise<unknown> {
  return await readBody(payload)
}
