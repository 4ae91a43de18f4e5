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

/** What the gateway said to the status of the same order, which the same login and control key sign. */
export type StatusTaken = 'taken' | 'refused' | 'not asked'

/**
 * What to compare when a gateway refuses a signature. Names the login and the endpoint; never a key. Names only what was
 * signed: the control of a payment holds no login, and none holds the time (part 5 of the specification).
 */
export function signatureAdvice({ key, login, endpoint, profile }: SignedCall, status: StatusTaken): string {
  const { auth }: Operation = catalogue[key]
  const where = `${endpoint.isGroup ? 'endpointGroupId' : 'endpointId'} ${endpoint.id}`
  const named = `login ${login}, ${where}`
  if (status === 'refused') {
    return `Compare ${named} and the controlKey with the gateway's: the status of the order was refused as well.`
  }
  if (auth.scheme === 'oauth') return oauthAdvice(oauthMethodOf(auth, profile), named, status)
  const made = `made of ${[...auth.terms, 'controlKey'].join(' + ')}.`
  if (status === 'taken') return `${TAKEN} only the control was wrong; it was ${made}`
  return `Compare ${auth.terms.includes('login') ? named : where} and the controlKey with the gateway's; the control was ${made}`
}

/** If the status was taken, names only what this operation signs beyond what its status does. */
function oauthAdvice(method: OAuthMethod, named: string, status: StatusTaken): string {
  const rest = "and the clock of this machine with the gateway's"
  if (status === 'taken')
    return `${TAKEN} compare baseUrl${method === 'RSA-SHA256' ? `, ${KEYS[method]}` : ''} ${rest}.`
  return `Compare ${named}, baseUrl, ${KEYS[method]} ${rest}; it was signed by OAuth ${method}.`
}

const TAKEN = 'The status request was accepted, so the login and the controlKey are right:'
const KEYS = { 'HMAC-SHA1': 'the controlKey', 'RSA-SHA256': 'the public half of privateKey' } as const

type OAuthMethod = ReturnType<typeof oauthMethodOf>
