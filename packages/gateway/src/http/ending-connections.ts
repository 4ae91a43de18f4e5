import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Connections that end with the answer to a request that has come. */
const ending = new WeakSet<Socket>()

/** Notes that a connection ends with the answer to this request. */
export function endWithAnswerTo({ socket }: IncomingMessage): void {
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
