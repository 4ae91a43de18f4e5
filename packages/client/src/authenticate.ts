import {
  type ControlAuth,
  type ControlTerms,
  controlTerms,
  type EndpointAddress,
  encodeRequest,
  InvalidInputError,
  type OAuthAuth,
  type Operation,
  type OperationKey,
  oauthMethodOf,
  type Profile,
  type RequestValues,
  serializeForm,
  termsOfRequest,
  writeRequest,
} from '@tallystick/core'
import { signControl, signOAuth } from '@tallystick/signing'
import type { Dependencies } from './options.ts'
import type { OutgoingRequest } from './transport.ts'

/** A request before it is signed. */
export interface UnsignedRequest<K extends OperationKey> {
  readonly key: K
  readonly operation: Operation
  readonly url: string
  readonly endpoint: EndpointAddress
  /** By the names of its model. */
  readonly values: RequestValues<K>
}

/**
 * Signs a request by the scheme of its operation (interface part 5).
 *
 * @throws TypeError when the operation needs an RSA key and the client was made without one; MalformedFormError when the
 *   profile gives two fields one wire name
 */
export function authenticate<K extends OperationKey>(
  request: UnsignedRequest<K>,
  deps: Dependencies,
): OutgoingRequest | InvalidInputError {
  const { auth } = request.operation
  return auth.scheme === 'control' ? withControl(request, auth, deps) : withOAuth(request, auth, deps)
}

/** A value that cannot be signed, such as an amount with decimals that its currency has not, is a wrong input. */
function withControl<K extends OperationKey>(
  request: UnsignedRequest<K>,
  auth: ControlAuth,
  deps: Dependencies,
): OutgoingRequest | InvalidInputError {
  const { key, operation, values, url } = request
  const signed = termsOf(request, auth, deps.profile)
  if (!signed.ok) return new InvalidInputError(operation.name, signed.issues)
  const control = signControl({ terms: signed.terms, key: deps.controlKey.reveal() })
  const body = writeRequest(key, values, deps.profile, [['control', control]])
  return { url, headers: HEADERS[deps.profile.replyFormat], body }
}

/** What a control is made of: the values, and where a profile gives two fields one name, what the form makes of them. */
function termsOf<K extends OperationKey>(
  { key, operation, endpoint, values }: UnsignedRequest<K>,
  auth: ControlAuth,
  profile: Profile,
): ControlTerms {
  const input = { auth, endpointId: endpoint.id, profile }
  const { request: model } = operation
  const { sent, inOrder } = model.spelling(profile.wireNames)
  if (sent.length === inOrder.length) return { ok: true, terms: termsOfRequest(input, values) }
  return controlTerms({ ...input, model, pairs: encodeRequest(key, values, profile) })
}

function withOAuth<K extends OperationKey>(
  { key, operation, values, url }: UnsignedRequest<K>,
  auth: OAuthAuth,
  deps: Dependencies,
): OutgoingRequest {
  const pairs = encodeRequest(key, values, deps.profile)
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

/** Who names no coding accepts any (RFC 9110 section 12.5.3), and a packed reply would be read as none: the payment, as unknown. */
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'accept-encoding': 'identity' }

/** Of every request, by the format of replies that it asks for (specification part 4). */
const HEADERS: Readonly<Record<Profile['replyFormat'], OutgoingRequest['headers']>> = {
  json: { ...FORM, accept: 'application/vnd.pay+json' },
  classic: FORM,
}
