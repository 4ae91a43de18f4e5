import { SigningError } from '../errors.ts'
import { type EncodedRequest, encodeByPlan, encodePlainly } from './encode-request.ts'
import { BEFORE_SIGNATURE, isProtocolName } from './oauth-header.ts'
import {
  knownPlan,
  newPlan,
  obey,
  type ParameterPlans,
  type Plan,
  type ProtocolParts,
  partsFor,
} from './parameter-plans.ts'
import type { Parameter } from './parameters.ts'
import { percentEncode } from './percent.ts'
import { NONCE_RULE } from './protocol-rules.ts'
import { beginningFor } from './request-beginnings.ts'
import { releaseScratch } from './scratch-buffer.ts'
import type { SignableRequest } from './signature-base-string.ts'
import {
  type OAuthSigner,
  requireMethod,
  signBaseString,
  signBaseStringAsync,
  signedBefore,
} from './signature-methods.ts'

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
  try {
    return finish(prepared, signBaseString(input, prepared.baseString))
  } finally {
    releaseScratch(prepared.baseString)
  }
}

/**
 * As {@link signOAuth}, with the RSA signature made on node's thread pool: the event loop stays free, and several cores
 * sign at once. HMAC is quicker than the way there and is computed on the spot.
 *
 * @throws {SigningError} As {@link signOAuth}, as a rejection.
 */
export async function signOAuthAsync(input: SignOAuthInput): Promise<SignedOAuth> {
  const prepared = prepare(input)
  try {
    return finish(prepared, await signBaseStringAsync(input, prepared.baseString))
  } finally {
    releaseScratch(prepared.baseString)
  }
}

type Prepared = EncodedRequest & { readonly protocol: ProtocolParts; readonly nonce: string }

function prepare(input: SignOAuthInput): Prepared {
  requireMethod(input.method)
  const { plans, beginnings, parts } = signedBefore(input)
  const protocol = partsFor(parts, input)
  const nonce = obey(NONCE_RULE, input.nonce)
  const beginning = beginningFor(beginnings, input.httpMethod, input.url)
  if (!beginning.ok) throw new SigningError('BAD_URL', beginning.message)
  requireNoProtocolNames(beginning.query)
  const { parameters } = input
  const plan = planFor(plans, parameters)
  const planned = plan && encodeByPlan(beginning, protocol, nonce, parameters, plan)
  const { body, baseString } = planned ?? encodePlainly(beginning, protocol, nonce, parameters)
  return { body, baseString, protocol, nonce }
}

function finish({ protocol, nonce, body }: Prepared, signature: string): SignedOAuth {
  const { headerStart, headerEnd } = protocol
  // For base64 `encodeURIComponent` does the same as `percentEncode`.
  const encoded = encodeURIComponent(signature)
  return { authorization: headerStart + percentEncode(nonce) + BEFORE_SIGNATURE + encoded + headerEnd, body }
}

/** The names are checked once, when their plan is made. */
function planFor(plans: ParameterPlans, parameters: readonly Parameter[]): Plan | undefined {
  const known = knownPlan(plans, parameters)
  if (known !== undefined) return known
  requireNoProtocolNames(parameters)
  return newPlan(plans, parameters)
}

function requireNoProtocolNames(parameters: readonly Parameter[]): void {
  if (!parameters.some(([name]) => isProtocolName(name))) return
  throw new SigningError(
    'BAD_ARGUMENT',
    'the parameters and the query must hold no oauth_* names: signOAuth adds its own',
  )
}
