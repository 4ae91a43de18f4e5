import { nearestName } from '@tallystick/core/internal'
import { objectIn, UsageError } from '../../arguments/parse.ts'

/** The file that says how a shop is reached. */
export interface ShopFile {
  /** Makes an order known to the shop, before its payment begins. */
  readonly create: ShopRequest | undefined
  /** Begins the payment of an order. Its answer leads the customer to the gateway. */
  readonly begin: ShopRequest
  readonly outcome: OutcomeQuestion
  readonly refund: ShopRequest | undefined
  readonly capture: ShopRequest | undefined
  readonly cancel: ShopRequest | undefined
  /** How often the goods of an order were delivered. */
  readonly effects: EffectsQuestion | undefined
  /** Moves the shop's time ahead, by `{seconds}`. */
  readonly clock: ShopRequest | undefined
  /** How the shop's orders are called. */
  readonly order: OrderNames
  /** Runs the shop, until it is killed. Without it the shop runs already. */
  readonly start: string | undefined
  /** Kills a shop that runs already, and runs it again. */
  readonly restart: string | undefined
  readonly kill: string | undefined
  /** The files to which the shop logs. */
  readonly log: readonly string[]
  /** Seconds that the shop has to learn an outcome. */
  readonly patience: number
  /** Seconds that something wrong has to show. */
  readonly quiet: number
}

/** A request with placeholders. */
export interface ShopRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface OutcomeQuestion {
  readonly request: ShopRequest
  readonly paid: Sign
  readonly notPaid: Sign
  readonly pending: Sign
  /** What the shop has counted as refunded, reversed and charged back of an order, as an amount in major units. */
  readonly takenBack: Place | undefined
}

/** Where something stands in an answer: a JSON path, or the first group of a regular expression. */
export type Place = { readonly path: string } | { readonly pattern: RegExp }

/** What an answer has if something is so. */
export type Sign = { readonly path: string; readonly is: readonly string[] } | { readonly pattern: RegExp }

export interface EffectsQuestion {
  readonly from: ShopRequest | { readonly file: string }
  /** A JSON path to a number or to a list. Without it, how often `pattern` is found is counted. */
  readonly count: { readonly path: string } | { readonly pattern: string }
}

/** Either we say what an order is called, or the shop does. */
export type OrderNames = { readonly like: string } | { readonly found: RegExp }

/** What stands in place of a placeholder, by its name. */
export type Values = Readonly<Record<string, string>>

export const PLACEHOLDERS = [
  'order',
  'amount',
  'cents',
  'currency',
  'description',
  'name',
  'cardNumber',
  'cardPrintedName',
  'expireMonth',
  'expireYear',
  'cvv2',
  'seconds',
] as const

const FIELDS = [
  'create',
  'begin',
  'outcome',
  'refund',
  'capture',
  'cancel',
  'effects',
  'clock',
  'order',
  'start',
  'restart',
  'kill',
  'log',
  'patience',
  'quiet',
] as const

/** @throws UsageError that names the field */
export function readShopFile(text: string, file: string): ShopFile {
  const fail = (field: string, wanted: string): never => {
    throw new UsageError(`${file}: ${field} ${wanted}`)
  }
  const given = objectIn(text)
  if (given === undefined)
    throw new UsageError(`${file} must hold a JSON object, as tallystick certify shop --help shows`)
  requireKnown('', given, [...FIELDS, '$schema'], fail)
  const read = (name: string): unknown => given[name]
  const request = (name: string) => (read(name) === undefined ? undefined : requestIn(name, read(name), fail))
  const needed = (name: string): unknown => read(name) ?? fail(name, 'is missing')
  return {
    create: request('create'),
    begin: requestIn('begin', needed('begin'), fail),
    outcome: outcomeIn(needed('outcome'), fail),
    refund: request('refund'),
    capture: request('capture'),
    cancel: request('cancel'),
    effects: read('effects') === undefined ? undefined : effectsIn(read('effects'), fail),
    clock: request('clock'),
    order: orderIn(read('order'), fail),
    start: textIn('start', read('start'), fail),
    restart: textIn('restart', read('restart'), fail),
    kill: textIn('kill', read('kill'), fail),
    log: [read('log') ?? []].flat().map((each) => textIn('log', each, fail) ?? fail('log', 'must name a file')),
    patience: secondsIn('patience', read('patience'), 90, fail),
    quiet: secondsIn('quiet', read('quiet'), 2, fail),
  }
}

type Fail = (field: string, wanted: string) => never

