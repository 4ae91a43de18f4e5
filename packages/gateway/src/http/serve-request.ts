import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type GatewayReply, type GatewayRequest, REQUEST_LIMITS } from '@tallystick/core'
import { discardRest } from './discard-rest.ts'
import { isFromHere } from './is-from-here.ts'

interface Served {
  readonly server: Pick<Server, 'listening'>
  /** Called when the request has been read. */
  readonly onArrived: (response: ServerResponse) => void
  readonly handle: (request: GatewayRequest, isFromHere: boolean) => Promise<GatewayReply>
}

/** Reads a request, and answers it with what the handler returns. */
export async function serveRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  { server, onArrived, handle }: Served,
): Promise<void> {
  const { method = '', url = '' } = incoming
  const body = hasBody(incoming) ? await readBody(incoming) : ''
  onArrived(response)
  const { remoteAddress: peer } = incoming.socket
  const request = { method, url: originForm(url), headers: separateHeaders(incoming), body, peer }
  const reply = await handle(request, isFromHere(incoming.socket))
  if (reply.cut !== undefined) return breakOff(response, reply)
  // No request is served after a body that is too large, nor, once the server stops, after this one.
  const connection = incoming.complete && server.listening ? {} : { connection: 'close' }
  const bytes = Buffer.byteLength(reply.body)
  response.writeHead(reply.status, { ...reply.headers, ...connection, 'content-length': bytes })
  // Most replies and pages are ASCII, which is the same in both encodings. Node sends Latin-1 without converting it.
  const encoding = bytes === reply.body.length ? 'latin1' : 'utf8'
  if (incoming.complete) return void response.end(reply.body, encoding)
  response.write(reply.body, encoding)
  await discardRest(incoming)
  response.end()
}

/** Loses a reply on demand: the caller's connection ends before the reply, or within it. */
function breakOff(response: ServerResponse, { cut, status, headers, body }: GatewayReply): void {
  if (cut === 'before-reply') return void response.destroy()
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) + 1 })
  response.write(body, () => response.destroy())
}

/**
 * Path and query. A request as for a proxy has scheme and host before them, which are dropped.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2 RFC 9112 section 3.2.2}
 */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '')
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc9112#section-6.3 RFC 9112 section 6.3} */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Stops reading just past the limit: enough for the gateway to refuse the body in its own words. */
function readBody(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let bytes = 0
    const finish = () => {
      incoming.off('data', take)
      incoming.pause()
      resolve(Buffer.concat(chunks).toString('latin1'))
    }
    const take = (chunk: Uint8Array) => {
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes > REQUEST_LIMITS.maxBytes) finish()
    }
    incoming.on('data', take).once('end', finish).once('error', reject)
  })
}

/** Node joins headers that come twice; the gateway has to know that they did. */
function separateHeaders({ headersDistinct }: IncomingMessage): GatewayRequest['headers'] {
  const headers: Record<string, string | readonly string[] | undefined> = Object.create(null)
  for (const name in headersDistinct) {
    const values = headersDistinct[name]
    headers[name] = values?.length === 1 ? values[0] : values
  }
  return headers
}
