import { MalformedFormError, type Pair, parseCallbackForm } from '@tallystick/core'
import { callbackDecides, type FormLimits, REQUEST_LIMITS } from '@tallystick/core/internal'
import { HandlerError, type HeaderValues, type Inbound } from './handler.ts'

/** The request of a framework on Node, as far as needed here. */
export interface NodeRequest extends RequestBody {
  readonly method?: string | undefined
  /** The address as it arrived; Express keeps it here when a router cuts `url`. */
  readonly originalUrl?: string
  readonly url?: string | undefined
  /** The customer's network address, from the framework, by which proxies the app trusts. */
  readonly ip?: string | undefined
}

/**
 * Converts a request, whether or not a body parser has read it: uses a text, bytes or an object as they are, and reads an
 * unread body, of one past the limit only enough for the handler to refuse it. The body of a GET means nothing (RFC 9110
 * section 9.3.1), and is left.
 *
 * @throws HandlerError if the body cannot be read
 */
export async function readInbound(request: NodeRequest): Promise<Inbound> {
  const { method = '', headers, ip } = request
  const url = addressOf(request)
  const mark = url.indexOf('?')
  return {
    method,
    query: mark < 0 ? '' : url.slice(mark + 1),
    body: method === 'GET' ? undefined : toBody(await readBody(request)),
    headers,
    customerIp: ip,
  }
}

/** The path and the query as they arrived, whatever a router has cut off. */
export function addressOf({ originalUrl, url }: Pick<NodeRequest, 'originalUrl' | 'url'>): string {
  return originalUrl ?? url ?? ''
}

function toBody(body: unknown): Inbound['body'] {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  return typeof body === 'object' && body !== null ? { ...body } : undefined
}

const CALLBACK_LIMITS: FormLimits = { ...REQUEST_LIMITS, maxPairs: 100 }

/**
 * Reads the parameters of a callback: from the query for GET, from the form for POST, whatever body parser ran before. Anybody can
 * send what is no form: the error is a value.
 */
export function readInboundForm<Read>(
  inbound: Inbound,
  read: (pairs: readonly Pair[]) => Read,
): Read | MalformedFormError {
  try {
    return read(inboundPairs(inbound))
  } catch (error) {
    if (error instanceof MalformedFormError) return error
    throw error
  }
}

function inboundPairs({ method, query, body }: Inbound): readonly Pair[] {
  if (method === 'GET') return pairsIn(query)
  return typeof body === 'string' ? pairsIn(body) : parsedPairs(body ?? {})
}

function pairsIn(text: string): readonly Pair[] {
  return parseCallbackForm(text, CALLBACK_LIMITS).map(
    ([name, value]): Pair => [inCharacters(name), inCharacters(value)],
  )
}

/** Servers hand over raw bytes as characters (Latin-1). Those that are no UTF-8 stay what they are then. */
function inCharacters(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}

/** What a parser made of the form: a list of a name that came twice, an object of names with brackets. */
function parsedPairs(body: Readonly<Record<string, unknown>>): readonly Pair[] {
  const { maxPairs, maxBytes } = CALLBACK_LIMITS
  const pairs = Object.entries(body).flatMap(([name, value]) => textsOf(name, value))
  if (pairs.length > maxPairs) {
    throw new MalformedFormError('too-many-pairs', `The form has more than ${maxPairs} pairs.`)
  }
  if (lengthOf(pairs) > maxBytes) {
    throw new MalformedFormError('too-large', `The form is larger than ${maxBytes} bytes; send less.`)
  }
  return pairs
}

/** Of the texts alone: a form that was too large only by its escapes is parsed already. */
function lengthOf(pairs: readonly Pair[]): number {
  return pairs.reduce((length, [name, value]) => length + name.length + value.length, 0)
}

/** What decides must be one text: a list may be a name that came twice, or one with brackets. Any other value counts as absent. */
function textsOf(name: string, value: unknown): readonly Pair[] {
  if (typeof value === 'string') return [[name, value]]
  if (!callbackDecides(name)) return []
  throw new MalformedFormError('repeated-name', 'A parameter came twice or is not a text; send each once.')
}

/** The part of a request from which its body is read. */
export interface RequestBody extends AsyncIterable<Uint8Array> {
  /** What a body parser made of the body. */
  readonly body?: unknown
  readonly headers?: HeaderValues
  /** Whether somebody has read the body to its end. */
  readonly readableEnded: boolean
  /** Whether somebody has begun to read it. */
  readonly readableDidRead?: boolean
}

/**
 * The body as a parser has left it, or the text of an unread one. Bytes are not decoded: each is a character, as in a form.
 *
 * @throws HandlerError `BODY_CUT`, `BODY_TAKEN`
 */
export async function readBody(request: RequestBody): Promise<unknown> {
  if (isLost(request)) throw new HandlerError('BODY_TAKEN')
  const body = request.readableEnded ? request.body : await readWhole(request)
  return body instanceof Uint8Array ? Buffer.from(body).toString('latin1') : body
}

/**
 * Reads a body to its end, but keeps of one that is too large only enough to show that.
 *
 * @throws HandlerError `BODY_CUT`
 */
export async function readWhole(body: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    return await readLimited(body)
  } catch (error) {
    throw new HandlerError('BODY_CUT', error)
  }
}

async function readLimited(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    if (bytes <= REQUEST_LIMITS.maxBytes) chunks.push(chunk)
    bytes += chunk.byteLength
  }
  return Buffer.concat(chunks).toString('latin1')
}

/** The rest of a body that was read in part must not pass for the whole, nor nothing for a body that was declared. */
function isLost({ readableEnded, readableDidRead, body, headers = {} }: RequestBody): boolean {
  if (!readableEnded) return readableDidRead === true
  const isDeclared = Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined
  return isDeclared && isNothing(body)
}

/** A parser for bodies of another type leaves `{}`. */
function isNothing(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return body === undefined
  const prototype: unknown = Object.getPrototypeOf(body)
  return (prototype === Object.prototype || prototype === null) && Object.keys(body).length === 0
}
