import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clearTimeout as clearRealTimeout, setTimeout as setRealTimeout } from 'node:timers'
import { type GatewayReply, type GatewayRequest, REQUEST_LIMITS } from '@tallystick/core/internal'
import { afterNextTurn } from '../runtime/system.ts'
import { limitConnections } from './connection-limit.ts'
import {
  discardRest,
  isTooLate,
  namesNoHost,
  noteAnswer,
  type RefusedRequest,
  refuse,
  refuseConnection,
} from './reject.ts'

// Not the global ones, which a test may have replaced by fakes that it drives.

/** An `import` of `node:http` also loads Node's WebSocket, which takes many times as long as `node:http` itself. */
const { createServer } = process.getBuiltinModule('node:http')
const { Server: SocketServer } = process.getBuiltinModule('node:net')

/** Where a server listens, and how it stops. */
export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined
  /** Default `127.0.0.1`: only this machine. */
  readonly host?: string | undefined
  /**
   * How long a caller may still send a request over a connection that is kept alive when the server stops. It is answered, as the
   * last one. Use 0 if all callers are in this process: what they have sent by then is answered. Default 300 ms.
   */
  readonly lingerMs?: number | undefined
  /**
   * The most connections. If there are more, one is closed that has sent no request for the longest time. Default: what the
   * limit of files of this process leaves beside callbacks and the store, at most 10,000.
   */
  readonly maxConnections?: number | undefined
  /** Called when there are more. */
  readonly onConnectionsFull?: (() => void) | undefined
  /** Called for each request that is refused before the handler sees it. */
  readonly onUnread?: ((refused: RefusedRequest) => void) | undefined
}

/** A reply that may go on. */
export interface StreamedReply extends GatewayReply {
  /**
   * Only of a sandbox: the parts that follow the body, each sent as it comes. They have to end soon after the signal, which says
   * that the caller has gone or the server stops.
   */
  readonly stream?: ((ended: AbortSignal) => AsyncIterable<string>) | undefined
}

/** A server that listens. */
export interface Listener {
  /** Scheme, host and port: `http://127.0.0.1:8080`. */
  readonly origin: string
  /** Stops. Requests under way are answered first; those that do not end are cut off after a minute. */
  close(): Promise<void>
}

/**
 * How long an idle connection stays open: longer than proxies keep theirs (a minute or two, and the load balancers of one cloud
 * ten, which nobody can change), so that it is the proxy that ends it. If the server ends it first, a payment that is just being
 * sent over it is lost, and the proxy answers 502, which says nothing about the payment.
 */
const KEEP_ALIVE_MS = 620_000

/** How long a request may take to arrive, checked every few seconds. One that names no host is refused below, not by Node. */
const ARRIVAL = {
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5000,
  requireHostHeader: false,
  keepAliveTimeout: KEEP_ALIVE_MS,
}

/**
 * Callers who are busy send their next request within this time, and learn from its answer that they need another connection.
 * There is no other way to tell them: a connection that is just closed may have a payment on it, and nobody would know whether
 * it was made.
 */
const LINGER_MS = 300

const NO_HOST = 'it names no host, or several'

/** A request that has begun may still arrive and be answered, 30 s each. */
const STOP_WITHIN_MS = 60_000

