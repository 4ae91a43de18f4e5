import type { ServerResponse } from 'node:http'
import type { GatewayReply } from '@tallystick/core'

/** Sends the answer of a gateway inside of the app; not all of it if a fault on demand says so. */
export function sendGatewayReply(
  response: Pick<ServerResponse, 'writeHead' | 'write' | 'end' | 'destroy'>,
  reply: GatewayReply,
): void {
  const { status, headers, body, cut } = reply
  if (cut === 'before-reply') return void response.destroy()
  // Of a cut one, a byte more than comes is announced.
  const isCut = cut !== undefined
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) + Number(isCut) })
  if (isCut) response.write(body, () => response.destroy())
  else response.end(body)
}
