/** What may happen to a request on its way. Each fault has a server, which notes what arrived. */
import type { Socket } from 'node:net'
import { drip, pour } from '../harness/hostile-sockets.ts'
import type { ProxyKind } from './fault-servers.ts'

export type Ending = 'accepted' | 'notSent' | 'unknown'

export interface Fault {
  readonly ending: Ending
  /** How the first call ends. Default: as all others. */
  readonly first?: Ending
  /** The server closes the connection silently: a client that does not see it in time loses the reply to its next request. */
  readonly isRace?: true
  /** Default: `http`. `none`: nothing listens there. */
  readonly scheme?: 'http' | 'https' | 'https-to-plain' | 'none'
  /** Which certificate an https server shows. Default: `trusted`, which the program is configured to trust. */
  readonly certificate?: 'trusted' | 'stranger' | 'other-host' | 'expired'
  /** Default: all versions that Node speaks. */
  readonly tls?: 'TLSv1.1' | 'TLSv1.3'
  readonly proxy?: ProxyKind
  readonly connection?: (socket: Socket) => void
  /** Called with a whole request. Default: it is accepted. */
  readonly request?: Reaction
  /** Default: 20 000, for calls that end long before. */
  readonly timeoutMs?: number
  readonly abortAfterMs?: number
  /** How many calls are made, one after the other. Default: 1. */
  readonly calls?: number
  /** How many are under way at once. Default: 1. */
  readonly atOnce?: number
}

type Reaction = (socket: Socket, request: ArrivedRequest) => void

export interface ArrivedRequest {
  readonly path: string
  readonly clientOrderId: string
  /** Which of the server's requests it is, from 1 on. */
  readonly number: number
  /** Where the server named `accepts` listens. */
  readonly elsewhere: string
}

const DEADLINE_MS = 700
const HTML = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n'
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
const MORE = 'x'.repeat(65_536)

const SECOND = { ending: 'unknown', calls: 2, first: 'accepted' } as const

