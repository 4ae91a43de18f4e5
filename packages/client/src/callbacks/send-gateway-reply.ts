import type { ServerResponse } from 'node:http'
import type { GatewayReply } from '@tallystick/core'

/** Sends what a gateway inside of the app answers; where a fault on demand says so, not all of it. */
export function sendGatewayReply(
  response: Pick<ServerResponse, 'writeHead' | 'write' | 'end' | 'destroy'>,
  { status, headers, body, cut }: GatewayReply,
): void {
  if (cut === 'before-reply') return void response.destroy()
  const bytes = Buffer.byteLength(body)
  if (cut === undefined) {
    response.writeHead(status, { ...headers, 'content-length': bytes }).end(body)
    return
  }
  response.writeHead(status, { ...headers, 'content-length': bytes + 1 })
  response.write(body, () => response.destroy())
}
