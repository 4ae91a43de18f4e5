import { type GatewayReply, type GatewayRequest, type Pair, serializeForm } from '@tallystick/core'
import type { HeaderValues } from './handler.ts'
import { readBody } from './read-body.ts'
import { addressOf, type NodeRequest } from './read-inbound.ts'

/** What answers for a gateway inside of the app: its `handle`. */
export type GatewayHandle = (request: GatewayRequest) => Promise<GatewayReply>

/** A request of a framework on Node, for a gateway inside of the app. */
export interface NodeGatewayRequest extends NodeRequest {
  readonly headers: HeaderValues
  /** As Node tells them apart: each name with all that came under it. */
  readonly headersDistinct?: Readonly<Record<string, readonly string[] | undefined>>
}

/**
 * Converts a request to a gateway, whichever body parser has read it, or none. Both of the interface's signatures are over
 * the fields, not the bytes, so that a form which a parser has read can be written anew. A name that came twice stays two.
 *
 * @throws HandlerError where the body cannot be had
 */
export async function readGatewayRequest(request: NodeGatewayRequest): Promise<GatewayRequest> {
  const { method = '' } = request
  return { method, url: addressOf(request), headers: separate(request), body: formOf(await readBody(request)) }
}

/** Node joins headers that come twice; the gateway has to know that they did. */
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

/** Parsers that nest read `a[b]=c` as an object in an object. */
function pairsOf(name: string, value: unknown): readonly Pair[] {
  if (Array.isArray(value)) return value.flatMap((one) => pairsOf(name, one))
  if (typeof value !== 'object' || value === null) return [[name.toWellFormed(), textOf(value)]]
  return Object.entries(value).flatMap(([inner, one]) => pairsOf(`${name}[${inner}]`, one))
}

/** Of JSON, too: a form holds texts alone. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
