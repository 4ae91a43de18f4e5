import {
  CallbackNotice,
  type ControlAuth,
  catalogue,
  matchPath,
  type OAuthMethod,
  type Operation,
  oauthMethodOf,
  type Pair,
  type Profile,
  parseForm,
} from '@tallystick/core'
import { controlEvidence, likelyUrls } from '@tallystick/gateway'
import {
  type ControlEvidence,
  type Explanation,
  explainControl,
  explainOAuth,
  parseAuthorizationHeader,
} from '@tallystick/signing'
import { NO_GATEWAY } from '../arguments/brand.ts'
import { UsageError } from '../usage-error.ts'
import { ambiguity } from './ambiguity.ts'
import { belowBase, type Received } from './received.ts'
import { type Suspicion, suspicionOfControl, suspicionOfOAuth } from './suspicion.ts'
import { unfitTerm } from './unfit-term.ts'

/** What the person who asks knows. */
export interface Known {
  readonly profile: Profile
  /** Asked for only if the request is signed with it. */
  readonly controlKey: () => string
  /** PEM. Asked for only if the request is signed with it. */
  readonly publicKey: () => string
  /** Keys that may have been used instead. */
  readonly otherKeys: readonly string[]
  /** The text that the sender signed, if known. */
  readonly signedText: string | undefined
  /** The merchant's login: a payment does not show it. */
  readonly login: string | undefined
  /** When it arrived, in seconds since 1970. `undefined`: when it says that it was signed. */
  readonly at: number | undefined
}

/** What the doctor says. */
export interface Diagnosis {
  /** The signature in question, in words. */
  readonly what: string
  /** For a signature that no single mistake explains. */
  readonly suspicion: Suspicion
  readonly explanation: Explanation<string>
  /** Why it is refused all the same if its signature is right. */
  readonly refusal: string | undefined
  /** When it says that it was signed, in seconds since 1970, if that was not judged. */
  readonly signedAt?: number | undefined
}

/** @throws UsageError if the request is none of the interface, or has no signature */
export function diagnoseRequest(received: Received, known: Known): Diagnosis {
  const path = belowBase(received.url).replace(/\?.*/s, '')
  const route = matchPath(path)
  if (route === undefined) throw new UsageError(`${path} is no path of the interface, or does not end with an id`)
  requireForm(received)
  const operation: Operation = catalogue[route.key]
  const { auth } = operation
  const names = operation.request.spelling(known.profile.wireNames).read
  // The doctor knows what may not come twice of OAuth.
  const fields = parseForm(received.body).filter(([name]) => !name.startsWith('oauth_'))
  const refusal =
    received.method === 'POST' ? ambiguity(fields, names) : `it is a ${received.method}, and must be a POST`
  if (auth.scheme === 'control') {
    const said = ofControl(auth, route, received, known)
    const unfit = () => unfitTerm(route.key, auth, fields, known.profile)
    return { what: `the control of ${operation.name}`, refusal: refusal ?? unfit(), ...said }
  }
  if (received.url.startsWith(NO_GATEWAY))
    throw new UsageError('the request does not show its host, which an OAuth signature covers: give it with --base-url')
  const method = path.startsWith('/api/v4/') ? 'RSA-SHA256' : oauthMethodOf(auth, known.profile)
  const signedAt = known.at === undefined ? signedAtOf(received) : undefined
  const { url, explanation, isSure } = inEitherScheme(received, known, method)
  const address = isSure ? '' : `, if it went to ${url},`
  const what = `the signature of ${operation.name}${address}`
  return { what, suspicion: suspicionOfOAuth(url, known.signedText), explanation, refusal, signedAt }
}

/** What the doctor says, of which address, and whether that needs no mention. */
interface OfAddress {
  readonly url: string
  readonly explanation: Explanation<string>
  readonly isSure: boolean
}

function inEitherScheme(received: Received, known: Known, method: OAuthMethod): OfAddress {
  const explanation = ofOAuth(method, received, known)
  const byHttp = sentByHttp(received)
  if (byHttp === undefined) return { url: received.url, explanation, isSure: true }
  const otherwise = ofOAuth(method, byHttp, known)
  const gain = clarityOf(otherwise) - clarityOf(explanation)
  const isHttp = gain > 0 || (gain === 0 && THIS_MACHINE.test(new URL(byHttp.url).hostname))
  const chosen = isHttp ? { url: byHttp.url, explanation: otherwise } : { url: received.url, explanation }
  return { ...chosen, isSure: clarityOf(chosen.explanation) === 0 }
}

/** Few have a certificate for it. */
const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** A request that shows only a host with a port may have gone there by http, such as to a sandbox. */
function sentByHttp(received: Received): Received | undefined {
  const { url, isSchemeKnown } = received
  if (isSchemeKnown || new URL(url).port === '') return undefined
  return { ...received, url: url.replace(/^https:/, 'http:') }
}

/** A signature that is right says more about what was sent than a mistake that would explain it, and that more than nothing. */
function clarityOf(explanation: Explanation<string>): number {
  if (explanation.explained) return 1
  return explanation.right ? 2 : 0
}

type Route = NonNullable<ReturnType<typeof matchPath>>

