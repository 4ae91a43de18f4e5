import type { ServerResponse } from 'node:http'
import type { GatewayReply } from '@tallystick/core'

/** Sends the answer of a gateway inside of the app; not all of it if a fault on demand says so. */
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
