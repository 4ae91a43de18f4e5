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
export function signatureAdvice(call: SignedCall, status: StatusTaken): string {
  const where = whereOf(call.endpoint)
  switch (status) {
    case 'refused':
      return `Compare login ${call.login}, ${where} and the controlKey with the gateway's: the status of the order was refused as well.`
    case 'taken':
      return `The status request was accepted, so the login and the controlKey are right: ${ownOf(call)}.`
    case 'not asked':
      return compareAll(call, where)
  }
}

function compareAll({ key, login, profile }: SignedCall, where: string): string {
  const { auth }: Operation = catalogue[key]
  if (auth.scheme === 'oauth') {
    const method = oauthMethodOf(auth, profile)
    return `Compare login ${login}, ${where}, baseUrl, ${KEYS[method]} and the clock of this machine with the gateway's; it was signed by OAuth ${method}.`
  }
  const named = auth.terms.includes('login') ? `login ${login}, ${where}` : where
  return `Compare ${named} and the controlKey with the gateway's; the control was made of ${madeOf(auth.terms)}.`
}

/** What this operation signs beyond what its status does. */
function ownOf({ key, profile }: SignedCall): string {
  const { auth }: Operation = catalogue[key]
  if (auth.scheme === 'control') return `only the control was wrong; it was made of ${madeOf(auth.terms)}`
  const own = oauthMethodOf(auth, profile) === 'RSA-SHA256' ? `baseUrl, ${KEYS['RSA-SHA256']}` : 'baseUrl'
  return `compare ${own} and the clock of this machine with the gateway's`
}

const KEYS = { 'HMAC-SHA1': 'the controlKey', 'RSA-SHA256': 'the public half of privateKey' } as const

function madeOf(terms: readonly string[]): string {
  return [...terms, 'controlKey'].join(' + ')
}

function whereOf({ id, isGroup }: EndpointAddress): string {
  return `${isGroup ? 'endpointGroupId' : 'endpointId'} ${id}`
}
