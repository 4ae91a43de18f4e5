import type { GatewayReply, GatewayRequest } from '@tallystick/core'

/** Answers a request. */
export type Handle = (request: GatewayRequest) => Promise<GatewayReply>
