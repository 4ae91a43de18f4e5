import { catalogue, type OAuthMethod, type Operation, type Pair, parseForm } from '@tallystick/core'
import { CallbackNotice, matchPath, oauthMethodOf } from '@tallystick/core/internal'
import { candidateUrls, controlEvidence } from '@tallystick/gateway/internal'
import { explainControl, explainOAuth, parseAuthorizationHeader } from '@tallystick/signing'
import type { ControlEvidence, Explanation, KeyEvidence } from '@tallystick/signing/internal'
import { NO_GATEWAY } from '../arguments/brand.ts'
import { UsageError } from '../arguments/parse.ts'
import {
  ambiguity,
  type Diagnosis,
  type Known,
  type Suspicion,
  suspicionOfControl,
  suspicionOfOAuth,
  unfitTerm,
} from './diagnosis.ts'
import { belowBase, type Received } from './received.ts'

/** @throws UsageError if the request is none of the interface, or has no signature */
export function diagnoseRequest(received: Received, known: Known): Diagnosis {
  const { profile } = known
  const path = belowBase(received.url).replace(/\?.*/s, '')
  const route = matchPath(path)
  if (route === undefined) throw new UsageError(`${path} is no path of the interface, or does not end with an id`)
  requireForm(received)
  const { key, endpoint } = route
  const { name, auth, request }: Operation = catalogue[key]
  const { read, sent } = request.spelling(profile.wireNames)
  const pairs = parseForm(received.body)
  // The doctor knows what may not come twice of OAuth.
  const fields = pairs.filter(([each]) => !each.startsWith('oauth_'))
  const refusal =
    received.method === 'POST' ? ambiguity(fields, read) : `it is a ${received.method}, and must be a POST`
  if (auth.scheme === 'oauth') {
    const method = path.startsWith('/api/v4/') ? 'RSA-SHA256' : oauthMethodOf(auth, profile)
    return { refusal, ...diagnoseOAuth(name, method, received, known) }
  }
  if (received.body === '') throw new UsageError('the request shows no body: give it with --body')
  const inPath = { kind: endpoint.isGroup ? 'group' : 'endpoint', id: endpoint.id } as const
  const seen = { ...controlEvidence({ key, auth, pairs, profile }), path: inPath }
  const said = diagnoseControl(seen, sent, known)
  return { what: `the control of ${name}`, ...said, refusal: refusal ?? unfitTerm(key, auth, fields, profile) }
}

