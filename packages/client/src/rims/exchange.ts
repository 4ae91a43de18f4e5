import type { Dispatcher } from 'undici'
import type { Exchange, OutgoingRequest, TransportOptions } from '../transport.ts'

/** A reply may hold a page for the customer, but not more than this. */
const MAX_REPLY_BYTES = 1_048_576

/** Sends one request through undici, once, and tells what was seen. Never throws. */
export function exchange(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  request: OutgoingRequest,
  options: TransportOptions,
): Promise<Exchange> {
  if (options.signal?.aborted)
    return Promise.resolve({ kind: 'not-sent', seen: 'the call was aborted before it began' })
  const { origin, pathname, search } = new URL(request.url)
  const { timeoutMs } = options
  return new Promise((resolve) => {
    const handler = new ExchangeHandler(options, resolve)
    const wire = { origin, path: pathname + search, method: 'POST' as const, headers: { ...request.headers } }
    dispatcher.dispatch({ ...wire, body: request.body, headersTimeout: timeoutMs, bodyTimeout: timeoutMs }, handler)
  })
}

/**
 * Follows one exchange. undici calls `onRequestStart` right before it writes the first byte, so that a request whose
 * start was never called has certainly not been sent. A second start would be a second sending: it is refused.
 */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #settle: (exchange: Exchange) => void
  #controller: Dispatcher.DispatchController | undefined
  #stopped: string | undefined
  #httpStatus = 0
  #mediaType = ''
  #chunks: Uint8Array[] = []
  #bytes = 0

  constructor({ timeoutMs, signal }: TransportOptions, resolve: (exchange: Exchange) => void) {
    const deadline = setTimeout(() => this.#stop(`there was no whole reply within ${timeoutMs} ms`), timeoutMs)
    const onAbort = () => this.#stop('the call was aborted')
    signal?.addEventListener('abort', onAbort)
    this.#settle = (exchange) => {
      clearTimeout(deadline)
      signal?.removeEventListener('abort', onAbort)
      resolve(exchange)
    }
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
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength
    this.#chunks.push(chunk)
    if (this.#bytes > MAX_REPLY_BYTES) this.#stop(`the reply is larger than ${MAX_REPLY_BYTES} bytes`)
  }

  onResponseEnd(): void {
    const body = Buffer.concat(this.#chunks).toString('utf8')
    this.#settle({ kind: 'replied', httpStatus: this.#httpStatus, mediaType: this.#mediaType, body })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(this.#stopped ?? describe(error))
  }

  #stop(reason: string): void {
    this.#stopped ??= reason
    this.#controller?.abort(new Error(reason))
    this.#end(reason)
  }

  #end(seen: string): void {
    this.#settle({ kind: this.#controller === undefined ? 'not-sent' : 'lost', seen })
  }
}

/** The code of a socket error and nothing else: its message may name addresses, its fields may hold the request. */
function describe(error: Error & { readonly code?: unknown }): string {
  const code = typeof error.code === 'string' ? error.code : error.name
  return `the connection failed with ${code}`
}
