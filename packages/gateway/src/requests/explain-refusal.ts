import {
  catalogue,
  maskCardNumbers,
  type Operation,
  type OperationKey,
  operationKeys,
  type Pair,
  type Profile,
} from '@tallystick/core'
import {
  type ControlAuth,
  type EndpointAddress,
  exponentOf,
  type ModelField,
  type OAuthAuth,
} from '@tallystick/core/internal'
import { explainControl, explainOAuth, parseAuthorizationHeader } from '@tallystick/signing'
import type { ControlEvidence, ControlTermRule, Explanation } from '@tallystick/signing/internal'
import type { Diagnosis } from '../http/reply.ts'
import { controlOf, isJson, NO_FORM, type ReadRequest, valuesByName } from '../http/request.ts'
import type { Merchants, Target } from '../merchants/merchants.ts'
import type { Store } from '../store/store.ts'
import { methodOf, type VerificationInput } from './verify.ts'

/** A request to an endpoint that exists. */
type Addressed = VerificationInput & { readonly target: Target }

/**
 * Says what is wrong with a signature, for the body of a sandbox's 403. The text may quote the request with its card data
 * masked, but never a key.
 */
export async function explainRefusal(
  input: VerificationInput,
  isNonceSeen: boolean,
  { store, merchants }: { readonly store: Pick<Store, 'findOrder'>; readonly merchants: Pick<Merchants, 'kindOf'> },
): Promise<Diagnosis> {
  const { target } = input
  if (target === undefined) return inWords(explainAddress(input.request, merchants))
  if (isJson(input.request.body)) return inWords(NO_FORM)
  const login = loginOf(input)
  if (login !== undefined && login !== target.merchant.login) return inWords(explainOtherLogin(login))
  const { auth }: Operation = catalogue[input.request.key]
  return auth.scheme === 'control'
    ? await explainWrongControl(auth, { ...input, target }, store)
    : explainWrongOAuth(auth, { ...input, target }, isNonceSeen)
}

/**
 * Why a request is refused, for the operator's log, in so few steps that the time tells a stranger nothing. It does not say how a
 * signature was made wrongly: that takes a sandbox.
 */
export function reasonOfRefusal(
  input: VerificationInput,
  isNonceSeen: boolean,
  merchants: Pick<Merchants, 'kindOf'>,
): string {
  const { target, request } = input
  if (target === undefined) return explainAddress(request, merchants)
  const login = loginOf(input)
  if (login !== undefined && login !== target.merchant.login) return explainOtherLogin(login)
  const { auth }: Operation = catalogue[request.key]
  if (auth.scheme === 'control') return controlOf(request) === '' ? NO_CONTROL : 'The control does not fit.'
  if (request.isAuthorizedTwice) return TWICE_AUTHORIZED
  if (request.authorization === undefined) return NOT_AUTHORIZED
  if (isNonceSeen) return 'The nonce was used before, or its timestamp is not accepted.'
  return login === undefined
    ? 'The header Authorization is not one of OAuth.'
    : 'The OAuth signature or its timestamp does not fit.'
}

/** The id is nobody's, or it is that of an endpoint where a group is meant, or the reverse. */
function explainAddress({ endpoint: { id, isGroup } }: ReadRequest, merchants: Pick<Merchants, 'kindOf'>): string {
  const kind = merchants.kindOf(id)
  if (kind === undefined) return 'There is no endpoint or group of this id: look at the end of the path.'
  return isGroup
    ? `${id} is the id of an endpoint, not of a group: leave out /group/ before it.`
    : `${id} is the id of a group, and this operation takes an endpoint: put the id of one there.`
}

const NO_CONTROL = 'The field control is missing: sign the request.'
const TWICE_AUTHORIZED = 'The header Authorization came more than once: send one.'
const NOT_AUTHORIZED = 'The header Authorization is missing: sign the request by OAuth.'

