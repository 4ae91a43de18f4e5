import type { Handler } from './handler.ts'
import { HandlerError } from './handler-error.ts'
import { readWhole } from './read-body.ts'

/**
 * The handler for servers that speak `Request` and `Response`: Next, Hono, Bun, Deno, workers.
 *
 *     export const GET = toFetchHandler(handler)
 *     export const POST = GET
 *
 * Pass it a request that nobody has read. It throws a `HandlerError`: have the server answer its `status`.
 */
export function toFetchHandler(handler: Handler): (request: Request) => Promise<Response> {
  return async (request) => {
    const { search } = new URL(request.url)
    const body = await bodyOf(request)
    const { method } = request
    const headers = Object.fromEntries(request.headers)
    const answer = await handler({ method, query: search.slice(1), body, headers })
    return new Response(answer.body, answer)
  }
}

/** @throws HandlerError `BODY_CUT`, `BODY_TAKEN` */
async function bodyOf({ body, bodyUsed }: Request): Promise<string | undefined> {
  if (body === null) return undefined
  if (bodyUsed || body.locked) throw new HandlerError('BODY_TAKEN')
  return await readWhole(body)
}