function requireKnown(where: string, given: object, known: readonly string[], fail: Fail): void {
  const strange = Object.keys(given).find((name) => !known.includes(name))
  if (strange === undefined) return
  const near = nearestName(strange, known)
  fail(
    `${where}${strange}`,
    `is not known${near === undefined ? `: there are ${known.join(', ')}` : `: did you mean ${near}?`}`,
  )
}

function textIn(name: string, given: unknown, fail: Fail): string | undefined {
  if (given === undefined || (typeof given === 'string' && given !== '')) return given
  return fail(name, 'must be a text')
}

function secondsIn(name: string, given: unknown, usual: number, fail: Fail): number {
  if (given === undefined) return usual
  return typeof given === 'number' && given > 0 && given <= 3600 ? given : fail(name, 'must be seconds, from 0 to 3600')
}

function recordIn(name: string, given: unknown, fail: Fail): Readonly<Record<string, unknown>> {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return { ...given }
  return fail(name, 'must be an object')
}

const REQUEST = /^([A-Z]+) (https?:\/\/\S+)$/

/** `"POST http://…"`, or an object with `request`, `headers` and `body`. */
function requestIn(name: string, given: unknown, fail: Fail, others: readonly string[] = []): ShopRequest {
  const whole = typeof given === 'string' ? { request: given } : recordIn(name, given, fail)
  requireKnown(`${name}.`, whole, ['request', 'headers', 'body', ...others], fail)
  const { request, headers = {}, body }: Readonly<Record<string, unknown>> = whole
  const [, method, url] = REQUEST.exec(typeof request === 'string' ? request : '') ?? []
  const place = typeof given === 'string' || others.length > 0 ? name : `${name}.request`
  if (method === undefined || url === undefined)
    return fail(place, 'must be a method and an address, such as POST http://127.0.0.1:8080/invoices/{order}/pay')
  const sent = Object.entries(recordIn(`${name}.headers`, headers, fail)).map(
    ([header, value]) => [header.toLowerCase(), textIn(`${name}.headers.${header}`, value, fail) ?? ''] as const,
  )
  const form = ['content-type', 'application/x-www-form-urlencoded'] as const
  const all = Object.fromEntries(body === undefined ? sent : [form, ...sent])
  const read = { method, url, headers: all, body: bodyIn(`${name}.body`, body, all, fail) }
  requirePlaceholders(name, read, fail)
  return read
}

function bodyIn(name: string, given: unknown, headers: ShopRequest['headers'], fail: Fail): string | undefined {
  if (given === undefined || typeof given === 'string') return given
  const fields = recordIn(name, given, fail)
  if (isJson({ headers })) return JSON.stringify(fields)
  const pairs = Object.entries(fields).map(([field, value]) => `${encodeURIComponent(field)}=${String(value)}`)
  return pairs.join('&')
}

const PLACEHOLDER = /\{([a-zA-Z]\w*)\}/g

function requirePlaceholders(name: string, { url, body = '', headers }: ShopRequest, fail: Fail): void {
  for (const [whole, placeholder = ''] of [url, body, ...Object.values(headers)].join(' ').matchAll(PLACEHOLDER)) {
    if (PLACEHOLDERS.some((each) => each === placeholder)) continue
    fail(name, `has ${whole}, which is no placeholder: there are ${PLACEHOLDERS.map((each) => `{${each}}`).join(' ')}`)
  }
}

function outcomeIn(given: unknown, fail: Fail): OutcomeQuestion {
  const whole = recordIn('outcome', given, fail)
  const { paid, notPaid, pending, takenBack } = whole
  return {
    request: requestIn('outcome', whole, fail, ['paid', 'notPaid', 'pending', 'takenBack']),
    paid: signIn('outcome.paid', paid, fail),
    notPaid: signIn('outcome.notPaid', notPaid, fail),
    pending: signIn('outcome.pending', pending, fail),
    takenBack: takenBack === undefined ? undefined : placeIn('outcome.takenBack', takenBack, fail),
  }
}

/** A regular expression, or `{ "path": "status", "is": "paid" }`. */
function signIn(name: string, given: unknown, fail: Fail): Sign {
  if (given === undefined) return fail(name, 'is missing')
  if (typeof given === 'string') return { pattern: patternIn(name, given, fail) }
  const whole = recordIn(name, given, fail)
  requireKnown(`${name}.`, whole, ['path', 'is', 'pattern'], fail)
  const { path, is, pattern } = whole
  if (typeof pattern === 'string') return { pattern: patternIn(`${name}.pattern`, pattern, fail) }
  if (typeof path !== 'string' || is === undefined)
    return fail(name, 'must be a regular expression, or { "path": "status", "is": "paid" }')
  return { path, is: [is].flat().map(String) }
}

