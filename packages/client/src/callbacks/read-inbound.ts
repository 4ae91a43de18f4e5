import { REQUEST_LIMITS } from '@tallystick/core'
import type { Inbound } from './exchange.ts'

/** The request of a framework on Node, as far as it matters here. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  /** The address as it arrived; Express keeps it here when a router cuts `url`. */
  readonly originalUrl?: string
  readonly url?: string | undefined
  /** What a body parser made of the body. */
  readonly body?: unknown
  /** Whether somebody has read the body. */
  readonly readableEnded: boolean
}

/**
 * Converts a request, whichever body parser has read it, or none: a text, bytes and an object are taken as they are;
 * an unread body is read, and one past the limit is kept only as far as shows that, so that the handler refuses it.
 */
export async function readInbound(request: NodeRequest): Promise<Inbound> {
  const url = request.originalUrl ?? request.url ?? ''
  const mark = url.indexOf('?')
  const body = request.readableEnded ? request.body : await readLimited(request)
  return { method: request.method ?? '', query: mark < 0 ? '' : url.slice(mark + 1), body: toBody(body) }
}

/** Reads a body to its end, and keeps no more of it than shows that it is too large. */
export async function readLimited(request: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request) {
    if (bytes <= REQUEST_LIMITS.maxBytes) chunks.push(chunk)
    bytes += chunk.byteLength
  }
  return Buffer.concat(chunks).toString('latin1')
}

function toBody(body: unknown): Inbound['body'] {
  if (body instanceof Uint8Array) return Buffer.from(body).toString('latin1')
  if (typeof body === 'string') return body
  return typeof body === 'object' && body !== null ? { ...body } : undefined
}
