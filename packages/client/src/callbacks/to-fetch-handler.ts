import type { Handler } from './exchange.ts'
import { readLimited } from './read-inbound.ts'

/**
 * The handler for servers that speak `Request` and `Response`: Next, Hono, Bun, Deno, workers.
 *
 *     export const GET = toFetchHandler(handler)
 *     export const POST = GET
 */
export function toFetchHandler(handler: Handler): (request: Request) => Promise<Response> {
  return async (request) => {
    const { search } = new URL(request.url)
    const body = request.body === null ? undefined : await readLimited(request.body)
    const { status, headers, body: text } = await handler({ method: request.method, query: search.slice(1), body })
    return new Response(text, { status, headers })
  }
}
