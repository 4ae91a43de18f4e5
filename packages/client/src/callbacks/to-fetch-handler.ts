import type { Handler } from './exchange.ts'
import { readWhole } from './read-body.ts'

/**
 * The handler for servers that speak `Request` and `Response`: Next, Hono, Bun, Deno, workers.
 *
 *     export const GET = toFetchHandler(handler)
 *     export const POST = GET
 */
export function toFetchHandler(handler: Handler): (request: Request) => Promise<Response> {
  return async (request) => {
    const { search } = new URL(request.url)
    const body = request.body === null ? undefined : await readWhole(request.body)
    const { method } = request
    const headers = Object.fromEntries(request.headers)
    const answer = await handler({ method, query: search.slice(1), body, headers })
    return new Response(answer.body, answer)
  }
}
