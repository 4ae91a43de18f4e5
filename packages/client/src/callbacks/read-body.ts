import { REQUEST_LIMITS } from '@tallystick/core'
import type { HeaderValues } from './handler.ts'
import { HandlerError } from './handler-error.ts'

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
