import { catalogue, type Operation, type OperationKey, type PaymentError, type Profile } from '@tallystick/core'
import { type EndpointAddress, oauthMethodOf } from '@tallystick/core/internal'

// Linear: it reads too few characters for backtracking to matter.
const NO_SUCH_ORDER =
  /\b(?:no(?: such)?|unknown) (?:order|transaction)\b|\b(?:order|transaction)\b(?: (?:with|of) [^.:;,]{0,200}| (?=[\w-]*\d)[\w-]+)? (?:(?:was|is) )?(?:not found|unknown|does not exist|doesn['\u2019]t exist)\b/i

/** A refusal says what it is in its first words. This limit bounds the cost of the expressions. */
const MOST_READ = 500

/** If a text names one of these, the refusal may be about that, not about the order. */
const SOMETHING_ELSE =
  /\b(?:merchant|login|end[ -]?point|project|control|signature|key|credential)s?\b|\baccess|\bpermi(?:t|ssion)|\ballowed\b|\bdenied\b|\bforbidden\b/i

/**
 * Whether a gateway refused a status because it has no such order. There is no list of codes (part 7 of the specification), so
 * the words decide. Another refusal may be about the login; one that could be either says nothing. Used for advice, and to
 * confirm a refusal that came as a page. The journal, which infers an absence, goes by the code.
 */
export function saysNoSuchOrder(error: PaymentError): boolean {
  return error.code === 'REJECTED' && 'errorMessage' in error && textSaysNoSuchOrder(String(error.errorMessage))
}

/** As {@link saysNoSuchOrder}, by the words of a refused status. What did not decode may have said something else. */
export function textSaysNoSuchOrder(words: string): boolean {
  if (words.includes('\ufffd')) return false
  const read = words.slice(0, MOST_READ)
  return NO_SUCH_ORDER.test(read) && !SOMETHING_ELSE.test(read)
}

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
 * What is wrong, and what to compare, when a gateway refuses a signature. Names the login and the endpoint; never a key. Names only
 * what was signed: the control of a payment holds no login, and none holds the time (part 5 of the specification).
 */
export function signatureAdvice(call: SignedCall, status: StatusTaken): string {
  const { auth }: Operation = catalogue[call.key]
  if (status === 'taken')
    return `The status request was accepted, so the login and the controlKey are right: ${beyondStatus(auth, call)}`
  if (status === 'refused') {
    const { login, where } = namesOf(call)
    return `Wrong key, login or endpoint: compare ${login}, ${where} and the controlKey with the gateway's; the status of the order was refused as well.`
  }
  return `Wrong ${suspects(auth)}: ${whatToCompare(call)}`
}

/** What a refused signature asks to compare, without saying that the gateway refused it: a page may come from a proxy. */
export function whatToCompare(call: SignedCall): string {
  const { auth }: Operation = catalogue[call.key]
  const { login, where } = namesOf(call)
  if (auth.scheme === 'oauth') {
    const method = oauthMethodOf(auth, call.profile)
    return `compare ${login}, ${where}, baseUrl, ${KEYS[method]} ${AND_CLOCK}; it was signed by OAuth ${method}.`
  }
  const named = auth.terms.includes('login') ? `${login}, ${where}` : where
  return `compare ${named} and the controlKey with the gateway's; the control was ${madeOf(auth)}`
}

function suspects(auth: Auth): string {
  if (auth.scheme === 'oauth') return 'key, login, endpoint or clock'
  return auth.terms.includes('login') ? 'key, login or endpoint' : 'key or endpoint'
}

/** What an operation signs beyond what its status does. */
function beyondStatus(auth: Auth, { profile }: SignedCall): string {
  if (auth.scheme === 'control') return `only the control was wrong; it was ${madeOf(auth)}`
  const method = oauthMethodOf(auth, profile)
  return `compare baseUrl${method === 'RSA-SHA256' ? `, ${KEYS[method]}` : ''} ${AND_CLOCK}.`
}

function namesOf({ login, endpoint }: SignedCall) {
  return { login: `login ${login}`, where: `${endpoint.isGroup ? 'endpointGroupId' : 'endpointId'} ${endpoint.id}` }
}

function madeOf({ terms }: ControlAuth): string {
  return `made of ${[...terms, 'controlKey'].join(' + ')}.`
}

type Auth = Operation['auth']
type ControlAuth = Extract<Auth, { scheme: 'control' }>

const AND_CLOCK = "and the clock of this machine with the gateway's"
const KEYS = { 'HMAC-SHA1': 'the controlKey', 'RSA-SHA256': 'the public half of privateKey' } as const