async function explainWrongControl(
  auth: ControlAuth,
  input: Addressed,
  store: Pick<Store, 'findOrder'>,
): Promise<Diagnosis> {
  if (controlOf(input.request) === '') return inWords(NO_CONTROL)
  const explanation = await ofControl(auth, input, store)
  return foundBy(explanation) ?? comparable(explanation, explainUnsent(auth, input))
}

function explainWrongOAuth(auth: OAuthAuth, input: Addressed, isNonceSeen: boolean): Diagnosis {
  if (input.request.isAuthorizedTwice) return inWords(TWICE_AUTHORIZED)
  if (input.request.authorization === undefined) return inWords(NOT_AUTHORIZED)
  const explanation = ofOAuth(auth, input, isNonceSeen)
  return explanation === undefined ? inWords(NO_PUBLIC_KEY) : (foundBy(explanation) ?? comparable(explanation))
}

/** What needs no look at the signature. */
export function inWords(advice: string): Diagnosis {
  return { text: advice, advice }
}

/** For a signature that no single mistake explains: the key is another, or a text was signed that nothing here tells. */
function comparable(explanation: Explanation<string>, advice = NO_SINGLE_MISTAKE): Diagnosis {
  const expected = explanation.explained || explanation.right ? undefined : explanation.expected
  if (advice !== NO_SINGLE_MISTAKE) return { text: advice, advice, expected }
  const text = expected === undefined ? '.' : `, and the text that you signed with this:\nexpected: ${expected}`
  return { text: `${advice}${text}`, advice: `${advice}.`, expected }
}

const NO_SINGLE_MISTAKE = 'No single mistake explains this: compare your key with the one that the gateway has for you'

const NO_PUBLIC_KEY = 'This merchant has no publicKey (publicKeyFile) in the configuration.'

/** The advice and, if there is something to compare, the comparison. A repeated nonce, for example, has none. */
function foundBy(explanation: Explanation<string>): Diagnosis | undefined {
  if (!explanation.explained) return 'isCutShort' in explanation ? inWords(TOO_LONG) : undefined
  const { cause, advice, expected, received, comparison } = explanation
  if (received === undefined) return { text: advice, cause, advice }
  return { text: `${advice}\n${comparison}`, cause, advice, expected, received }
}

const TOO_LONG =
  'The request is too long to check it for every mistake: sign one with fewer and shorter fields to learn more.'

/** For a request that may be signed correctly, but by or for a merchant who does not have the endpoint in its path. */
export function explainOtherLogin(login: string): string {
  return (
    `The login ${maskCardNumbers(login)} is not that of the merchant whose endpoint is in the path: ` +
    'login, endpoint and key belong together.'
  )
}

/** The merchant that the request claims to come from. */
export function loginOf(input: Pick<VerificationInput, 'request' | 'profile'>): string | undefined {
  const header = parseAuthorizationHeader(input.request.authorization ?? '')
  return header.ok ? header.header.consumerKey : valuesByName(input.request, input.profile)['login']?.trim()
}

async function ofControl(auth: ControlAuth, input: Addressed, store: Pick<Store, 'findOrder'>) {
  const { request, target, profile } = input
  return explainControl({
    ...controlEvidence({ ...request, auth, profile }),
    absentValues: { orderId: await storedOrderId(input, store) },
    path: pathOf(request.endpoint, target),
    login: target.merchant.login,
    key: target.merchant.controlKey.reveal(),
  })
}

/** Names a signed field that is required but was not sent. The value that the merchant signed for it is unknown here. */
function explainUnsent({ terms }: ControlAuth, { request, profile }: VerificationInput): string | undefined {
  const fields: Readonly<Record<string, ModelField>> = catalogue[request.key].request.fields
  const sent = valuesByName(request, profile)
  const unsent = terms
    .map((term) => (term === 'amountInCents' ? 'amount' : term))
    .find((name) => fields[name]?.necessity === 'required' && (sent[name] ?? '').trim() === '')
  return unsent === undefined ? undefined : `${unsent} was not sent: send it, and sign it as it is sent`
}

