import { kind } from '@tallystick/core'
import { requireKind } from '../runtime/require-kind.ts'

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
  requireKind('redirectTo: url', url, kind.text)
  const location = url.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent)
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' }
}

/**
 * The page that the shop's `show` made. A program without types may return an address, or nothing.
 *
 * @throws TypeError for anything but a page
 */
export function requirePage(where: string, page: Outbound): Outbound {
  if (kind.object.isRight(page) && typeof page.status === 'number' && typeof page.body === 'string') return page
  throw new TypeError(
    `${where}: show must return a page, { status, headers, body }, as redirectTo('/thanks') makes one`,
  )
}
