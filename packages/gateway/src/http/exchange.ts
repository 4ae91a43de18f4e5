import type { GatewayReply, GatewayRequest } from '@tallystick/core'

export type { GatewayReply, GatewayRequest } from '@tallystick/core'

/** Answers a request. */
export type Handle = (request: GatewayRequest) => Promise<GatewayReply>

/** One header that must come once: its value, or `undefined` when it is absent or came twice. */
export function singleHeader({ headers }: GatewayRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
