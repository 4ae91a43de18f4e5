import {
  type ControlAuth,
  controlTerms,
  type EndpointAddress,
  InvalidInputError,
  type OAuthAuth,
  type Operation,
  oauthMethodOf,
  type Pair,
  serializeForm,
} from '@tallystick/core'
import { signControl, signOAuth } from '@tallystick/signing'
import type { Dependencies } from './options.ts'
import type { OutgoingRequest } from './transport.ts'

/** A request before it is signed. */
export interface UnsignedRequest {
  readonly operation: Operation
  readonly url: string
  readonly endpoint: EndpointAddress
  readonly pairs: readonly Pair[]
}

/**
 * Signs a request by the scheme of its operation (interface part 5).
 *
 * @throws TypeError when the operation needs an RSA key and the client was made without one; MalformedFormError when the
 *   profile gives two fields one wire name
 */
export function authenticate(request: UnsignedRequest, deps: Dependencies): OutgoingRequest | InvalidInputError {
  const { auth } = request.operation
  return auth.scheme === 'control' ? withControl(request, auth, deps) : withOAuth(request, auth, deps)
}

/** A value that cannot be signed, such as an amount with decimals that its currency has not, is a wrong input. */
function withControl(
  request: UnsignedRequest,
  auth: ControlAuth,
  deps: Dependencies,
): OutgoingRequest | InvalidInputError {
  const { operation, endpoint, pairs, url } = request
  const formula = { auth, model: operation.request, endpointId: endpoint.id, pairs, profile: deps.profile }
  const result = controlTerms(formula)
  if (!result.ok) return new InvalidInputError(operation.name, result.issues)
  const control = signControl({ terms: result.terms, key: deps.controlKey.reveal() })
  return outgoing(url, serializeForm([...pairs, ['control', control]]), deps)
}

function withOAuth(request: UnsignedRequest, auth: OAuthAuth, deps: Dependencies): OutgoingRequest {
  const { operation, pairs, url } = request
  const signed = signOAuth({
    ...signingKey(operation, auth, deps),
    httpMethod: 'POST',
    url,
    parameters: pairs,
    consumerKey: deps.login,
    nonce: deps.nonce(),
    timestamp: Math.floor(deps.clock.now() / 1000),
  })
  // What was signed is a body already, where the body holds the parameters of OAuth, too.
  const body = deps.profile.oauthInBody ? signed.body : serializeForm(pairs)
  return outgoing(url, body, deps, { authorization: signed.authorization })
}

function signingKey(operation: Operation, auth: OAuthAuth, deps: Dependencies) {
  const method = oauthMethodOf(auth, deps.profile)
  if (method === 'HMAC-SHA1') return { method, key: deps.hmacKey } as const
  if (deps.rsaKey !== undefined) return { method, key: deps.rsaKey } as const
  throw new TypeError(`${operation.name} is signed by RSA-SHA256: give privateKey to createPaymentClient`)
}

function outgoing(
  url: string,
  body: string,
  { profile }: Dependencies,
  headers: Readonly<Record<string, string>> = {},
): OutgoingRequest {
  const accept = profile.replyFormat === 'json' ? { accept: 'application/vnd.pay+json' } : {}
  const contentType = 'application/x-www-form-urlencoded'
  return { url, headers: { 'content-type': contentType, ...accept, ...headers }, body }
}
