import type { ServerResponse } from 'node:http'
import { type Pair, serializeForm } from '@tallystick/core'
import type { GatewayReply, GatewayRequest } from '@tallystick/core/internal'
import { type Handler, HandlerError, type HeaderValues } from './handler.ts'
import { addressOf, type NodeRequest, readBody, readWhole } from './inbound.ts'

/**
 * The handler for servers that speak `Request` and `Response`: Next, Hono, Bun, Deno, workers.
 *
 *     export const GET = toFetchHandler(handler)
 *     export const POST = GET
 *
 * Pass it a request that nobody has read. It throws a `HandlerError`: have the server answer its `status`.
 */
export function toFetchHandler(handler: Handler): (request: Request) => Promise<Response> {
  return async (request) => {
    const { search } = new URL(request.url)
    const body = await bodyOf(request)
    const { method } = request
    const headers = Object.fromEntries(request.headers)
    const answer = await handler({ method, query: search.slice(1), body, headers })
    return new Response(answer.body, answer)
  }
}

/** @throws HandlerError `BODY_CUT`, `BODY_TAKEN` */
async function bodyOf({ body, bodyUsed }: Request): Promise<string | undefined> {
  if (body === null) return undefined
  if (bodyUsed || body.locked) throw new HandlerError('BODY_TAKEN')
  return await readWhole(body)
}

/** The `handle` of a gateway inside of the app. */
export type GatewayHandle = (request: GatewayRequest) => Promise<GatewayReply>

/** A request of a framework on Node, for a gateway inside of the app. */
export interface NodeGatewayRequest extends NodeRequest {
  readonly headers: HeaderValues
  /** As Node separates them: each name with all of its values. */
  readonly headersDistinct?: Readonly<Record<string, readonly string[] | undefined>>
}

/**
 * Converts a request to a gateway, whether or not a body parser has read it. Both signatures of the interface cover the
 * fields, not the bytes, so a parsed form can be written anew. A name that came twice stays two.
 *
 * @throws HandlerError if the body cannot be read
 */
export async function readGatewayRequest(request: NodeGatewayRequest): Promise<GatewayRequest> {
  const { method = '', ip: peer } = request
  return { method, url: addressOf(request), headers: separate(request), body: formOf(await readBody(request)), peer }
}

/** Node joins repeated headers; the gateway has to know that they were repeated. */
function separate({ headers, headersDistinct }: NodeGatewayRequest): GatewayRequest['headers'] {
  if (headersDistinct === undefined) return headers
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values]) => [name, values?.length === 1 ? values[0] : values]),
  )
}

function formOf(body: unknown): string {
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null) return ''
  return serializeForm(Object.entries(body).flatMap(([name, value]) => pairsOf(name, value)))
}

/** Some parsers read `a[b]=c` as an object in an object. */
function pairsOf(name: string, value: unknown): readonly Pair[] {
  if (Array.isArray(value)) return value.flatMap((one) => pairsOf(name, one))
  if (typeof value !== 'object' || value === null) return [[name.toWellFormed(), textOf(value)]]
  return Object.entries(value).flatMap(([inner, one]) => pairsOf(`${name}[${inner}]`, one))
}

/** The value may come from JSON: a form holds only texts. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

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
