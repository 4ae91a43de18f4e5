import type { GatewayRequest } from '@tallystick/gateway'
import type { Doorway } from './direct-transport.ts'

/** The `fetch` of the platform, or one that reaches a gateway without a socket. */
export type Fetch = typeof globalThis.fetch

/** The `fetch` of a gateway on a socket. Redirects are returned, not followed, because tests check them. */
export const socketFetch: Fetch = (input, init) => fetch(input, { redirect: 'manual', ...init })

/** Like `fetch`, for the addresses of a gateway in this process that has no socket. */
export function directFetch(origin: string, { handle, isOpen }: Doorway): Fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    if (new URL(request.url).origin !== origin) {
      throw new TypeError(`${request.url} is no address of this gateway, which has no socket: its origin is ${origin}`)
    }
    if (!isOpen()) throw new TypeError('fetch failed: the gateway was closed')
    const { status, headers, body, cut } = await handle(await toGatewayRequest(request))
    if (cut !== undefined) throw new TypeError('fetch failed: the connection was cut')
    return new Response(MUST_BE_EMPTY.has(status) ? null : body, { status, headers })
  }
}

/** @see {@link https://fetch.spec.whatwg.org/#null-body-status Fetch, null body status} */
const MUST_BE_EMPTY: ReadonlySet<number> = new Set([204, 205, 304])

async function toGatewayRequest(request: Request): Promise<GatewayRequest> {
  const { pathname, search } = new URL(request.url)
  // Before the body: Bun takes a content type that came from the body away with it.
  const headers = Object.fromEntries(request.headers)
  const body = Buffer.from(await request.arrayBuffer()).toString('latin1')
  return { method: request.method, url: pathname + search, headers, body }
}