/** A status request that names its order by the merchant's id alone may have been signed with the gateway's order id. */
async function storedOrderId(input: Addressed, store: Pick<Store, 'findOrder'>): Promise<readonly string[]> {
  const clientOrderId = valuesByName(input.request, input.profile)['clientOrderId']?.trim()
  const { login } = input.target.merchant
  const order = clientOrderId && (await store.findOrder({ login, clientOrderId }))
  return order ? [order.orderId] : []
}

/** Tries the id of the first endpoint of a group, or of the first group of an endpoint: merchants often confuse the two (gaps part 11). */
function pathOf({ id, isGroup }: EndpointAddress, { endpoints, inGroup }: Target) {
  return isGroup
    ? ({ kind: 'group', id, otherId: endpoints[0].id } as const)
    : ({ kind: 'endpoint', id, otherId: inGroup } as const)
}

/** `undefined`: there is no key to verify with. */
function ofOAuth(auth: OAuthAuth, { request, target, profile, now }: Addressed, isNonceSeen: boolean) {
  const { controlKey, publicKey } = target.merchant
  const url = profile.baseUrl + request.target
  const evidence = {
    authorization: request.authorization ?? '',
    httpMethod: 'POST',
    url,
    otherUrls: candidateUrls(url),
    parameters: request.pairs,
    now: now / 1000,
    isNonceSeen,
  }
  if (methodOf(auth, request, evidence.authorization) === 'HMAC-SHA1')
    return explainOAuth({ ...evidence, method: 'HMAC-SHA1', secret: controlKey.reveal() })
  return publicKey === undefined ? undefined : explainOAuth({ ...evidence, method: 'RSA-SHA256', publicKey })
}

/** A request with a control, as it was sent. */
export interface ControlledRequest {
  readonly key: OperationKey
  readonly auth: ControlAuth
  readonly pairs: readonly Pair[]
  readonly profile: Profile
}

/** What the signature doctor learns from the request itself and from the catalogue. Path and key are the receiver's to add. */
export function controlEvidence(request: ControlledRequest): Omit<ControlEvidence, 'path' | 'key'> {
  const { auth, profile } = request
  const fields = valuesByName(request, profile)
  const decimals = exponentOf(fields['currency']?.trim(), profile.exponents)
  return {
    formula: auth.terms,
    otherFormulas: otherFormulas(auth),
    rules: { ...RULES, amountInCents: { reads: 'amount', field: 'amount', decimals } },
    fields,
    control: controlOf(request),
  }
}

/** How to read the terms of core's formulas that are not just the field of the same name. */
const RULES: Readonly<Record<string, ControlTermRule>> = {
  endpointId: { reads: 'path' },
  currency: { reads: 'field', field: 'currency', onlyWith: 'amount' },
}

/** Each formula is named by all operations that use it: which one the merchant meant is unknown. */
function otherFormulas(auth: ControlAuth): Readonly<Record<string, readonly string[]>> {
  const others = operationKeys.flatMap((key) => {
    const other: Operation['auth'] = catalogue[key].auth
    return other.scheme === 'control' && other.terms.join() !== auth.terms.join() ? [{ key, terms: other.terms }] : []
  })
  const byTerms = Map.groupBy(others, ({ terms }) => terms.join()).values()
  return Object.fromEntries([...byTerms].map((same) => [same.map(({ key }) => key).join(', '), same[0]?.terms ?? []]))
}

/** The names of this machine, which are one host and two texts to sign. */
const LOOPBACK = ['127.0.0.1', 'localhost']

/** What the signature doctor should try in place of the URL that a request was sent to: no port, and the other name of this machine. */
export function candidateUrls(url: string): readonly string[] {
  const { protocol, hostname, port, pathname, search } = new URL(url)
  const hosts = LOOPBACK.includes(hostname) ? LOOPBACK : [hostname]
  const ports = port === '' ? [''] : [`:${port}`, '']
  return hosts.flatMap((host) => ports.map((at) => `${protocol}//${host}${at}${pathname}${search}`))
}
