import {
  catalogue,
  controlTerms,
  decodeRequest,
  type Endpoint,
  maskCardNumbers,
  type OAuthMethod,
  type Operation,
  type OperationKey,
  operationKeys,
  operationUrl,
  type Pair,
  type Profile,
  parseForm,
  redact,
  serializeForm,
} from '@tallystick/core'
import {
  describeIssue,
  type EndpointAddress,
  endpointAddress,
  nearestName,
  oauthMethodOf,
} from '@tallystick/core/internal'
import {
  decodeParameters,
  hmacKey,
  rsaPrivateKey,
  signatureBaseString,
  signControl,
  signOAuth,
} from '@tallystick/signing'
import { BRAND_OPTIONS, BRAND_ROWS, NO_GATEWAY, profileOf } from '../arguments/brand.ts'
import { controlKey, KEY_OPTIONS, KEY_ROWS, privateKey } from '../arguments/keys.ts'
import { given, needed, operationOf, pairsOf, parse, secondsSince1970, UsageError } from '../arguments/parse.ts'
import type { Command } from '../command.ts'
import type { HelpPart } from '../help.ts'

const HELP: readonly HelpPart[] = [
  'tallystick sign: signs a request, and shows what was signed',
  {
    heading: 'Usage',
    commands: ['tallystick sign OPERATION --endpoint ID [options] FIELD=VALUE...'],
  },
  {
    commands: [
      'tallystick sign sale --endpoint 1111 --key-file control.key \\',
      '  client_orderid=902B4FF5 amount=10.42 currency=USD email=john@example.com',
    ],
  },
  'Fields have their names on the wire. What a gateway would refuse about them is said, and does not keep a request ' +
    'from being signed. Nothing is sent.',
  {
    heading: 'Options',
    rows: [
      ['--endpoint ID', 'where the request goes; or --group ID, a group of endpoints'],
      ['--login LOGIN', "the merchant's login, for operations that sign it"],
      ...KEY_ROWS,
      ...BRAND_ROWS,
      ['--nonce TEXT', 'oauth_nonce; default: a new one'],
      ['--timestamp SECONDS', 'oauth_timestamp, in seconds since 1970; default: now'],
      ['--form', 'prints only the form to send, with everything that was given, cards too'],
      ['--curl', 'prints only a command that sends it, likewise'],
      ['--json', 'prints all of it as JSON, likewise'],
    ],
  },
  `Operations: ${operationKeys.join(', ')}`,
]

const OPTIONS = {
  ...KEY_OPTIONS,
  ...BRAND_OPTIONS,
  endpoint: { type: 'string' },
  group: { type: 'string' },
  login: { type: 'string' },
  nonce: { type: 'string' },
  timestamp: { type: 'string' },
  form: { type: 'boolean' },
  curl: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

export const sign: Command = {
  name: 'sign',
  summary: 'signs a request, and shows what was signed',
  help: HELP,
  run: async (args, world) => {
    const { values, positionals } = parse('sign', args, OPTIONS)
    const [word, ...operands] = positionals
    const key = operationOf(needed(word, 'OPERATION', 'say what to sign, such as sale'))
    const pairs = pairsOf(operands)
    const profile = profileOf(values, world)
    if (catalogue[key].auth.scheme === 'oauth' || values.curl === true) requireAddress(profile)
    const { timestamp } = values
    const signed = signedRequest({
      key,
      endpoint: given(() => endpointAddress(endpointOf(values))),
      profile,
      login: values.login,
      pairs,
      controlKey: () => controlKey(values, world),
      privateKey: () => privateKey(values, world),
      nonce: values.nonce ?? world.nonce(),
      timestamp: timestamp === undefined ? Math.floor(world.now() / 1000) : secondsSince1970(timestamp, '--timestamp'),
    })
    for (const remark of remarks(key, signed.body, profile)) world.warn(remark)
    if (values.json === true) world.print(`${JSON.stringify({ operation: key, ...signed }, undefined, 2)}\n`)
    else if (values.curl === true) world.print(asCurl(signed))
    else if (values.form === true) world.print(`${signed.body}\n`)
    else world.print(shownForPeople(key, signed))
    return 0
  },
}

function endpointOf({ endpoint, group }: { readonly endpoint?: string; readonly group?: string }): Endpoint {
  if (group === undefined) return { endpointId: needed(endpoint, '--endpoint', 'the id in the path') }
  if (endpoint === undefined) return { endpointGroupId: group }
  throw new UsageError('--endpoint and --group exclude each other')
}

/** An OAuth signature covers the address. */
function requireAddress({ baseUrl }: Profile): void {
  if (baseUrl !== NO_GATEWAY) return
  throw new UsageError('--base-url is missing: scheme, host and path prefix of the gateway')
}

/** Written by the signature itself. */
const AUTHENTICATION = /^(?:control|oauth_.*)$/

/** What a gateway would refuse about a request, and names that it does not know, a line each. */
export function remarks(key: OperationKey, form: string, profile: Profile): readonly string[] {
  const pairs = parseForm(form)
  const decoded = decodeRequest(key, pairs, profile)
  const issues = decoded.ok ? [] : decoded.issues.map(describeIssue)
  const { read } = catalogue[key].request.spelling(profile.wireNames)
  const strange = pairs.map(([name]) => name).filter((name) => !read.has(name) && !AUTHENTICATION.test(name))
  return [...issues, ...strange.map((name) => strangeName(name, catalogue[key].name, [...read.keys()]))]
}

/** @param what the field should be one of */
export function strangeName(name: string, what: string, known: readonly string[]): string {
  const near = nearestName(name, known)
  const hint = near === undefined ? 'it is sent as it is' : `did you mean ${near}?`
  return `${maskCardNumbers(name)} is no documented field of ${what}: ${hint}`
}

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
export type SignedRequest = {
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
function shownForPeople(key: OperationKey, signed: SignedRequest): string {
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
