import { SigningError } from '../errors.ts'
import { type RequestUrl, readRequestUrl } from './request-url.ts'

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
