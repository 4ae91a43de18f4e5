import { errorUrl, validator } from '@tallystick/core/internal'
import { requireKind } from '../runtime/system.ts'

/** Headers as any framework has them. */
export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>

/** A request of any framework, as plain data. */
export interface Inbound {
  /** `GET`, `POST`, in capitals. */
  readonly method: string
  /** The query as it arrived, without the question mark; empty when there is none. */
  readonly query: string
  /** The body: its text, or what a body parser made of it, or nothing. */
  readonly body?: string | Readonly<Record<string, unknown>> | undefined
  /** Names in lower case. Not trusted: they describe the browser to an issuer. */
  readonly headers?: HeaderValues | undefined
  /** The customer's network address, from the framework: the app decides which proxies it trusts. */
  readonly customerIp?: string | undefined
}

/** The answer, as plain data. */
export interface Outbound {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What an adapter mounts: it decides everything, the adapter only converts. What it throws has a `status`. */
export type Handler = (inbound: Inbound) => Promise<Outbound>

/** The answer to one request: no cache may store it. */
export function answer(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Outbound {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body,
  }
}

/**
 * Redirects a browser with a GET, whatever its method: 303 See Other. What no header can hold is percent-encoded.
 *
 * @throws TypeError for anything but a text
 */
export function redirectTo(url: string): Outbound {
  requireKind('redirectTo: url', url, validator.text)
  const location = url.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent)
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' }
}

/**
 * The page that the shop's `show` made. A program without types may return an address, or nothing.
 *
 * @throws TypeError for anything but a page
 */
export function requirePage(where: string, page: Outbound): Outbound {
  if (validator.object.isRight(page) && typeof page.status === 'number' && typeof page.body === 'string') return page
  throw new TypeError(
    `${where}: show must return a page, { status, headers, body }, as redirectTo('/thanks') makes one`,
  )
}

/** Why a handler could not answer. */
export type HandlerErrorCode =
  /** The sender went away before its body was whole. */
  | 'BODY_CUT'
  /** Something else in this app has read the body, or a part of it. Mount the handler before it. */
  | 'BODY_TAKEN'
  /** The inbox, the journal, the status or your `onOutcome` failed; `cause` says how. */
  | 'NOT_TAKEN'

const FAILURES: Readonly<Record<HandlerErrorCode, { readonly status: 400 | 503; readonly message: string }>> = {
  BODY_CUT: { status: 400, message: 'The request ended before its body was whole.' },
  BODY_TAKEN: {
    status: 503,
    message:
      'Something else has read the body of this request, so it cannot be handled: mount the route before that middleware.',
  },
  NOT_TAKEN: { status: 503, message: 'The request cannot be handled now; send it again.' },
}

/**
 * What a handler throws, for the error handler of the app. Answer the request with `status`: a gateway calls again if it is
 * not 200. The message reveals nothing internal; `cause` does, for the log.
 */
export class HandlerError extends Error {
  readonly code: HandlerErrorCode
  /** What to do about it, in the documentation. */
  readonly url: string
  readonly status: 400 | 503
  /** The same, under the name that Nest and Fastify use. */
  readonly statusCode: 400 | 503
  /** Express: the message is for the log. */
  readonly expose = false

  constructor(code: HandlerErrorCode, cause?: unknown) {
    const { status, message } = FAILURES[code]
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.url = errorUrl('client', code)
    this.status = status
    this.statusCode = status
  }

  override get name(): string {
    return 'HandlerError'
  }
}

/** Errors in `work` are answered with 503: a callback must come again, and a customer may. */
export async function taking<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new HandlerError('NOT_TAKEN', error)
  }
}

/** Gateways and issuers use only GET and POST (gaps part 6). */
export function getOrPost(handle: Handler): Handler {
  return async (inbound) =>
    inbound.method === 'GET' || inbound.method === 'POST'
      ? await handle(inbound)
      : answer(405, 'Use GET or POST.', { allow: 'GET, POST' })
}
