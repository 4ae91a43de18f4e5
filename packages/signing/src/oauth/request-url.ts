import { type Refusal, refuse, SigningError } from '../errors.ts'
import { type Parameter, readParameters } from './parameters.ts'

/** A URL, taken apart for signing. */
export type RequestUrl = {
  readonly ok: true
  /** Scheme, authority and path as the base string holds them, before percent-encoding. */
  readonly baseStringUri: string
  /** The decoded query. */
  readonly parameters: readonly Parameter[]
}

/** Why a URL cannot be signed. */
export type UrlRefusal = Refusal<'malformed-url'>

/** RFC 3986 appendix B for URLs with an authority: scheme, authority, path, query; a fragment is never sent. */
const PARTS = /^(?<scheme>[A-Za-z]+):\/\/(?<authority>[^/?#]*)(?<path>(?:\/[^?#]*)?)(?:\?(?<query>[^#]*))?(?:#.*)?$/
const AUTHORITY = /^(?<host>[A-Za-z0-9\-._~]+|\[[0-9A-Fa-f:.]+\])(?::(?<port>[0-9]*))?$/
const PATH = /^(?:\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*)*$/
const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ['http', 80],
  ['https', 443],
])
const MAX_PORT = 65_535
/** The fast path: a host in lower case without a port, nothing escaped, no query. It is its own base string URI. */
const USUAL = /^https?:\/\/[a-z0-9\-._~]+\/[A-Za-z0-9\-._~/]*$/

/**
 * Takes a URL apart by hand: a WHATWG `URL` would resolve `..`, escape characters and so change the path that was
 * signed. Only what the wire carries unchanged passes.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.4.1.2 RFC 5849 section 3.4.1.2}
 */
export function readRequestUrl(url: string): RequestUrl | UrlRefusal {
  return typeof url === 'string' && USUAL.test(url) ? { ok: true, baseStringUri: url, parameters: [] } : readAnyUrl(url)
}

/** If the expression matches, each of its groups does, except the last. */
interface Parts {
  readonly scheme: string
  readonly authority: string
  readonly path: string
  readonly query?: string
}

/** As {@link readRequestUrl} without its fast path, whose reference it is in the tests. */
export function readAnyUrl(url: string): RequestUrl | UrlRefusal {
  const parts = typeof url === 'string' ? (PARTS.exec(url)?.groups as Parts | undefined) : undefined
  if (parts === undefined) return refuse('malformed-url', 'the URL is not the text of an absolute http(s) URL')
  const { scheme, authority, path, query = '' } = parts
  const origin = readOrigin(scheme.toLowerCase(), authority)
  if (typeof origin !== 'string') return origin
  if (!PATH.test(path)) {
    return refuse('malformed-url', 'the path of the URL holds a character that has to be percent-encoded')
  }
  const parameters = readParameters(query)
  if (parameters === undefined) return refuse('malformed-url', 'the query of the URL is not well-formed form encoding')
  return { ok: true, baseStringUri: `${origin}${path === '' ? '/' : path}`, parameters }
}

function readOrigin(scheme: string, authority: string): string | UrlRefusal {
  const defaultPort = DEFAULT_PORTS.get(scheme)
  if (defaultPort === undefined) return refuse('malformed-url', 'the scheme of the URL is neither http nor https')
  if (authority.includes('@')) {
    return refuse('malformed-url', 'the URL holds user information, which no request carries: take it out')
  }
  const { host, port } = AUTHORITY.exec(authority)?.groups ?? {}
  if (host === undefined) {
    return refuse('malformed-url', 'the URL has no usable host: write it in ASCII, as the Host header does')
  }
  const number = port === undefined || port === '' ? defaultPort : Number(port)
  if (number < 1 || number > MAX_PORT) return refuse('malformed-url', 'the port of the URL is not from 1 to 65535')
  return `${scheme}://${host.toLowerCase()}${number === defaultPort ? '' : `:${number}`}`
}

/**
 * The URL as the signature base string holds it, before percent-encoding: scheme and host in lower case, the default
 * port (80 for http, 443 for https) dropped and any other kept, an empty path written `/`, no query, no fragment. The
 * path stays as it was given: nothing is decoded, escaped or resolved, so give the URL exactly as it is sent.
 *
 * @throws {SigningError} `BAD_URL` when the URL is not an absolute http(s) URL in ASCII, holds user information, or its
 *   path or query is not properly percent-encoded; the message says which.
 * @see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.4.1.2 RFC 5849 section 3.4.1.2}; specification part 5.2,
 *   base string step 5
 */
export function baseStringUri(url: string): string {
  return requireRequestUrl(url).baseStringUri
}

/** As {@link readRequestUrl}, with an error in place of the refusal: for URLs that the caller answers for. */
export function requireRequestUrl(url: string): RequestUrl {
  const parts = readRequestUrl(url)
  if (!parts.ok) throw new SigningError('BAD_URL', parts.message)
  return parts
}
