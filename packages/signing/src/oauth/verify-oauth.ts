import { refuse, SigningError } from '../errors.ts'
import { isCanonicalBody } from './canonical-body.ts'
import { isProtocolName, type OAuthHeader, signedParameters } from './oauth-header.ts'
import { normalizeParameters, type Parameter, readParameters } from './parameters.ts'
import {
  type OAuthRefusal,
  refuseIdentity,
  refuseMethod,
  refuseParameters,
  refuseTimestamp,
  refuseToken,
  refuseVersion,
} from './refuse-request.ts'
import { readRequestUrl } from './request-url.ts'
import { joinBaseString, requireHttpMethod, type SignableRequest } from './signature-base-string.ts'
import {
  checkSignature,
  checkSignatureAsync,
  type OAuthVerifier,
  requireKey,
  requireMethod,
  type SignatureCheck,
} from './signature-methods.ts'

/** The outcome of {@link verifyOAuth}. An object in both cases: ask for `.ok`. */
export type OAuthVerdict =
  | {
      readonly ok: true
      /** Who signed: the merchant login. */
      readonly consumerKey: string
      /** Decoded; to be refused when this consumer has used it with this timestamp before. */
      readonly nonce: string
      /** Seconds since 1970. */
      readonly timestamp: number
    }
  | OAuthRefusal

/** A request, the parsed header that came with it, and what it is verified with. */
export type VerifyOAuthInput = OAuthVerifier &
  (ReceivedRequest | (SignableRequest & { readonly body?: undefined })) & {
    /** From {@link parseAuthorizationHeader}. */
    readonly header: OAuthHeader
    /** The present time in seconds since 1970, fractions allowed. */
    readonly now: number
    /** The most seconds between the timestamp and `now`, either way. Default 300. */
    readonly windowSeconds?: number | undefined
  }

/** A request whose body is at hand as text: this verifies exactly what arrived, and is quickest if it is canonical. */
export type ReceivedRequest = Omit<SignableRequest, 'parameters'> & {
  /** The form-encoded body as it arrived, not decoded; `''` when there is none. Replaces `parameters`. */
  readonly body: string
  readonly parameters?: undefined
}

/** Filled in: no window is published. @see gaps part 13 */
const DEFAULT_WINDOW_SECONDS = 300

/**
 * Verifies a signed request. `method` comes from the catalogue of operations and `url` from the gateway's configuration
 * (with the query as received), never from the request's own header or `Host`. Pass the body as the text that arrived
 * (`body`), or as its decoded pairs (`parameters`). It may repeat protocol parameters: they must equal the header's, and
 * each counts once.
 *
 * On `{ ok: true }` consume the nonce, and only then: refuse the request when this consumer has used this nonce with this
 * timestamp. For an unknown consumer verify with a decoy key of the same kind and refuse, so that both cost the same.
 * On `{ ok: false }` answer 403 and reveal nothing more.
 *
 * @throws {SigningError} Only for the caller's own part: `BAD_KEY` for a key of another kind, `BAD_ARGUMENT` for
 *   `method`, `httpMethod`, `now` or `windowSeconds`. Whatever a sender controls becomes a refusal.
 * @see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.2 RFC 5849 section 3.2}; specification part 5.2; window
 *   and nonce from gaps part 13
 */
export function verifyOAuth(input: VerifyOAuthInput): OAuthVerdict {
  const examined = examine(input)
  if (typeof examined !== 'string') return examined
  return verdictOf(checkSignature(input, examined, input.header.signature), input.header)
}

/**
 * As {@link verifyOAuth}, with the RSA signature checked on node's thread pool: the event loop stays free, and several
 * cores verify at once. HMAC is quicker than the way there and is computed on the spot.
 *
 * @throws {SigningError} As {@link verifyOAuth}, as a rejection.
 */
export async function verifyOAuthAsync(input: VerifyOAuthInput): Promise<OAuthVerdict> {
  const examined = examine(input)
  if (typeof examined !== 'string') return examined
  return verdictOf(await checkSignatureAsync(input, examined, input.header.signature), input.header)
}

/** Checks all but the signature: a refusal, or the base string to check it against. */
function examine(input: VerifyOAuthInput): OAuthRefusal | string {
  requireArguments(input)
  requireKey(input)
  const { httpMethod, header } = input
  const url = readRequestUrl(input.url)
  if (!url.ok) return url
  requireHttpMethod(httpMethod)
  const { baseStringUri, parameters: query } = url
  const refusal = refuseHeader(input)
  const isAlone = refusal === undefined && query.length === 0 && input.parameters === undefined
  if (isAlone && isCanonicalBody(input.body, header)) return joinBaseString(httpMethod, baseStringUri, input.body)
  const sent = input.parameters ?? readParameters(input.body)
  if (sent === undefined) return refuse('malformed-parameters', 'the body is not well-formed form encoding')
  const parameters = [...query, ...sent]
  return (
    refuseParameters(parameters, header) ??
    refusal ??
    joinBaseString(httpMethod, baseStringUri, signed(parameters, header))
  )
}

/** The parameter string: what was sent, and each pair of the protocol once, as the header has it. */
function signed(parameters: readonly Parameter[], header: OAuthHeader): string {
  const business = parameters.filter(([name]) => !isProtocolName(name))
  return normalizeParameters([...business, ...signedParameters(header)])
}

function refuseHeader({ header, method, now, windowSeconds = DEFAULT_WINDOW_SECONDS }: VerifyOAuthInput) {
  return (
    refuseToken(header) ??
    refuseVersion(header) ??
    refuseTimestamp(header, now, windowSeconds) ??
    refuseIdentity(header) ??
    refuseMethod(header, method)
  )
}

function verdictOf(check: SignatureCheck, header: OAuthHeader): OAuthVerdict {
  if (check === 'malformed-signature') {
    return refuse(check, 'oauth_signature is not canonical base64 of the length that the key makes')
  }
  return check === 'valid' ? accept(header) : refuse(check, 'oauth_signature does not fit the request and the key')
}

function accept({ consumerKey, nonce, timestamp }: OAuthHeader): OAuthVerdict {
  return { ok: true, consumerKey, nonce, timestamp: Number(timestamp) }
}

function requireArguments({ method, now, windowSeconds, body, parameters }: VerifyOAuthInput): void {
  requireMethod(method)
  if (parameters === undefined ? typeof body !== 'string' : body !== undefined) {
    throw new SigningError('BAD_ARGUMENT', 'give either body, the text as it arrived, or parameters, its decoded pairs')
  }
  if (!Number.isFinite(now)) throw new SigningError('BAD_ARGUMENT', 'now must be a number of seconds since 1970')
  if (windowSeconds !== undefined && !(windowSeconds >= 0)) {
    throw new SigningError('BAD_ARGUMENT', 'windowSeconds must be a number of seconds, not negative')
  }
}
