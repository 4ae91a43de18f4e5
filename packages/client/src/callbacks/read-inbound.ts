import type { Inbound } from './handler.ts'
import { type RequestBody, readBody } from './read-body.ts'

/** The request of a framework on Node, as far as it matters here. */
export interface NodeRequest extends RequestBody {
  readonly method?: string | undefined
  /** The address as it arrived; Express keeps it here when a router cuts `url`. */
  readonly originalUrl?: string
  readonly url?: string | undefined
  /** The customer's network address as the framework tells it, by what the app trusts of its proxies. */
  readonly ip?: string | undefined
}

/**
 * Converts a request, whichever body parser has read it, or none: a text, bytes and an object are taken as they are;
 * an unread body is read, and one past the limit is kept only as far as shows that, so that the handler refuses it. What a
 * GET has as a body means nothing (RFC 9110 section 9.3.1), and is left.
 *
 * @throws HandlerError where the body cannot be had
 */
export async function readInbound(request: NodeRequest): Promise<Inbound> {
  const { method = '', headers, ip } = request
  const url = addressOf(request)
  const mark = url.indexOf('?')
  return {
    method,
    query: mark < 0 ? '' : url.slice(mark + 1),
    body: method === 'GET' ? undefined : toBody(await readBody(request)),
    headers,
    customerIp: ip,
  }
}

/** The path and the query as they arrived, whatever a router has cut off. */
export function addressOf({ originalUrl, url }: Pick<NodeRequest, 'originalUrl' | 'url'>): string {
  return originalUrl ?? url ?? ''
}

function toBody(body: unknown): Inbound['body'] {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  return typeof body === 'object' && body !== null ? { ...body } : undefined
}
