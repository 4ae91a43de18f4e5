import type { ServerResponse } from 'node:http'
import {
  type FastifyReplyParts,
  type FastifyRequestParts,
  fromFastify,
  type readGatewayRequest,
  sendByFastify,
  sendGatewayReply,
} from '@tallystick/client/internal'
import type { GatewayReply } from '@tallystick/core/internal'

type NodeGatewayRequest = Parameters<typeof readGatewayRequest>[0]

export type PlatformRequest = NodeGatewayRequest | (FastifyRequestParts & { readonly server: object })
export type PlatformResponse = ServerResponse | FastifyReplyParts

/** The request as the client reads it. A request of Express already is one. */
export function nodeRequestOf(request: PlatformRequest): NodeGatewayRequest {
  // Express middleware may set a `raw` of its own.
  return 'raw' in request && 'server' in request ? fromFastify(request) : request
}

/** Answers exactly: Express would answer a conditional request with 304, which acknowledges nothing. */
export function send(response: PlatformResponse, reply: GatewayReply): void {
  if ('hijack' in response) sendByFastify(response, reply)
  // An interceptor with a timeout may have answered.
  else if (!response.headersSent) sendGatewayReply(response, reply)
}
