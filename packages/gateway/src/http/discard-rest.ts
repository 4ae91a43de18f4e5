import type { IncomingMessage } from 'node:http'
import { endWithAnswerTo } from './ending-connections.ts'

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
