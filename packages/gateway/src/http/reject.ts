import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { SAFE_HEADERS } from './reply.ts'
import { shownPath } from './request.ts'

/** Answers requests that no handler sees, instead of Node: with the same statuses, and our headers. */

const { STATUS_CODES } = process.getBuiltinModule('node:http')
const { Socket } = process.getBuiltinModule('node:net')

const HEADERS = { ...SAFE_HEADERS, connection: 'close', 'content-length': '0' }

/** Connections that end with the answer to a request that has come. */
const ending = new WeakSet<IncomingMessage['socket']>()

/** Notes that a connection ends with the answer to this request. */
function endWithAnswerTo({ socket }: IncomingMessage): void {
  ending.add(socket)
}

/**
 * Whether a request came behind one with whose answer the connection ends. Its own answer could not be sent, so it must not be
 * served: nobody would know that it was.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9112#section-9.6 RFC 9112 section 9.6}
 */
export function isTooLate({ socket }: IncomingMessage): boolean {
  return ending.has(socket)
}

/** By the code of the error. Any other error means that what arrived is no request. */
const STATUS_OF: ReadonlyMap<string | undefined, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
])

/** The last answer of each connection, until it is given. */
const answers = new WeakMap<Duplex, ServerResponse>()

/** Notes that a request will be answered. Then it is forgotten: connections are idle for minutes, and would keep it in memory. */
export function noteAnswer(response: ServerResponse): void {
  const { socket } = response.req
  answers.set(socket, response)
  response.once('close', () => {
    if (answers.get(socket) === response) answers.delete(socket)
  })
}

/**
 * Answers a connection from which no further request can be read, and ends it. If the one before was read whole, its own answer
 * comes, and is the last: a 400 in its place would say that a payment was refused which is being made. A caller who has gone is
 * refused nothing.
 */
export function refuseConnection(
  { code }: NodeJS.ErrnoException,
  socket: Duplex,
  onUnread: (refused: RefusedRequest) => void,
): void {
  const answer = answers.get(socket)
  const status = STATUS_OF.get(code) ?? 400
  if (socket.writable) {
    const peer = socket instanceof Socket ? socket.remoteAddress : undefined
    onUnread({ status, peer, reason: `it could not be read (${code})` })
  }
  if (answer?.req.complete && !answer.writableFinished) endAfter(answer)
  else endWith(status, socket)
}

function endWith(status: number, socket: Duplex): void {
  if (socket.writable) socket.write(headOf(status))
  socket.destroy()
}

function endAfter(answer: ServerResponse): void {
  const { socket } = answer.req
  // What else arrives would be refused again and again.
  socket.pause()
  answer.shouldKeepAlive = false
  answer.once('finish', () => socket.destroySoon())
}

/** Refuses a request that could be read, but must not be served. */
export function refuse(
  response: ServerResponse,
  status: number,
  reason: string,
  onUnread: (refused: RefusedRequest) => void,
): void {
  const { method = '', url = '', socket } = response.req
  onUnread({ method, path: shownPath(url), status, peer: socket.remoteAddress, reason })
  endWithAnswerTo(response.req)
  response.writeHead(status, HEADERS).end()
}

/**
 * Whether a request leaves open which host it is for.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9112#section-3.2 RFC 9112 section 3.2}
 */
export function namesNoHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts++
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1')
}

/** The answer to a connection from which nothing is read. */
export function headOf(status: number, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ ...HEADERS, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', ''].join('\r\n')
}

/** A request that was refused before any handler of the gateway saw it. */
export interface RefusedRequest {
  /** Like the path absent if the request could not be read. */
  readonly method?: string
  readonly path?: string
  readonly status: number
  /** The address that it came from, if the server knows it. */
  readonly peer: string | undefined
  readonly reason: string
}

/** Many times what any form needs, which is 64 KiB. */
const MOST_BYTES = 16 * 1024 * 1024

const LONGEST_MS = 10_000

/**
 * Reads on after the reply to a request whose body is too large, and keeps nothing. Most clients read a reply only once they have
 * sent everything, and would lose it with a connection that is closed under unread bytes. Resolves at the end of the body or
 * of the connection, or when the body is longer than anyone needs to be told.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9112#section-9.6 RFC 9112 section 9.6}
 */
export function discardRest(incoming: IncomingMessage): Promise<void> {
  if (incoming.destroyed) return Promise.resolve()
  endWithAnswerTo(incoming)
  return new Promise((resolve) => {
    let bytes = 0
    const finish = () => {
      clearTimeout(limit)
      resolve()
    }
    const limit = setTimeout(finish, LONGEST_MS)
    const discard = (chunk: Uint8Array) => {
      bytes += chunk.byteLength
      if (bytes > MOST_BYTES) finish()
    }
    incoming.on('data', discard).once('end', finish).once('close', finish).resume()
  })
}
