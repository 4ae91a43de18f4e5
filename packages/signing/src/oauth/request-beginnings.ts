import type { Parameter } from './parameters.ts'
import { percentEncode } from './percent.ts'
import { copyOf } from './protocol-rules.ts'
import { type RequestUrl, readRequestUrl, type UrlRefusal } from './request-url.ts'
import { requireHttpMethod } from './signature-base-string.ts'

/** The method and the URL of requests, as they begin a base string. */
export type Beginning = {
  readonly ok: true
  readonly httpMethod: string
  readonly url: string
  /** The decoded parameters of the URL's query, which belong to the rest of the base string. */
  readonly query: readonly Parameter[]
  /** The method in upper case and the URL, encoded, with their two `&`. */
  readonly bytes: Uint8Array
}

/**
 * The most recent beginnings. A key holds them, because its requests go to few places. None has a query or a fragment, so
 * they hold nothing of a request.
 */
export type RequestBeginnings = { readonly made: Beginning[]; next: number }

const MAX_BEGINNINGS = 16

/** No beginnings yet. */
export function noBeginnings(): RequestBeginnings {
  return { made: [], next: 0 }
}

/**
 * How the base string of a request begins.
 *
 * A fast path: parsing and encoding the URL takes half as long as SHA-1 of the whole base string.
 *
 * @throws {SigningError} `BAD_ARGUMENT` when the method is not an HTTP token.
 */
export function beginningFor(beginnings: RequestBeginnings, httpMethod: string, url: string): Beginning | UrlRefusal {
  for (const made of beginnings.made) if (made.url === url && made.httpMethod === httpMethod) return made
  const read = readRequestUrl(url)
  if (!read.ok) return read
  const made = newBeginning(httpMethod, url, read)
  if (made.query.length > 0 || url.includes('#')) return made
  beginnings.made[beginnings.next] = made
  beginnings.next = (beginnings.next + 1) % MAX_BEGINNINGS
  return made
}

function newBeginning(httpMethod: string, url: string, { baseStringUri, parameters: query }: RequestUrl): Beginning {
  const method = requireHttpMethod(httpMethod).toUpperCase()
  const bytes = Buffer.from(`${percentEncode(method)}&${percentEncode(baseStringUri)}&`)
  return { ok: true, httpMethod, url: copyOf(url), query, bytes }
}