/** How JSON, XML and multipart begin, or a text without any value. */
const NOT_A_FORM = /^\s*(?:[{[<]|--)|^[^=]+$/

const NO_FORM = 'the body is no form, such as client_orderid=7&amount=10.42: JSON and multipart are not read'

/** @throws UsageError if there is something else */
function requireForm({ url, body }: Received): void {
  if (body === '' && /[?&](?:control|client[_-]order-?id)=/.test(url))
    throw new UsageError('the fields are in the query: a gateway reads them from the body of a POST')
  if (NOT_A_FORM.test(body)) throw new UsageError(NO_FORM)
}

/** The formula of a callback (gaps part 6). */
const CALLBACK_TERMS = ['status', 'orderId', 'clientOrderId']

/** Of a callback, or of a customer's return. @throws UsageError if it has no control */
export function diagnoseCallback(query: string, known: Known): Diagnosis {
  const { read, sent } = CallbackNotice.spelling()
  const pairs = parseForm(query)
  const fields = Object.fromEntries(pairs.map(([name, value]) => [read.get(name) ?? name, value]))
  const path = { kind: 'endpoint', id: '' } as const
  const seen = { formula: CALLBACK_TERMS, rules: {}, fields, path, control: fields['control'] ?? '' }
  // Nothing but its fields is signed.
  const said = diagnoseControl(seen, sent, { ...known, login: undefined })
  return { what: 'the control of the callback', ...said, refusal: ambiguity(pairs, read) }
}

/** What a request or a callback shows of its control. */
type SeenControl = Omit<ControlEvidence, 'key' | 'otherKeys' | 'theirText' | 'login'>

/**
 * @param wireNames by the names of the fields
 * @throws UsageError if there is no control
 */
function diagnoseControl(
  seen: SeenControl,
  wireNames: readonly Pair[],
  { controlKey, otherKeys, signedText, login }: Omit<Known, 'profile'>,
): Pick<Diagnosis, 'suspicion' | 'explanation'> {
  if (seen.control.trim() === '') throw new UsageError('the field control is missing: it is the signature')
  const explanation = explainControl({ ...seen, key: controlKey(), otherKeys, theirText: signedText, login })
  return { suspicion: suspicionOf(seen, wireNames, signedText), explanation }
}

function suspicionOf(
  { control, formula, rules, fields, path }: SeenControl,
  wireNames: readonly Pair[],
  signedText: string | undefined,
): Suspicion {
  const wireNameOf = new Map(wireNames)
  const signed = formula.flatMap((term) => {
    const rule = rules[term] ?? { reads: 'field', field: term }
    return rule.reads === 'path' ? [] : [rule.field]
  })
  const isUnsent = (name: string) => (fields[name] ?? '').trim() === ''
  const { sent = [], unsent = [] } = Object.groupBy(signed, (name) => (isUnsent(name) ? 'unsent' : 'sent'))
  const onWire = (names: readonly string[]) => names.map((name) => wireNameOf.get(name) ?? name)
  const endpointId = formula.includes('endpointId') ? path.id : undefined
  return suspicionOfControl({ control, sent: onWire(sent), unsent: onWire(unsent), endpointId, signedText })
}

/**
 * @param name of the operation
 * @throws UsageError if the request does not show its host, or has no signature
 */
function diagnoseOAuth(
  name: string,
  method: OAuthMethod,
  received: Received,
  known: Known,
): Omit<Diagnosis, 'refusal'> {
  const { authorization } = received
  if (received.url.startsWith(NO_GATEWAY))
    throw new UsageError('the request does not show its host, which an OAuth signature covers: give it with --base-url')
  if (authorization === undefined)
    throw new UsageError('the header Authorization is missing: it has the signature. Give it with --authorization')
  const signedAt = signedAtOf(authorization)
  const evidence = {
    ...keysOf(method, known),
    httpMethod: received.method,
    parameters: parseForm(received.body),
    authorization,
    now: known.at ?? signedAt ?? 0,
    theirBaseString: known.signedText,
  }
  const explainedAt = (url: string): ExplainedAt => ({
    url,
    explanation: explainOAuth({ ...evidence, url, otherUrls: candidateUrls(url) }),
  })
  const asShown = explainedAt(received.url)
  const byHttp = byHttpOf(received)
  const { url, explanation } = byHttp === undefined ? asShown : likelier(asShown, explainedAt(byHttp))
  const isGuess = byHttp !== undefined && clarityOf(explanation) > 0
  return {
    what: `the signature of ${name}${isGuess ? `, if it went to ${url},` : ''}`,
    suspicion: suspicionOfOAuth(url, known.signedText),
    explanation,
    signedAt: known.at === undefined ? signedAt : undefined,
  }
}

function keysOf(method: OAuthMethod, { controlKey, publicKey, otherKeys }: Known): KeyEvidence {
  return method === 'HMAC-SHA1'
    ? { method, secret: controlKey(), otherSecrets: otherKeys }
    : { method, publicKey: publicKey(), otherPublicKeys: otherKeys }
}

/** In seconds since 1970. */
function signedAtOf(authorization: string): number | undefined {
  const parsed = parseAuthorizationHeader(authorization)
  return parsed.ok && /^\d{10}$/.test(parsed.header.timestamp) ? Number(parsed.header.timestamp) : undefined
}

/** What the doctor says if the request went to this address. */
interface ExplainedAt {
  readonly url: string
  readonly explanation: Explanation<string>
}

/** A request that shows only a host with a port may have gone there by http, such as to a sandbox. */
function byHttpOf({ url, isSchemeKnown }: Received): string | undefined {
  return isSchemeKnown || new URL(url).port === '' ? undefined : url.replace(/^https:/, 'http:')
}

/** Few have a certificate for it. */
const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

function likelier(byHttps: ExplainedAt, byHttp: ExplainedAt): ExplainedAt {
  const gain = clarityOf(byHttp.explanation) - clarityOf(byHttps.explanation)
  return gain > 0 || (gain === 0 && THIS_MACHINE.test(new URL(byHttp.url).hostname)) ? byHttp : byHttps
}

/** A signature that is right says more about what was sent than a mistake that would explain it, and that more than nothing. */
function clarityOf(explanation: Explanation<string>): number {
  if (explanation.explained) return 1
  return explanation.right ? 2 : 0
}