/** A JSON path, or `{ "pattern": … }`. */
function placeIn(name: string, given: unknown, fail: Fail): Place {
  if (typeof given === 'string') return { path: given }
  const { path, pattern } = recordIn(name, given, fail)
  if (typeof path === 'string') return { path }
  if (typeof pattern === 'string') return { pattern: patternIn(`${name}.pattern`, pattern, fail) }
  return fail(name, 'must be a JSON path, or { "pattern": "refunded: ([0-9.]+)" }')
}

function patternIn(name: string, source: string, fail: Fail): RegExp {
  try {
    return new RegExp(source, 'is')
  } catch {
    return fail(name, `is no regular expression: ${source}`)
  }
}

function effectsIn(given: unknown, fail: Fail): EffectsQuestion {
  const whole = recordIn('effects', given, fail)
  requireKnown('effects.', whole, ['file', 'request', 'headers', 'body', 'path', 'pattern'], fail)
  const { file, path, pattern } = whole
  const from =
    file === undefined
      ? requestIn('effects', whole, fail, ['path', 'pattern'])
      : { file: textIn('effects.file', file, fail) ?? '' }
  if (typeof path === 'string') return { from, count: { path } }
  if (typeof pattern !== 'string')
    return fail('effects', 'needs a path, or a pattern that is found once for each delivery')
  patternIn('effects.pattern', pattern.replaceAll('{order}', 'x'), fail)
  return { from, count: { pattern } }
}

function orderIn(given: unknown, fail: Fail): OrderNames {
  if (given === undefined) return { like: 't{number}' }
  const whole = recordIn('order', given, fail)
  requireKnown('order.', whole, ['like', 'found'], fail)
  const { like, found } = whole
  if (typeof found === 'string') return { found: patternIn('order.found', found, fail) }
  if (typeof like === 'string' && like.includes('{number}')) return { like }
  return fail('order', 'must be { "like": "A{number}" }, or { "found": "order (\\\\w+)" } if the shop names its orders')
}

function isJson({ headers }: Pick<ShopRequest, 'headers'>): boolean {
  return /json/i.test(headers['content-type'] ?? '')
}

/** Whether a request has a place for it. */
export function has(request: ShopRequest, placeholder: (typeof PLACEHOLDERS)[number]): boolean {
  return `${request.url} ${request.body ?? ''}`.includes(`{${placeholder}}`)
}

/** The request with its placeholders filled in. */
export function filledIn(request: ShopRequest, values: Values): ShopRequest {
  const put = (text: string, written: (value: string) => string) =>
    text.replace(PLACEHOLDER, (whole, name: string) => (values[name] === undefined ? whole : written(values[name])))
  const inBody = isJson(request) ? (value: string) => JSON.stringify(value).slice(1, -1) : encodeURIComponent
  return {
    ...request,
    url: put(request.url, encodeURIComponent),
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, put(value, String)])),
    body: request.body === undefined ? undefined : put(request.body, inBody),
  }
}

/** Whether an answer shows it. */
export function shows(text: string, sign: Sign): boolean {
  if ('pattern' in sign) return sign.pattern.test(text)
  const value = scalar(valueAt(text, sign.path))
  return value !== undefined && sign.is.includes(value)
}

/** What stands there, as a text. `undefined`: nothing does. */
export function textAt(text: string, place: Place): string | undefined {
  if ('pattern' in place) return place.pattern.exec(text)?.[1]
  return scalar(valueAt(text, place.path))
}

function scalar(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? `${value}` : undefined
}

/** How many deliveries an answer or a file shows. `undefined`: it shows no number. */
export function countIn(text: string, { count }: EffectsQuestion, values: Values): number | undefined {
  if ('pattern' in count) {
    const source = count.pattern.replace(PLACEHOLDER, (whole, name: string) => escaped(values[name] ?? whole))
    return [...text.matchAll(new RegExp(source, 'gi'))].length
  }
  const value = valueAt(text, count.path)
  if (Array.isArray(value)) return value.length
  return value === undefined || value === null || !Number.isInteger(Number(value)) ? undefined : Number(value)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** `status`, `$.order.status`, `items[0].status`. */
function valueAt(text: string, path: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  for (const name of path.replace(/^\$\.?/, '').match(/[^.[\]]+/g) ?? []) value = Object(value)[name]
  return value
}
