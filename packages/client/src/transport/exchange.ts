import { isUtf8 } from 'node:buffer'
import type { Dispatcher } from 'undici'
import type { Exchange, OutgoingRequest, TransportOptions } from './transport.ts'
import type { UnderWay, WireAddress } from './wire.ts'

/** A reply may hold a page for the customer, but not more than this. */
const MAX_REPLY_BYTES = 1_048_576

/** What an exchange goes over. */
export interface Wire {
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>
  readonly addressOf: (url: string) => WireAddress
  readonly underWay: UnderWay
}

/** Sends one request through undici, once, and returns what was seen. Never throws. */
export function exchange(
  { dispatcher, addressOf, underWay }: Wire,
  { url, headers, body }: OutgoingRequest,
  options: TransportOptions,
): Promise<Exchange> {
  if (options.signal?.aborted) {
    return Promise.resolve({ kind: 'not-sent', seen: 'the call was aborted before it began' })
  }
  return new Promise((resolve) => {
    const { origin, path } = addressOf(url)
    underWay.begin()
    const handler = new ExchangeHandler({ origin, underWay, resolve }, options)
    // undici's own time-outs are off: there is one deadline for the whole. With `blocking` it would check at the head of a
    // reply whether it may send more on the connection, where nothing is sent before the end of a reply.
    const dispatched = {
      method: 'POST',
      headersTimeout: 0,
      bodyTimeout: 0,
      blocking: false,
      origin,
      path,
      headers,
      body,
    } as const
    dispatcher.dispatch(dispatched, handler)
  })
}

/** What begins and ends with an exchange. */
interface Begun {
  readonly origin: string
  readonly underWay: UnderWay
  readonly resolve: (exchange: Exchange) => void
}

