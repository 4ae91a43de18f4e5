import type { IncomingMessage, ServerResponse } from 'node:http'
import { type NodeGatewayRequest, sendGatewayReply } from '@tallystick/client'
import type { GatewayReply } from '@tallystick/core'

/** A request of Fastify. Its body was read by Fastify, where it has one that is read. */
interface FastifyRequest {
  readonly server: object
  readonly raw: IncomingMessage
  readonly originalUrl: string
  readonly ip: string
  readonly body?: unknown
}

/** A response of Fastify. */
interface FastifyReply {
  readonly raw: ServerResponse
  getHeaders(): Readonly<Record<string, number | string | readonly string[] | undefined>>
  hijack(): unknown
}

export type PlatformRequest = NodeGatewayRequest | FastifyRequest
export type PlatformResponse = ServerResponse | FastifyReply

/** The request as the client reads it. Express's is one already. */
export function nodeRequestOf(request: PlatformRequest): NodeGatewayRequest {
  // Middleware of Express may leave a `raw` of its own.
  if (!('raw' in request && 'server' in request)) return request
  const { raw, originalUrl, ip, body } = request
  const wasParsed = body !== undefined
  return {
    method: raw.method,
    originalUrl,
    ip,
    headers: raw.headers,
    headersDistinct: raw.headersDistinct,
    body,
    readableEnded: wasParsed || raw.readableEnded,
    readableDidRead: wasParsed || raw.readableDidRead,
    [Symbol.asyncIterator]: () => raw[Symbol.asyncIterator](),
  }
}

/**
 * Answers by the response of Node itself, exactly: Express and plugins of Fastify would answer 304 to a caller who names
 * conditions, which acknowledges nothing. Not where somebody has answered already, as an interceptor that waits only so long.
 */
export function send(response: PlatformResponse, reply: GatewayReply): void {
  const raw = 'hijack' in response ? response.raw : response
  if (raw.headersSent) return
  if ('hijack' in response) keepHeaders(response)
  sendGatewayReply(raw, reply)
  // Fastify keeps its hands off. Not before: what cannot be sent is answered by the app's filters, through Fastify.
  if ('hijack' in response) response.hijack()
}

/** What plugins of Fastify have set is sent, too. */
function keepHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
}
