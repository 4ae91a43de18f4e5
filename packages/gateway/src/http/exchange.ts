import type { GatewayRequest } from '@tallystick/core'

export type { GatewayReply, GatewayRequest } from '@tallystick/core'

/** One header that must come once: its value, or `undefined` when it is absent or came twice. */
export function singleHeader({ headers }: GatewayRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