/**
 * Follows one exchange. undici calls `onRequestStart` right before it writes the first byte: without that call the request has
 * certainly not been sent. A second call would be a second sending: it is refused.
 */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #begun: Begun
  readonly #options: TransportOptions
  readonly #deadline: NodeJS.Timeout
  readonly #onAbort: (() => void) | undefined
  #controller: Dispatcher.DispatchController | undefined
  #stopped: string | undefined
  #httpStatus = 0
  #mediaType = ''
  #encoding = ''
  /** Most replies come in one piece: an array for it would be larger than it is. */
  #first: Buffer | undefined
  #others: Buffer[] | undefined
  #bytes = 0
  #isOver = false

  constructor(begun: Begun, options: TransportOptions) {
    const { timeoutMs, signal } = options
    this.#begun = begun
    this.#options = options
    this.#deadline = setTimeout(() => this.#stop(`there was no whole reply within ${timeoutMs} ms`), timeoutMs)
    if (signal === undefined) return
    this.#onAbort = () => this.#stop('the call was aborted')
    signal.addEventListener('abort', this.#onAbort)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const isFirst = this.#controller === undefined
    if (isFirst && this.#stopped === undefined) this.#controller = controller
    else controller.abort(new Error(this.#stopped ?? 'the request was sent before'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#httpStatus = statusCode
    this.#mediaType = String(headers['content-type'] ?? '')
    this.#encoding = String(headers['content-encoding'] ?? '')
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.byteLength
    if (this.#first === undefined) this.#first = chunk
    else {
      this.#others ??= []
      this.#others.push(chunk)
    }
    if (this.#bytes > MAX_REPLY_BYTES) this.#stop(`the reply is larger than ${MAX_REPLY_BYTES} bytes`)
  }

  onResponseEnd(): void {
    const httpStatus = this.#httpStatus
    const body = textOf(this.#encoding, this.#first, this.#others)
    if (body !== undefined) this.#settle({ kind: 'replied', httpStatus, mediaType: this.#mediaType, body })
    else this.#end(`HTTP ${httpStatus} came ${ENCODED}: content-encoding ${shown(this.#encoding)}`)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(this.#stopped ?? describe(error, this.#begun.origin))
  }

  #stop(reason: string): void {
    this.#stopped ??= reason
    this.#controller?.abort(new Error(reason))
    this.#end(reason)
  }

  /** undici may also report the end of what was stopped here. */
  #settle(exchange: Exchange): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#deadline)
    if (this.#onAbort !== undefined) this.#options.signal?.removeEventListener('abort', this.#onAbort)
    this.#begun.underWay.end()
    this.#begun.resolve(exchange)
  }

  #end(seen: string): void {
    this.#settle({ kind: this.#controller === undefined ? 'not-sent' : 'lost', seen })
  }
}

const ENCODED = 'in an encoding that was not asked for and cannot be read'

/** The other side chooses it. */
function shown(encoding: string): string {
  return encoding.replaceAll(/[^\w ,-]/g, '').slice(0, 40) || 'not given'
}

function textOf(encoding: string, first: Buffer | undefined, others: readonly Buffer[] | undefined) {
  if (first === undefined) return ''
  const bytes = others === undefined ? first : Buffer.concat([first, ...others])
  const isPlain = (encoding === '' || encoding === 'identity') && !isGzip(bytes)
  return isPlain ? bytes.toString('utf8') : decoded(encoding, bytes)
}

/** What no text in UTF-8 begins with. @see {@link https://www.rfc-editor.org/rfc/rfc1952#section-2.3 RFC 1952 section 2.3.1} */
function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** More of them, one in another, are no reply but a way to keep a client busy. */
const MOST_CODINGS = 3

/**
 * The text of a reply that a proxy or server encoded although it was asked not to. Some say so of a text that they left as it was.
 * No coding may unpack to more than the largest reply.
 */
function decoded(encoding: string, bytes: Buffer): string | undefined {
  const codings = encoding.toLowerCase().split(',', MOST_CODINGS + 1)
  if (codings.length > MOST_CODINGS) return undefined
  let plain = bytes
  try {
    for (const coding of codings.reverse()) plain = unpacked(coding.trim(), plain)
    if (isGzip(plain)) plain = unpacked('gzip', plain)
  } catch {
    if (!isUtf8(bytes)) return undefined
    plain = bytes
  }
  return plain.toString('utf8')
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1 RFC 9110 section 8.4.1}. Of zlib, because few need it. */
function unpacked(coding: string, bytes: Buffer): Buffer {
  const zlib = process.getBuiltinModule('node:zlib')
  const limit = { maxOutputLength: MAX_REPLY_BYTES }
  switch (coding) {
    case '':
    case 'identity':
      return bytes
    case 'gzip':
    case 'x-gzip':
      return zlib.gunzipSync(bytes, limit)
    case 'deflate':
      // Some send it without the header of zlib, whose first byte ends in 8.
      return ((bytes[0] ?? 0) & 0x0f) === 8 ? zlib.inflateSync(bytes, limit) : zlib.inflateRawSync(bytes, limit)
    case 'br':
      return zlib.brotliDecompressSync(bytes, limit)
    case 'zstd':
      return zlib.zstdDecompressSync(bytes, limit)
    default:
      throw new RangeError(coding)
  }
}

/** Only the code of a socket error: its message may name addresses, its fields may hold the request. */
function describe(error: Error & { readonly code?: unknown }, origin: string): string {
  const code = typeof error.code === 'string' ? error.code : error.name
  const seen = `the connection to ${origin} failed with ${code}`
  const hint = HINTS.find(([codes]) => codes.test(code))
  return hint === undefined ? seen : `${seen}: ${hint[1]}`
}

/** What the codes mean that do not say so themselves. */
const HINTS = [
  // How OpenSSL reports a plain text answer: depending on the release, as a wrong version or as too long a record.
  [/WRONG_VERSION|LENGTH_TOO_LONG/, 'there is no TLS at this port; is it http or https?'],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/,
    'no authority that Node knows has signed its certificate, as behind a proxy that inspects TLS: name the file of that authority in NODE_EXTRA_CA_CERTS, or give it as tls.ca of undiciTransport',
  ],
  [/CERT_HAS_EXPIRED/, 'its certificate has expired, or the clock of this machine is wrong'],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, 'its certificate is of another host name: check baseUrl'],
  [/^UND_ERR_SOCKET$/, 'it was closed before the whole reply had come'],
] as const
