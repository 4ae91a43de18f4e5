import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GatewayReply } from '@tallystick/core/internal'
import { type NodeGatewayRequest, sendGatewayReply } from './fetch.ts'

/** The part of a request of Fastify that is used, which has read the body if it has a parser for it. */
export interface FastifyRequestParts {
  readonly raw: IncomingMessage
  readonly originalUrl: string
  readonly ip: string
  readonly body?: unknown
}

/** The part of a reply of Fastify that is used. */
export interface FastifyReplyParts {
  readonly raw: ServerResponse
  getHeaders(): Readonly<Record<string, number | string | readonly string[] | undefined>>
  hijack(): unknown
}

/** Converts a request of Fastify, whether or not one of its parsers has read the body. */
export function fromFastify({ raw, originalUrl, ip, body }: FastifyRequestParts): NodeGatewayRequest {
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
 * Answers exactly, with the headers that plugins of Fastify have set, through Node's own response: a plugin would answer a
 * conditional request with 304, which acknowledges nothing. Does nothing if there is an answer already, such as that of a timeout.
 */
export function sendByFastify(reply: FastifyReplyParts, answer: GatewayReply): void {
  const { raw } = reply
  if (raw.headersSent) return
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  sendGatewayReply(raw, answer)
  // From here on Fastify leaves the response alone. Not earlier: if sending fails, the app's error handler answers through Fastify.
  reply.hijack()
}
