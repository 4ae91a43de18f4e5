import { SigningError } from '../errors.ts'
import { OAUTH_NAMES } from './oauth-header.ts'
import { normalizeParameters, type Parameter } from './parameters.ts'
import { percentEncode } from './percent.ts'
import { requireRequestUrl } from './request-url.ts'

/** What a signature covers of a request. */
export type SignableRequest = {
  /** The HTTP method, in any case: `'POST'`. */
  readonly httpMethod: string
  /** The absolute URL as it is sent, with its query if it has one. The query's parameters are signed. */
  readonly url: string
  /**
   * The decoded pairs of the body, in any order. `oauth_*` pairs: `signOAuth` adds them and refuses any here,
   * `verifyOAuth` accepts received ones, `signatureBaseString` requires them and skips `oauth_signature`.
   */
  readonly parameters: readonly Parameter[]
}

/** A token of RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * Builds the text that is signed: the method in upper case, the URL and the parameter string, each percent-encoded,
 * joined with `&`. It holds the whole request, card data included: never log it.
 *
 * @throws {SigningError} `BAD_URL` as {@link baseStringUri}; `BAD_TEXT` as {@link percentEncode}; `BAD_ARGUMENT` when
 *   the method is not an HTTP token.
 * @see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.4.1 RFC 5849 section 3.4.1}; specification part 5.2,
 *   signature base string
 */
export function signatureBaseString({ httpMethod, url, parameters }: SignableRequest): string {
  const { baseStringUri, parameters: query } = requireRequestUrl(url)
  const signed = [...query, ...parameters].filter(([name]) => name !== OAUTH_NAMES.signature)
  return joinBaseString(httpMethod, baseStringUri, normalizeParameters(signed))
}

/**
 * The same of a URL that has been taken apart, and of its parameter string. In that, a second encoding changes only `%`, `=` and
 * `&`, so `encodeURIComponent` does the same as `percentEncode`.
 *
 * @throws {SigningError} `BAD_ARGUMENT` when the method is not an HTTP token.
 */
export function joinBaseString(httpMethod: string, baseStringUri: string, parameterString: string): string {
  const start = `${percentEncode(requireHttpMethod(httpMethod).toUpperCase())}&${percentEncode(baseStringUri)}&`
  return start + encodeURIComponent(parameterString)
}

/** @throws {SigningError} `BAD_ARGUMENT` when the method is not an HTTP token. */
export function requireHttpMethod(httpMethod: string): string {
  if (typeof httpMethod === 'string' && TOKEN.test(httpMethod)) return httpMethod
  throw new SigningError('BAD_ARGUMENT', 'httpMethod must be the name of an HTTP method, such as POST')
}