/** Serves a gateway's handler over HTTP/1.1, and passes it whether the caller is on this machine. */
export async function listen(
  handle: (request: GatewayRequest, isFromHere: boolean) => Promise<StreamedReply>,
  {
    port = 0,
    host = '127.0.0.1',
    lingerMs = LINGER_MS,
    maxConnections,
    onConnectionsFull,
    onUnread = () => {},
  }: ListenOptions = {},
): Promise<Listener> {
  const streams = new Set<AbortController>()
  const server = createServer(ARRIVAL, (incoming, response) => {
    if (isTooLate(incoming)) return
    noteAnswer(response)
    if (namesNoHost(incoming)) return refuse(response, 400, NO_HOST, onUnread)
    serveRequest(incoming, response, { server, handle, onArrived: limit.arrived, streams }).catch(() =>
      response.destroy(),
    )
  })
  const limit = limitConnections(server, {
    onFull: () => onConnectionsFull?.(),
    ...(maxConnections === undefined ? {} : { most: () => maxConnections }),
  })
  server.on('checkContinue', (incoming, response) => {
    if (!namesNoHost(incoming)) response.writeContinue()
    server.emit('request', incoming, response)
  })
  server.on('checkExpectation', (incoming, response) => {
    if (namesNoHost(incoming)) refuse(response, 400, NO_HOST, onUnread)
    else refuse(response, 417, 'it expects what no server does', onUnread)
  })
  server.on('clientError', (error, socket) => refuseConnection(error, socket, onUnread))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    origin: `http://${authority(host, bound)}`,
    close: () => {
      for (const stream of streams) stream.abort()
      return stop(server, lingerMs)
    },
  }
}

/**
 * Accepts no more connections, and ends those that are open. The `close` of an HTTP server would end each that is kept alive at
 * once, even if the next request waits there to be read; that of a socket server leaves them alone. In Bun an HTTP server is
 * not one.
 */
function stop(server: Server, lingerMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // Requests that have arrived by then are read first: their connections are not idle.
    const endIdle = setRealTimeout(() => afterNextTurn(() => server.closeIdleConnections()), lingerMs)
    const cut = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS)
    const { close } = server instanceof SocketServer ? SocketServer.prototype : server
    close.call(server, (error) => {
      clearRealTimeout(endIdle)
      clearTimeout(cut)
      // Ends the timer that looks for requests that take too long.
      server.close()
      if (error === undefined) resolve()
      else reject(error)
    })
  })
}

/** Host and port as a URL has them. */
export function authority(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

interface Served {
  readonly server: Pick<Server, 'listening'>
  /** Called when the request has been read. */
  readonly onArrived: (response: ServerResponse) => void
  readonly handle: (request: GatewayRequest, isFromHere: boolean) => Promise<StreamedReply>
  /** What ends the replies that go on, when the server stops. */
  readonly streams: Set<AbortController>
}

/** Reads a request, and answers it with what the handler returns. */
async function serveRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  { server, onArrived, handle, streams }: Served,
): Promise<void> {
  const { method = '', url = '' } = incoming
  const body = hasBody(incoming) ? await readBody(incoming) : ''
  onArrived(response)
  const { remoteAddress: peer } = incoming.socket
  const request = { method, url: originForm(url), headers: separateHeaders(incoming), body, peer }
  const reply = await handle(request, isFromHere(incoming.socket))
  if (reply.cut !== undefined) return breakOff(response, reply)
  if (reply.stream !== undefined) return await sendStream(response, reply, streams)
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

/** Sends each part of a reply as it comes, and the next when the caller has taken it. */
async function sendStream(
  response: ServerResponse,
  { status, headers, body, stream }: StreamedReply,
  streams: Served['streams'],
): Promise<void> {
  const ended = new AbortController()
  response.once('close', () => ended.abort())
  streams.add(ended)
  try {
    response.writeHead(status, { ...headers, connection: 'close' }).flushHeaders()
    response.write(body)
    for await (const part of stream?.(ended.signal) ?? []) {
      if (!response.write(part)) await once(response, 'drain', ended)
    }
  } finally {
    streams.delete(ended)
    response.end()
  }
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

/** The addresses of both ends of a connection, as a socket reports them. */
interface Way {
  readonly remoteAddress?: string | undefined
  readonly localAddress?: string | undefined
}

/** Whether the caller is on this machine: then both ends have the same address, loopback or not. */
export function isFromHere({ remoteAddress, localAddress }: Way): boolean {
  return remoteAddress !== undefined && remoteAddress === localAddress
}
