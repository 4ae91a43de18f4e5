import { clearTimeout, setTimeout } from 'node:timers'
import type { Exchange, OutgoingRequest, Transport } from '@tallystick/client'
import type { GatewayHandle, TransportOptions } from '@tallystick/client/internal'
import type { GatewayReply, GatewayRequest } from '@tallystick/gateway'
import { notBegun, notSent } from '../not-begun.ts'

// Imported, so that a test that replaces the global timers does not affect the deadlines of the transport, as on a socket.

/** A gateway in this process, and whether it accepts requests. */
interface Doorway {
  readonly handle: GatewayHandle
  readonly isOpen: () => boolean
}

const CUTS = {
  'before-reply': 'the connection was cut before the reply',
  'within-body': 'the connection was cut within the reply',
} as const satisfies Readonly<Record<NonNullable<GatewayReply['cut']>, string>>

/**
 * Passes requests to a gateway in this process without a socket. They are encoded and signed as for the wire, and the gateway
 * reads nothing else. The client judges the answer as one from a socket. Calls end as with the client's own transport.
 */
export function directTransport({ handle, isOpen }: Doorway): Transport {
  let isClosed = false
  return {
    send: async (request, options) => {
      const ended = notBegun(isClosed, options.signal)
      if (ended !== undefined) return ended
      if (!isOpen()) return notSent('the gateway was closed before the call began')
      return await exchange(request, options, handle)
    },
    close: async () => {
      isClosed = true
    },
  }
}

/** The gateway continues with a request that the caller has given up, as it would behind a socket. */
function exchange(request: OutgoingRequest, { timeoutMs, signal }: TransportOptions, handle: GatewayHandle) {
  return new Promise<Exchange>((resolve) => {
    const lose = (seen: string) => settle({ kind: 'lost', seen })
    const deadline = setTimeout(() => lose(`there was no whole reply within ${timeoutMs} ms`), timeoutMs)
    const onAbort = () => lose('the call was aborted')
    const settle = (exchange: Exchange) => {
      clearTimeout(deadline)
      signal?.removeEventListener('abort', onAbort)
      resolve(exchange)
    }
    signal?.addEventListener('abort', onAbort)
    void handle(toGatewayRequest(request)).then((reply) => settle(seen(reply)))
  })
}

function toGatewayRequest({ url, headers, body }: OutgoingRequest): GatewayRequest {
  const { pathname, search } = new URL(url)
  return { method: 'POST', url: pathname + search, headers, body }
}

function seen({ status, headers, body, cut }: GatewayReply): Exchange {
  if (cut !== undefined) return { kind: 'lost', seen: CUTS[cut] }
  return { kind: 'replied', httpStatus: status, mediaType: headers['content-type'] ?? '', body }
}

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
    const { status, headers, body, cut } = await handle(await fetchedRequest(request))
    if (cut !== undefined) throw new TypeError('fetch failed: the connection was cut')
    return new Response(MUST_BE_EMPTY.has(status) ? null : body, { status, headers })
  }
}

/** @see {@link https://fetch.spec.whatwg.org/#null-body-status Fetch, null body status} */
const MUST_BE_EMPTY: ReadonlySet<number> = new Set([204, 205, 304])

async function fetchedRequest(request: Request): Promise<GatewayRequest> {
  const { pathname, search } = new URL(request.url)
  // Before the body: Bun takes a content type that came from the body away with it.
  const headers = Object.fromEntries(request.headers)
  const body = Buffer.from(await request.arrayBuffer()).toString('latin1')
  return { method: request.method, url: pathname + search, headers, body }
}
