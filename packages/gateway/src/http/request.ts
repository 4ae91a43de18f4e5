import { isIPv4 } from 'node:net'
import {
  catalogue,
  MalformedFormError,
  type OAuthMethod,
  type Operation,
  operationKeys,
  type Pair,
  type Profile,
  parseForm,
} from '@tallystick/core'
import {
  GATEWAY_CODES,
  type GatewayCode,
  type GatewayReply,
  type GatewayRequest,
  matchPath,
  nearestName,
  REPLY_MEDIA_TYPES,
  REQUEST_LIMITS,
  type ReplyFormat,
  type Route,
} from '@tallystick/core/internal'
import { type Answer, refusal } from './reply.ts'

/** A request whose outer form is right: it asks for an operation and carries a form. Nothing in it is verified yet. */
export interface ReadRequest extends Route {
  readonly ok: true
  readonly pairs: readonly Pair[]
  /** The form as it arrived. An OAuth signature covers it. */
  readonly body: string
  /** The path below the base path, with the query. An OAuth signature covers it. */
  readonly target: string
  readonly authorization: string | undefined
  /** Whether `Authorization` came more than once. It is unclear which would count, so none does. */
  readonly isAuthorizedTwice: boolean
}

type Unreadable = { readonly ok: false; readonly answer: Answer }

/** A request with what records it, if anything does. */
export interface TracedRequest extends GatewayRequest {
  readonly trace?: RequestTrace | undefined
}

export type Handle = (request: TracedRequest) => Promise<GatewayReply>

/** Records one request and its answer. What is not told to it is left out. */
export interface RequestTrace {
  /** What was asked; only the first call counts. Without a form nothing is known of the body. */
  read(read: ReadRequest | undefined): void
  verified(by: OAuthMethod | 'control', login: string): void
  /** It is for a page: nothing is recorded of it but the visit. */
  visited(visit: PageVisit): void
  /** @param claimedLogin only of a refusal: whom it claims to come from */
  answered(serialNumber: string, answer: Answer, claimedLogin: string | undefined): void
  struck(fault: string): void
}

/** A customer at a page of the gateway. */
export interface PageVisit {
  /** Of the route: `/form/{token}`. */
  readonly page: string
  readonly orderId: string | undefined
  readonly shown: string | undefined
  readonly sentOnTo: string | undefined
}

/** @param path below the base path, or empty if it is not below it */
function notServed(path: string, basePath: string, isSandbox: boolean): Unreadable {
  const atEnd = path.endsWith('/')
    ? ': it ends with a slash, and no operation has one there.'
    : '; check path and endpoint id.'
  const hint = path === '' ? `: the addresses of this gateway begin with ${basePath}/api/.` : atEnd
  const message = `There is no operation at this address${hint}`
  const meant = meantPath(path)
  const reason = meant === undefined ? message : `${message} Did you mean ${basePath}${meant}?`
  return unreadable(404, isSandbox ? reason : message, { code: GATEWAY_CODES.notServed, reason })
}

/** The paths of all operations, without the id at their end. */
const PATHS = operationKeys.flatMap((key) => {
  const { path, otherPaths }: Operation = catalogue[key]
  return [path, ...otherPaths]
})

/** The last parts of those, some of which are as long as a token. */
const OPERATION_NAMES: ReadonlySet<string> = new Set(PATHS.map((path) => path.slice(path.lastIndexOf('/') + 1)))

const plain = (path: string) => path.toLowerCase().replace(/[^a-z\d/]/g, '')

