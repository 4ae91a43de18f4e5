import { SigningError } from '../errors.ts'
import { writeParameters } from './name-order.ts'
import { formatAuthorizationHeader, isProtocolName, signedParameters, type UnsignedHeader } from './oauth-header.ts'
import { normalizeParameters, type Parameter } from './parameters.ts'
import { CONSUMER_KEY_RULE, NONCE_RULE, obey, TIMESTAMP_RULE, VERSION } from './protocol-rules.ts'
import { requireRequestUrl } from './request-url.ts'
import { joinBaseString, type SignableRequest } from './signature-base-string.ts'
import { type OAuthSigner, ordersOf, requireMethod, signBaseString, signBaseStringAsync } from './signature-methods.ts'

/** The request to sign, the method with its key, and the values that the caller chooses. */
export type SignOAuthInput = OAuthSigner &
  SignableRequest & {
    /** `oauth_consumer_key`: the merchant login. */
    readonly consumerKey: string
    /** `oauth_nonce`: fresh and unpredictable for every request, at most 128 bytes; use `randomUUID()`. */
    readonly nonce: string
    /** `oauth_timestamp`: now, in whole seconds since 1970. */
    readonly timestamp: number
    /** `realm` of the header, which is not signed. Default none. */
    readonly realm?: string | undefined
  }

/** A signature, ready to send. */
export type SignedOAuth = {
  /** The value of the `Authorization` header. */
  readonly authorization: string
  /**
   * `parameters` and the five `oauth_*` pairs without `oauth_signature`, sorted and form-encoded (a space is `%20`), ready to
   * send. A body of `parameters` alone is signed alike: `normalizeParameters(parameters)`.
   */
  readonly body: string
}

/**
 * Signs a request with OAuth 1.0a in its two-legged form: no token, an empty token secret.
 *
 * `parameters` are the decoded pairs of the body without any `oauth_*`; `url` is the URL exactly as it will be sent. An
 * empty value is signed as `name=`, so leave out of `parameters` what the body leaves out.
 *
 * @throws {SigningError} `BAD_ARGUMENT` when nonce, timestamp, consumer key, realm, HTTP method or method are outside
 *   their domain, or an `oauth_*` name is among the parameters or in the query; `BAD_URL`, `BAD_TEXT`; `BAD_KEY` when
 *   the key is not of the method's kind. Nothing has been sent then: correct the argument.
 * @see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.4 RFC 5849 section 3.4}; specification part 5.2
 */
export function signOAuth(input: SignOAuthInput): SignedOAuth {
  const prepared = prepare(input)
  return finish(prepared, signBaseString(input, prepared.baseString))
}

/**
 * As {@link signOAuth}, with the RSA signature made on node's thread pool: the event loop stays free, and several cores
 * sign at once. HMAC is quicker than the way there and is computed on the spot.
 *
 * @throws {SigningError} As {@link signOAuth}, as a rejection.
 */
export async function signOAuthAsync(input: SignOAuthInput): Promise<SignedOAuth> {
  const prepared = prepare(input)
  return finish(prepared, await signBaseStringAsync(input, prepared.baseString))
}

type Prepared = { readonly header: UnsignedHeader; readonly body: string; readonly baseString: string }

function prepare(input: SignOAuthInput): Prepared {
  requireMethod(input.method)
  const orders = ordersOf(input)
  const header = {
    realm: input.realm,
    consumerKey: obey(CONSUMER_KEY_RULE, input.consumerKey),
    nonce: obey(NONCE_RULE, input.nonce),
    signatureMethod: input.method,
    timestamp: obey(TIMESTAMP_RULE, String(input.timestamp)),
    version: VERSION,
  }
  const { baseStringUri, parameters: query } = requireRequestUrl(input.url)
  requireNoProtocolNames(query)
  const { parameters: own } = input
  const all = () => [...own, ...signedParameters(header)]
  const body = writeParameters(orders, own, header, requireNoProtocolNames) ?? normalizeParameters(all())
  const signed = query.length === 0 ? body : normalizeParameters([...query, ...all()])
  return { header, body, baseString: joinBaseString(input.httpMethod, baseStringUri, signed) }
}

function finish({ header, body }: Prepared, signature: string): SignedOAuth {
  return { authorization: formatAuthorizationHeader({ ...header, signature }), body }
}

function requireNoProtocolNames(parameters: readonly Parameter[]): void {
  if (!parameters.some(([name]) => isProtocolName(name))) return
  throw new SigningError(
    'BAD_ARGUMENT',
    'the parameters and the query must hold no oauth_* names: signOAuth adds its own',
  )
}
