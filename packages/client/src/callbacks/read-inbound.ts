import type { Inbound } from './handler.ts'
import { type RequestBody, readBody } from './read-body.ts'

/** The request of a framework on Node, as far as needed here. */
export interface NodeRequest extends RequestBody {
  readonly method?: string | undefined
  /** The address as it arrived; Express keeps it here when a router cuts `url`. */
  readonly originalUrl?: string
  readonly url?: string | undefined
  /** The customer's network address, from the framework, by which proxies the app trusts. */
  readonly ip?: string | undefined
}

/**
 * Converts a request, whether or not a body parser has read it: uses a text, bytes or an object as they are, and reads an
 * unread body, of one past the limit only enough for the handler to refuse it. The body of a GET means nothing (RFC 9110
 * section 9.3.1), and is left.
 *
 * @throws HandlerError if the body cannot be read
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
