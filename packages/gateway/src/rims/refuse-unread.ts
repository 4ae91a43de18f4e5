import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { SAFE_HEADERS } from '../http/safe-headers.ts'

/** What Node would answer by itself to requests that no handler sees: with the same statuses, and our headers. */

const { STATUS_CODES } = process.getBuiltinModule('node:http')

const HEADERS = { ...SAFE_HEADERS, connection: 'close', 'content-length': '0' }

/** By the code of the error. Any other is a request that is none. */
const STATUS_OF: ReadonlyMap<string | undefined, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
])

/** Answers a connection from which no further request can be read, and ends it. */
export function refuseConnection({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (socket.writable) socket.write(headOf(STATUS_OF.get(code) ?? 400))
  socket.destroy()
}

/** Answers a request that could be read, and may not be answered as it is. */
export function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, HEADERS).end()
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc9112#section-3.2 RFC 9112 section 3.2} */
export function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined
}

function headOf(status: number): string {
  const lines = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', ''].join('\r\n')
}
