import {
  catalogue,
  controlTerms,
  type OAuthMethod,
  type Operation,
  type OperationKey,
  operationUrl,
  type Pair,
  type Profile,
  redact,
  serializeForm,
} from '@tallystick/core'
import { describeIssue, type EndpointAddress, oauthMethodOf } from '@tallystick/core/internal'
import {
  decodeParameters,
  hmacKey,
  rsaPrivateKey,
  signatureBaseString,
  signControl,
  signOAuth,
} from '@tallystick/signing'
import { given, UsageError } from '../arguments/parse.ts'

interface UnsignedRequest {
  readonly key: OperationKey
  readonly endpoint: EndpointAddress
  readonly profile: Profile
  readonly login: string | undefined
  /** The fields by their names on the wire. */
  readonly pairs: readonly Pair[]
  /** Asked for only if the operation is signed with it. */
  readonly controlKey: () => string
  /** PEM. Asked for only if the operation is signed with it. */
  readonly privateKey: () => string
  readonly nonce: string
  /** Seconds since 1970. */
  readonly timestamp: number
}

/** A request ready to be sent, and what was signed. */
type SignedRequest = {
  readonly url: string
  readonly body: string
} & (
  | {
      readonly scheme: 'control'
      /** Name and text of each term, in the order of the formula. The key comes after them. */
      readonly terms: readonly Pair[]
      readonly control: string
    }
  | {
      readonly scheme: OAuthMethod
      readonly baseString: string
      readonly authorization: string
    }
)

/** @throws UsageError for a field that cannot be signed, or a login that is missing */
export function signedRequest(request: UnsignedRequest): SignedRequest {
  const { key, endpoint, profile } = request
  const { auth }: Operation = catalogue[key]
  const url = given(() => operationUrl(key, endpoint, profile))
  const pairs = withLogin(request)
  if (auth.scheme === 'oauth') return byOAuth(oauthMethodOf(auth, profile), { ...request, pairs }, url)
  const model = catalogue[key].request
  const made = controlTerms({ auth, model, endpointId: endpoint.id, pairs, profile })
  if (!made.ok) throw new UsageError(made.issues.map(describeIssue).join('\n'))
  const control = signControl({ terms: made.terms, key: request.controlKey() })
  const terms = auth.terms.map((name, index): Pair => [name, made.terms[index] ?? ''])
  return { scheme: 'control', url, terms, control, body: serializeForm([...pairs, ['control', control]]) }
}

/** The login is a field of most requests. */
function withLogin({ key, profile, login, pairs }: UnsignedRequest): readonly Pair[] {
  const { sent } = catalogue[key].request.spelling(profile.wireNames)
  const wireName = sent.find(([name]) => name === 'login')?.[1]
  const isThere = wireName === undefined || pairs.some(([name]) => name === wireName)
  return isThere || login === undefined ? pairs : [...pairs, [wireName, login]]
}

function byOAuth(method: OAuthMethod, request: UnsignedRequest, url: string): SignedRequest {
  const { login, pairs, nonce, timestamp, profile } = request
  if (login === undefined) throw new UsageError('--login is missing: an OAuth signature names who made it')
  const signer =
    method === 'HMAC-SHA1'
      ? ({ method, key: hmacKey(request.controlKey()) } as const)
      : ({ method, key: rsaPrivateKey(request.privateKey()) } as const)
  const what = { httpMethod: 'POST', url, parameters: pairs }
  const signed = signOAuth({ ...signer, ...what, consumerKey: login, nonce, timestamp })
  const body = profile.oauthInBody ? signed.body : serializeForm(pairs)
  // The body of the signer has the `oauth_*` pairs that were signed.
  const baseString = signatureBaseString({ ...what, parameters: decodeParameters(signed.body) })
  return { scheme: method, url, body, baseString, authorization: signed.authorization }
}

const KEY = '[control key]'

/** What was signed, for a person who compares it with another program's. Shows no key and no card. */
export function shownForPeople(key: OperationKey, signed: SignedRequest): string {
  const { name, path } = catalogue[key]
  return signed.scheme === 'control'
    ? `${name} (${path}): the control is the SHA-1 of these texts, one after the other\n\n${controlShown(signed)}`
    : `${name} (${path}): OAuth 1.0a by ${signed.scheme}\n\n${oauthShown(signed)}`
}

function controlShown({ terms, control }: SignedRequest & { readonly scheme: 'control' }): string {
  const width = Math.max(...terms.map(([name]) => name.length))
  const rows = terms.map(([name, text]) => `  ${name.padEnd(width)}  ${text === '' ? '(empty)' : text}`)
  const text = terms.map(([, each]) => each).join('') + KEY
  return `${rows.join('\n')}\n  ${'key'.padEnd(width)}  ${KEY}\n\ntext     ${text}\ncontrol  ${control}\n`
}

function oauthShown({ baseString, authorization }: Exclude<SignedRequest, { readonly scheme: 'control' }>): string {
  return `base string\n  ${redact(baseString)}\n\nAuthorization: ${authorization}\n`
}

/** A command for a POSIX shell that sends the request. It has the card, if the request has one. */
export function asCurl({ url, body, ...signed }: SignedRequest): string {
  const authorization = 'authorization' in signed ? [`Authorization: ${signed.authorization}`] : []
  const headers = ['Accept: application/vnd.pay+json', ...authorization]
  return [
    `curl ${quoted(url)}`,
    ...headers.map((header) => `  --header ${quoted(header)}`),
    `  --data ${quoted(body)}\n`,
  ].join(' \\\n')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
