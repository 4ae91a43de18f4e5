import { catalogue, matchPath, type Operation, oauthMethodOf, parseForm } from '@tallystick/core'
import { controlEvidence } from '@tallystick/gateway'
import { UsageError } from '../usage-error.ts'
import { ambiguity } from './ambiguity.ts'
import { diagnoseControl } from './diagnose-control.ts'
import { diagnoseOAuth } from './diagnose-oauth.ts'
import type { Diagnosis, Known } from './diagnosis.ts'
import { belowBase, type Received } from './received.ts'
import { unfitTerm } from './unfit-term.ts'

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