export const FAULTS: Readonly<Record<string, Fault>> = {
  accepts: { ending: 'accepted', calls: 3, atOnce: 8 },
  'accepts and closes': {
    ending: 'accepted',
    calls: 5,
    isRace: true,
    request: (socket, to) => socket.end(accepted(to)),
  },
  'says that it closes': {
    ending: 'accepted',
    calls: 5,
    request: (socket, to) => socket.end(accepted(to, 'connection: close\r\n')),
  },
  'early hints first': {
    ending: 'accepted',
    request: (socket, to) => socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${accepted(to)}`),
  },
  'byte by byte': {
    ending: 'accepted',
    request: (socket, to) => {
      socket.setNoDelay(true)
      for (const byte of Buffer.from(accepted(to))) socket.write(Buffer.of(byte))
    },
  },
  refuses: { ending: 'notSent', scheme: 'none', calls: 2, atOnce: 4 },
  'reset after the request': { ending: 'unknown', atOnce: 8, request: (socket) => socket.resetAndDestroy() },
  'ended after the request': { ending: 'unknown', atOnce: 8, request: (socket) => socket.end() },
  'reset by the second request': { ...SECOND, request: unlessFirst((socket) => socket.resetAndDestroy()) },
  'ended by the second request': { ...SECOND, request: unlessFirst((socket) => socket.end()) },
  'half a head': { ending: 'unknown', request: (socket) => socket.end('HTTP/1.1 200 OK\r\ncont') },
  'half a body': { ending: 'unknown', request: (socket, to) => socket.end(accepted(to).slice(0, -3)) },
  'half a chunked body': { ending: 'unknown', request: (socket) => socket.end(`${CHUNKED}5\r\n{"a":\r\n`) },
  'no HTTP': { ending: 'unknown', request: (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n') },
  silence: { ending: 'unknown', timeoutMs: DEADLINE_MS, request: () => {} },
  'a reply that drips': { ending: 'unknown', timeoutMs: DEADLINE_MS, request: (socket) => drip(socket, HTML, ' ', 50) },
  'an endless head': { ending: 'unknown', request: (socket) => pour(socket, 'HTTP/1.1 200 ', MORE) },
  'an endless body': { ending: 'unknown', request: (socket) => pour(socket, HTML, MORE) },
  'an endless chunk extension': { ending: 'unknown', request: (socket) => pour(socket, `${CHUNKED}5;`, MORE) },
  'a redirect': { ending: 'unknown', request: redirect('307 Elsewhere') },
  'a redirect by 308': { ending: 'unknown', request: redirect('308 Elsewhere') },
  'try again later': {
    ending: 'unknown',
    request: (socket) => socket.write(replied('503 Busy', '', 'retry-after: 0\r\n')),
  },
  'aborted before the reply': { ending: 'unknown', abortAfterMs: 300, request: () => {} },
  'aborted before it began': { ending: 'notSent', abortAfterMs: 0 },
  'aborted in the handshake': { ending: 'notSent', scheme: 'https-to-plain', abortAfterMs: 200 },
  'a handshake without an end': { ending: 'notSent', scheme: 'https-to-plain', timeoutMs: DEADLINE_MS },
  'no TLS': { ending: 'notSent', scheme: 'https-to-plain', connection: (socket) => socket.end('no TLS\r\n') },
  'a hang-up in the handshake': {
    ending: 'notSent',
    scheme: 'https-to-plain',
    connection: (socket) => socket.once('data', () => socket.destroy()),
  },
  'trusted TLS': { ending: 'accepted', scheme: 'https', calls: 2, atOnce: 4 },
  'TLS 1.3': { ending: 'accepted', scheme: 'https', tls: 'TLSv1.3' },
  'TLS 1.1': { ending: 'notSent', scheme: 'https', tls: 'TLSv1.1' },
  'a certificate of a stranger': { ending: 'notSent', scheme: 'https', certificate: 'stranger' },
  'a certificate of another host': { ending: 'notSent', scheme: 'https', certificate: 'other-host' },
  'an expired certificate': { ending: 'notSent', scheme: 'https', certificate: 'expired' },
  'through a proxy': { ending: 'accepted', scheme: 'https', proxy: 'tunnels', calls: 2 },
  'through a proxy, a stranger': { ending: 'notSent', scheme: 'https', proxy: 'tunnels', certificate: 'stranger' },
  'through a proxy, TLS 1.1': { ending: 'notSent', scheme: 'https', proxy: 'tunnels', tls: 'TLSv1.1' },
  'through a proxy, reset after the request': {
    ending: 'unknown',
    scheme: 'https',
    proxy: 'tunnels',
    request: (socket) => socket.destroy(),
  },
  'a proxy that refuses': { ending: 'notSent', scheme: 'https', proxy: 'refuses' },
  'a proxy that is silent': { ending: 'notSent', scheme: 'https', proxy: 'is silent', timeoutMs: DEADLINE_MS },
  'reset after the request over TLS': { ending: 'unknown', scheme: 'https', request: (socket) => socket.destroy() },
}

function redirect(status: string): Reaction {
  return (socket, { elsewhere, path }) => socket.write(replied(status, '', `location: ${elsewhere}${path}\r\n`))
}

/** Accepts the first request of two. */
function unlessFirst(then: (socket: Socket) => void): Reaction {
  return (socket, to) => (to.number % 2 === 1 ? accept(socket, to) : then(socket))
}

/** Accepts a request, and leaves the connection open. */
export function accept(socket: Socket, to: ArrivedRequest): void {
  socket.write(accepted(to))
}

function accepted({ number }: ArrivedRequest, headers = ''): string {
  return replied('200 OK', `{"type":"async-response","paynet-order-id":"${6_768_788 + number}"}`, headers)
}

function replied(status: string, body: string, headers: string): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`
}