/** What may have been meant: the same in other letters, or a few letters away. */
function meantPath(path: string): string | undefined {
  const [, above = '', group = '', id = 'ENDPOINT_ID'] = /^(.{1,100}?)(\/group)?(?:\/(\d{1,19}))?\/*$/i.exec(path) ?? []
  const meant = PATHS.find((each) => plain(each) === plain(above)) ?? nearestName(above, PATHS)
  return meant && `${meant}${group.toLowerCase()}/${id}`
}

/** Reads the outer form of a request: method, path, media types, form (interface part 4, common rules). */
export function readRequest(
  request: GatewayRequest,
  basePath: string,
  { format, isSandbox = false }: { readonly format: ReplyFormat | undefined; readonly isSandbox?: boolean },
): ReadRequest | Unreadable {
  const target = request.url.startsWith(`${basePath}/`) ? request.url.slice(basePath.length) : ''
  const path = target.replace(/\?.*/s, '')
  const route = matchPath(path)
  if (route === undefined) return notServed(path, basePath, isSandbox)
  if (request.method !== 'POST') return unreadable(405, 'Every operation is a POST.', { headers: { allow: 'POST' } })
  if (format === undefined) return unreadable(400, `The header Accept must be ${REPLY_MEDIA_TYPES.json}.`)
  if (!isForm(singleHeader(request, 'content-type'))) {
    return unreadable(415, 'The body must be application/x-www-form-urlencoded; say so in the header Content-Type.')
  }
  return readForm(request, { route, target })
}

/**
 * The format that the caller can read: JSON if `Accept` says so, otherwise what the operator chose for such callers.
 * `undefined`: neither of the two.
 */
export function replyFormat(request: GatewayRequest, withoutAccept: ReplyFormat = 'json'): ReplyFormat | undefined {
  const lines = [request.headers['accept'] ?? []].flat()
  const accepted = lines.flatMap((line) => line.split(',')).filter(isAcceptable)
  if (accepted.map(mediaType).includes(REPLY_MEDIA_TYPES.json)) return 'json'
  return withoutAccept === 'classic' ? 'classic' : undefined
}

/** A weight of zero says that the sender cannot read it (RFC 9110 sections 12.4.2 and 12.5.1). */
function isAcceptable(range: string): boolean {
  return !range.split(';').some((parameter) => /^q=0(?:\.0*)?$/i.test(parameter.trim()))
}

/** The fields by their names in the model, as they came, unchecked. */
export function valuesByName(
  { key, pairs }: Pick<ReadRequest, 'key' | 'pairs'>,
  { wireNames }: Profile,
): Readonly<Record<string, string>> {
  const names = catalogue[key].request.spelling(wireNames).read
  return Object.fromEntries(
    pairs.flatMap(([wireName, value]) => {
      const name = names.get(wireName)
      return name === undefined ? [] : [[name, value]]
    }),
  )
}

/** The control of a request. Empty if it has none. */
export function controlOf({ pairs }: Pick<ReadRequest, 'pairs'>): string {
  return pairs.find(([name]) => name === 'control')?.[1].trim() ?? ''
}

function readForm(
  request: GatewayRequest,
  { route, target }: { route: Route; target: string },
): ReadRequest | Unreadable {
  try {
    const pairs = formPairs(request.body)
    if (pairs.length === 0) return unreadable(400, 'The body is empty; send the fields of the operation as a form.')
    const { body, headers } = request
    const authorization = singleHeader(request, 'authorization')
    const isAuthorizedTwice = authorization === undefined && headers['authorization'] !== undefined
    return { ok: true, ...route, target, pairs, body, authorization, isAuthorizedTwice }
  } catch (error) {
    if (!(error instanceof MalformedFormError)) throw error
    if (error.reason === 'too-large') return unreadable(413, TOO_LARGE)
    return unreadable(400, isJson(request.body) ? NO_FORM : error.message)
  }
}

/** V8 copies a part of a text that is shorter, and keeps a longer one as a reference into the text. */
const FEWEST_REFERRED_TO = 13

/**
 * The pairs of a form, each value a text of its own. Otherwise an order that is kept in memory would keep, by its client order id, the
 * whole form with the card and the CVV.
 *
 * @throws MalformedFormError
 */
export function formPairs(body: string): readonly Pair[] {
  return parseForm(body).map((pair) => {
    const [name, value] = pair
    return value.length < FEWEST_REFERRED_TO ? pair : [name, Buffer.from(value).toString()]
  })
}

/** Whether a body is JSON, whatever its header says: curl names every body a form. */
export function isJson(body: string): boolean {
  return /^\s*[{[]/.test(body)
}

export const NO_FORM = 'The body is no form, such as client_orderid=7&amount=10.42: JSON is not read.'

interface Unusual {
  readonly reason?: string
  readonly code?: GatewayCode
  readonly headers?: Readonly<Record<string, string>>
}

function unreadable(
  httpStatus: number,
  message: string,
  { code, headers = {}, reason = message }: Unusual = {},
): Unreadable {
  return {
    ok: false,
    answer: { ...refusal(code ?? GATEWAY_CODES.invalidRequest, message, httpStatus), headers, reason },
  }
}

/** The value of a header that must come once, or `undefined` if it is absent or came more than once. */
function singleHeader({ headers }: GatewayRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

function isForm(contentType: string | undefined): boolean {
  return mediaType(contentType ?? '') === 'application/x-www-form-urlencoded'
}

function mediaType(value: string): string {
  return value.replace(/;.*/s, '').trim().toLowerCase()
}

/** Which field it is cannot be known: the rest was not read. Only these may be long. */
const TOO_LARGE =
  `The form is larger than ${REQUEST_LIMITS.maxBytes} bytes. Shorten order_desc or merchant_data: percent-encoded, a letter ` +
  'beyond ASCII takes 6 bytes or more.'

/**
 * Names that no public site can have: a name without a dot, such as this machine's or a container's; an IPv6 address; names
 * reserved for private networks (RFC 6761, RFC 6762, RFC 8375, and `.internal`); `.lan` of routers and `.svc` of Kubernetes,
 * which are delegated to nobody.
 */
const NEARBY = /^[^.]+$|\.(?:home\.arpa|internal|lan|local|localhost|svc|test)$/

/**
 * Whether the request may come from a page of another site that someone on this machine has open in a browser. Browsers send
 * `Origin` if a page asks another site, but not with all that a page can contain, such as an image or a frame; there newer ones say
 * `Sec-Fetch-Site`. If a site has pointed its own name at this machine (DNS rebinding), its page seems to
 * ask its own site, but `Host` has that name.
 *
 * @param ownHost what this port listens on, if that is a name
 */
export function mayBePage({ headers }: GatewayRequest, ownHost?: string): boolean {
  return headers['origin'] !== undefined || isOfOtherPage(headers) || !isNearby(headers['host'], ownHost)
}

/** Pages of another port of this machine are of the same site. */
function isOfOtherPage(headers: GatewayRequest['headers']): boolean {
  return ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']))
}

/** Whether a person follows a link, so that the page that has it does not see the answer. */
export function isLink({ headers }: GatewayRequest): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

/** Names of this machine: what asks by one of them, or by the name of the port itself, was not led here by another site. */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:[^.]+\.)*localhost)$/

/** Whether the request names this machine, or the port by what it listens on. */
export function namesThisMachine({ headers }: GatewayRequest, ownHost?: string): boolean {
  const name = nameIn(headers['host'])
  return name === undefined || LOOPBACK.test(name) || name === ownHost?.toLowerCase()
}

/** Whether the request says that a page asks which this port has served. */
export function namesOwnPage(request: GatewayRequest, ownHost?: string): boolean {
  const { host, origin } = request.headers
  return typeof host === 'string' && origin === `http://${host}` && namesThisMachine(request, ownHost)
}

/** The message for a refused caller. One that is not a page learns how to ask instead. */
export function pageRefused({ headers }: GatewayRequest): string {
  const refused = 'a page in a browser may not ask here'
  if (headers['origin'] !== undefined || isOfOtherPage(headers)) return refused
  return `${refused}, and ${String(headers['host'])} may be the name of one: ask by an IP address`
}

/** A request without `Host` comes from no browser: browsers always send it. */
function isNearby(host: GatewayRequest['headers'][string], ownHost: string | undefined): boolean {
  const name = nameIn(host)
  return name === undefined || isIPv4(name) || NEARBY.test(name) || name === ownHost?.toLowerCase()
}

/** Without the port. What is no name is one that nothing has. */
function nameIn(host: GatewayRequest['headers'][string]): string | undefined {
  if (host === undefined) return undefined
  return URL.parse(`http://${String(host)}`)?.hostname.replace(/\.$/, '') ?? '.'
}

/** Long random parts of a path are tokens of pages, and whoever has one can open the page. */
const TOKEN = /[\w-]{20,}/g

/** The path of an address as a log may have it: without its query, which is about a payment, and without tokens. */
export function shownPath(url: string): string {
  return url.replace(/\?.*/s, '').replace(TOKEN, (part) => (OPERATION_NAMES.has(part) ? part : '***'))
}
