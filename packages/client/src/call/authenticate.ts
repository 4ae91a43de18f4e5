import {
  catalogue,
  controlTerms,
  encodeRequest,
  InvalidInputError,
  type Operation,
  type OperationKey,
  type Profile,
  serializeForm,
} from '@tallystick/core'
import {
  type ControlAuth,
  type ControlTerms,
  type OAuthAuth,
  oauthMethodOf,
  type RequestValues,
  termsOfRequest,
  writeRequest,
} from '@tallystick/core/internal'
import { signControl, signOAuth } from '@tallystick/signing'
import type { Dependencies } from '../options.ts'
import type { OutgoingRequest } from '../transport/transport.ts'

/** A request before it is signed. */
interface UnsignedRequest<K extends OperationKey> {
  readonly key: K
  readonly url: string
  /** By the field names of its model. */
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
  const { auth }: Operation = catalogue[request.key]
  return auth.scheme === 'control' ? withControl(request, auth, deps) : withOAuth(request, auth, deps)
}

/** A value that cannot be signed, such as an amount with more decimals than its currency has, is a wrong input. */
function withControl<K extends OperationKey>(
  request: UnsignedRequest<K>,
  auth: ControlAuth,
  deps: Dependencies,
): OutgoingRequest | InvalidInputError {
  const { key, values, url } = request
  const signed = termsOf(request, auth, deps)
  if (!signed.ok) return new InvalidInputError(catalogue[key].name, signed.issues)
  const control = signControl({ terms: signed.terms, key: deps.controlKey.reveal() })
  const body = writeRequest(key, values, deps.profile, [['control', control]])
  return { url, headers: { ...HEADERS[deps.profile.replyFormat], 'user-agent': deps.userAgent }, body }
}

/** The terms of a control: from the values, or from the encoded form if the profile gives two fields one wire name. */
function termsOf<K extends OperationKey>(
  { key, values }: UnsignedRequest<K>,
  auth: ControlAuth,
  { endpoint, profile }: Dependencies,
): ControlTerms {
  const input = { auth, endpointId: endpoint.id, profile }
  const { request: model }: Operation = catalogue[key]
  const { sent, inOrder } = model.spelling(profile.wireNames)
  if (sent.length === inOrder.length) return { ok: true, terms: termsOfRequest(input, values) }
  return controlTerms({ ...input, model, pairs: encodeRequest(key, values, profile) })
}

function withOAuth<K extends OperationKey>(
  { key, values, url }: UnsignedRequest<K>,
  auth: OAuthAuth,
  deps: Dependencies,
): OutgoingRequest {
  const pairs = encodeRequest(key, values, deps.profile)
  const signed = signOAuth({
    ...signingKey(key, auth, deps),
    httpMethod: 'POST',
    url,
    parameters: pairs,
    consumerKey: deps.login,
    nonce: deps.nonce(),
    timestamp: Math.floor(deps.clock.now() / 1000),
  })
  // If the body repeats the OAuth parameters, the signer has already made it.
  const body = deps.profile.oauthInBody ? signed.body : serializeForm(pairs)
  const { authorization } = signed
  return { url, headers: { ...HEADERS[deps.profile.replyFormat], 'user-agent': deps.userAgent, authorization }, body }
}

function signingKey(key: OperationKey, auth: OAuthAuth, deps: Dependencies) {
  const method = oauthMethodOf(auth, deps.profile)
  if (method === 'HMAC-SHA1') return { method, key: deps.hmacKey } as const
  if (deps.rsaKey !== undefined) return { method, key: deps.rsaKey } as const
  throw new TypeError(`${catalogue[key].name} is signed by RSA-SHA256: give privateKey to createPaymentClient`)
}

/**
 * Without `accept-encoding` a server may choose any encoding for its reply (RFC 9110 section 12.5.3). The client reads the usual
 * ones; in another, the payment would be unknown.
 */
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'accept-encoding': 'identity' }

/** The headers of every request, by the reply format that it asks for (specification part 4). */
const HEADERS: Readonly<Record<Profile['replyFormat'], OutgoingRequest['headers']>> = {
  json: { ...FORM, accept: 'application/vnd.pay+json' },
  classic: FORM,
}
