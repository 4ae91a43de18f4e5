import type { IncomingMessage, ServerResponse } from 'node:http'
import { type readGatewayRequest, sendGatewayReply } from '@tallystick/client/internal'
import type { GatewayReply } from '@tallystick/core/internal'

type NodeGatewayRequest = Parameters<typeof readGatewayRequest>[0]

/** A request of Fastify, which has read the body if it has a parser for it. */
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

/** The request as the client reads it. A request of Express already is one. */
export function nodeRequestOf(request: PlatformRequest): NodeGatewayRequest {
  // Express middleware may set a `raw` of its own.
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
 * Answers exactly, through Node's own response: Express and plugins of Fastify would answer a conditional request with 304, which
 * acknowledges nothing. Does nothing if there is an answer already, such as that of an interceptor with a timeout.
 */
export function send(response: PlatformResponse, reply: GatewayReply): void {
  const raw = 'hijack' in response ? response.raw : response
  if (raw.headersSent) return
  if ('hijack' in response) keepHeaders(response)
  sendGatewayReply(raw, reply)
  // From here on Fastify leaves the response alone. Not earlier: if sending fails, the app's filters answer through Fastify.
  if ('hijack' in response) response.hijack()
}

/** Also sends the headers that plugins of Fastify have set. */
function keepHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
}