function ofControl(
  auth: ControlAuth,
  { key, endpoint }: Route,
  { body }: Received,
  { profile, controlKey, otherKeys, signedText, login }: Known,
): Omit<Diagnosis, 'what' | 'refusal'> {
  const evidence = { ...controlEvidence({ key, auth, pairs: parseForm(body), profile }), theirText: signedText, login }
  requireControl(evidence.control, body)
  const path = { kind: endpoint.isGroup ? 'group' : 'endpoint', id: endpoint.id } as const
  const explanation = explainControl({ ...evidence, path, key: controlKey(), otherKeys })
  const signedId = auth.terms.includes('endpointId') ? endpoint.id : undefined
  const wireNames = catalogue[key].request.spelling(profile.wireNames).sent
  return { suspicion: suspicionOf(evidence, wireNames, signedId), explanation }
}

/** @param wireNames by the names of the fields */
function suspicionOf(
  evidence: Omit<ControlEvidence, 'key' | 'path'>,
  wireNames: readonly Pair[],
  endpointId?: string,
): Suspicion {
  const { control, formula, rules, fields, theirText: signedText } = evidence
  const wireNameOf = new Map(wireNames)
  const signed = formula.flatMap((term) => {
    const rule = rules[term] ?? { reads: 'field', field: term }
    return rule.reads === 'path' ? [] : [rule.field]
  })
  const isUnsent = (name: string) => (fields[name] ?? '').trim() === ''
  const { sent = [], unsent = [] } = Object.groupBy(signed, (name) => (isUnsent(name) ? 'unsent' : 'sent'))
  const onWire = (names: readonly string[]) => names.map((name) => wireNameOf.get(name) ?? name)
  return suspicionOfControl({ control, sent: onWire(sent), unsent: onWire(unsent), endpointId, signedText })
}

function ofOAuth(
  method: OAuthMethod,
  { method: httpMethod, url, authorization, body }: Received,
  { controlKey, publicKey, otherKeys, signedText, at }: Known,
): Explanation<string> {
  if (authorization === undefined)
    throw new UsageError('the header Authorization is missing: it has the signature. Give it with --authorization')
  const now = at ?? signedAtOf({ authorization }) ?? 0
  const address = { httpMethod, url, otherUrls: likelyUrls(url) }
  const request = { ...address, parameters: parseForm(body), authorization, now, theirBaseString: signedText }
  return method === 'HMAC-SHA1'
    ? explainOAuth({ ...request, method, secret: controlKey(), otherSecrets: otherKeys })
    : explainOAuth({ ...request, method, publicKey: publicKey(), otherPublicKeys: otherKeys })
}

function signedAtOf({ authorization = '' }: Pick<Received, 'authorization'>): number | undefined {
  const parsed = parseAuthorizationHeader(authorization)
  return parsed.ok && /^\d{10}$/.test(parsed.header.timestamp) ? Number(parsed.header.timestamp) : undefined
}

/** The formula of a callback (gaps part 6). */
const CALLBACK_TERMS = ['status', 'orderId', 'clientOrderId']

/** Of a callback, or of a customer's return. */
export function diagnoseCallback(query: string, { controlKey, otherKeys, signedText }: Known): Diagnosis {
  const names = CallbackNotice.spelling().read
  const pairs = parseForm(query)
  const fields = Object.fromEntries(pairs.map(([name, value]) => [names.get(name) ?? name, value]))
  const control = fields['control'] ?? ''
  requireControl(control, query)
  const path = { kind: 'endpoint', id: '' } as const
  const evidence = { formula: CALLBACK_TERMS, rules: {}, fields, path, control, otherKeys, theirText: signedText }
  const explanation = explainControl({ ...evidence, key: controlKey() })
  const refusal = ambiguity(pairs, names)
  const suspicion = suspicionOf(evidence, CallbackNotice.spelling().sent)
  return { what: 'the control of the callback', suspicion, explanation, refusal }
}

/** How JSON, XML and multipart begin, or a text without any value. */
const NOT_A_FORM = /^\s*(?:[{[<]|--)|^[^=]+$/

/** @throws UsageError that says why there is none */
function requireControl(control: string, form: string): void {
  if (control.trim() !== '') return
  if (form === '') throw new UsageError('the request shows no body: give it with --body')
  throw new UsageError('the field control is missing: it is the signature')
}

const NO_FORM = 'the body is no form, such as client_orderid=7&amount=10.42: JSON and multipart are not read'

/** @throws UsageError if there is something else */
function requireForm({ url, body }: Received): void {
  if (body === '' && /[?&](?:control|client[_-]order-?id)=/.test(url))
    throw new UsageError('the fields are in the query: a gateway reads them from the body of a POST')
  if (NOT_A_FORM.test(body)) throw new UsageError(NO_FORM)
}

/** Whether it is accepted, as far as the signature and the form tell. */
export function isRight({ explanation, refusal }: Diagnosis): boolean {
  return !explanation.explained && explanation.right && refusal === undefined
}

/** For a right signature that helps nothing. */
export function refusalWords({ refusal }: Diagnosis): string {
  return refusal === undefined ? '' : `it is refused whatever its signature: ${refusal}\n`
}
