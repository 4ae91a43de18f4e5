import {
  catalogue,
  type EndpointAddress,
  type Operation,
  type OperationKey,
  oauthMethodOf,
  type Profile,
} from '@tallystick/core'

/** What a request was signed with, as far as it may be shown. */
export interface SignedCall {
  readonly key: OperationKey
  readonly login: string
  readonly endpoint: EndpointAddress
  readonly profile: Profile
}

/**
 * What to compare when a gateway refuses a signature, and what finds the value that differs. Names the login and the
 * endpoint; never a key. Part 5 of the specification says what is signed.
 */
export function signatureAdvice({ key, login, endpoint, profile }: SignedCall): string {
  const { auth }: Operation = catalogue[key]
  const where = `${endpoint.isGroup ? 'endpointGroupId' : 'endpointId'} ${endpoint.id}`
  const compare = `compare login ${login}, ${where}`
  const doctors =
    'of @tallystick/signing and a gateway in sandbox mode name what differs; where they cannot, it is the key'
  if (auth.scheme === 'control') {
    return `the control was made of ${auth.terms.join(' + ')} + controlKey: ${compare} and the controlKey with the gateway's; explainControl ${doctors}`
  }
  const method = oauthMethodOf(auth, profile)
  const own = method === 'HMAC-SHA1' ? 'the controlKey' : 'the public half of privateKey'
  return `it was signed by OAuth ${method}: ${compare}, baseUrl and ${own} with the gateway's; explainOAuth ${doctors}`
}
