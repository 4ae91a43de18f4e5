import { SigningError } from '../errors.ts'
import { refuse } from '../refusal.ts'
import { isProtocolName, type OAuthHeader, protocolParameters } from './oauth-header.ts'
import type { Parameter } from './parameter.ts'
import {
  type OAuthRefusal,
  refuseIdentity,
  refuseMethod,
  refuseParameters,
  refuseTimestamp,
  refuseVersion,
} from './refuse-request.ts'
import { readRequestUrl } from './request-url.ts'
import { type SignableRequest, writeBaseString } from './signature-base-string.ts'
import {
  checkSignature,
  checkSignatureAsync,
  type OAuthVerifier,
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
  SignableRequest & {
    /** From {@link parseAuthorizationHeader}. */
    readonly header: OAuthHeader
    /** The present time in seconds since 1970, fractions allowed. */
    readonly now: number
    /** How far the timestamp may be from `now`, either side, in seconds. 300 unless given. */
    readonly windowSeconds?: number | undefined
  }

/** Filled in: no window is published. @see gaps part 13 */
const DEFAULT_WINDOW_SECONDS = 300

/**
 * Verifies a signed request. `method` comes from the catalogue of operations and `url` from the gateway's configuration
 * (with the query as received), never from the request's own header or `Host`; `parameters` are the decoded pairs of the
 * body. Protocol parameters may be in the body too: they must equal the header's, and each counts once.
 *
 * On `{ ok: true }` burn the nonce, and only then: refuse the request when this consumer has used this nonce with this
 * timestamp. For an unknown consumer verify with a decoy key of the same kind and refuse, so that both cost the same.
 * On `{ ok: false }` answer 403 and tell a stranger nothing more.
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

/** Everything but the signature: a refusal, or the base string that the signature has to be of. */
function examine(input: VerifyOAuthInput): OAuthRefusal | string {
  requireArguments(input)
  const url = readRequestUrl(input.url)
  if (!url.ok) return url
  const { header, now, windowSeconds = DEFAULT_WINDOW_SECONDS } = input
  const parameters = [...url.parameters, ...input.parameters]
  return (
    refuseParameters(parameters, header) ??
    refuseVersion(header) ??
    refuseTimestamp(header, now, windowSeconds) ??
    refuseIdentity(header) ??
    refuseMethod(header, input.method) ??
    baseStringOf(input, url.baseStringUri, parameters)
  )
}

function baseStringOf(
  { header, httpMethod }: VerifyOAuthInput,
  baseStringUri: string,
  parameters: readonly Parameter[],
): string {
  const business = parameters.filter(([name]) => !isProtocolName(name))
  return writeBaseString(httpMethod, baseStringUri, [...business, ...protocolParameters(header)]).baseString
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

function requireArguments({ method, now, windowSeconds }: VerifyOAuthInput): void {
  requireMethod(method)
  if (!Number.isFinite(now)) throw new SigningError('BAD_ARGUMENT', 'now must be a number of seconds since 1970')
  if (windowSeconds !== undefined && !(windowSeconds >= 0)) {
    throw new SigningError('BAD_ARGUMENT', 'windowSeconds must be a number of seconds, not negative')
  }
}
