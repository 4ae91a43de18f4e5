import {
  type ControlAuth,
  controlTerms,
  type EndpointAddress,
  InvalidInputError,
  type OAuthAuth,
  type Operation,
  oauthMethodOf,
  type Pair,
  type Profile,
  serializeForm,
} from '@tallystick/core'
import { signControl, signOAuth } from '@tallystick/signing'
import type { Dependencies } from './options.ts'
import { signedPairs } from './signed-pairs.ts'
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
  const { profile } = deps
  const model = operation.request
  const signed = signedPairs(pairs, auth, model, profile)
  const result = controlTerms({ auth, model, endpointId: endpoint.id, pairs: signed, profile })
  if (!result.ok) return new InvalidInputError(operation.name, result.issues)
  const control = signControl({ terms: result.terms, key: deps.controlKey.reveal() })
  return { url, headers: HEADERS[profile.replyFormat], body: serializeForm([...pairs, ['control', control]]) }
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
  const { authorization } = signed
  return { url, headers: { ...HEADERS[deps.profile.replyFormat], authorization }, body }
}

function signingKey(operation: Operation, auth: OAuthAuth, deps: Dependencies) {
  const method = oauthMethodOf(auth, deps.profile)
  if (method === 'HMAC-SHA1') return { method, key: deps.hmacKey } as const
  if (deps.rsaKey !== undefined) return { method, key: deps.rsaKey } as const
  throw new TypeError(`${operation.name} is signed by RSA-SHA256: give privateKey to createPaymentClient`)
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Of every request, by the format of replies that it asks for (specification part 4). */
const HEADERS: Readonly<Record<Profile['replyFormat'], OutgoingRequest['headers']>> = {
  json: { ...FORM, accept: 'application/vnd.pay+json' },
  classic: FORM,
}
