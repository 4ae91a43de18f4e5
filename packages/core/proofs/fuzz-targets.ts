import { type FuzzTarget, type Random, spoil, spoiledText } from '@tallystick/proof-kit'
import {
  type Callback,
  catalogue,
  controlTerms,
  decodeRequest,
  defineProfile,
  encodeRequest,
  fromMinorUnits,
  MalformedFormError,
  type Model,
  maskCardNumbers,
  type Operation,
  operationKeys,
  operationUrl,
  type Pair,
  parseForm,
  readCallback,
  readReply,
  serializeForm,
  toMinorUnits,
} from '../src/index.ts'
import { CallbackNotice, type ControlAuth, type FormLimits, matchPath, singleValues } from '../src/internal.ts'
import { plainMajorUnits, plainMinorUnits } from './plain-amount.ts'

const profile = defineProfile({ baseUrl: 'https://gate.example.com/paynet' })
/** The widest limits that a form is read with: those of a reply. */
const WIDEST: FormLimits = { maxPairs: 500, maxBytes: 2 ** 20 + 64 }
const operations = operationKeys.map((key) => [key, catalogue[key] as Operation] as const)

const VALUES = [
  '10.42',
  'EUR',
  'US',
  '4444555566661111',
  'https://a.example/b',
  '65.153.12.232',
  'a@b.de',
  '12',
  '2030',
]
const MORE_VALUES = ['CLIENT-112233', 'sale', 'approved', '123', '+12063582043', 'true', 'x', '', '9007199254740993']
const values = [...VALUES, ...MORE_VALUES]

/** Names that a model knows, and some that it does not, with values that suit one field or another. */
function anyPairs(model: Model, random: Random): Pair[] {
  const fields = Object.values(model.fields)
  const pairs = random.some(16, (): Pair => {
    const { wireName, aliases } = random.pick(fields)
    return [spoil(random.pick([wireName, wireName, ...aliases]), random), spoil(random.pick(values), random)]
  })
  return random.below(3) === 0 ? [...pairs, ...pairs] : [...new Map(pairs)]
}

/** A complaint when an object holds more than the fields of its model under names of its own. */
function oddFields(model: Model, value: Readonly<Record<string, unknown>>): string | undefined {
  const odd = Object.keys(value).find((name) => name !== 'extra' && !Object.hasOwn(model.fields, name))
  if (odd !== undefined) return `read a field ${odd}`
  if (Object.getPrototypeOf(value) !== Object.prototype) return 'changed the prototype of a result'
  return Object.getPrototypeOf(value['extra']) === Object.prototype ? undefined : 'changed the prototype of extra'
}

/** Wherever a whole object may be expected, every undocumented name has to come through. */
function lostNames(pairs: readonly Pair[], model: Model, extra: Readonly<Record<string, string>>): string | undefined {
  const known = new Set(Object.values(model.fields).flatMap(({ wireName, aliases }) => [wireName, ...aliases]))
  // In a message of the other side, what no text can have is replaced (F-A4).
  const kept = (name: string) =>
    Object.hasOwn(extra, name) || Object.hasOwn(extra, name.toWellFormed().replaceAll('\0', '\ufffd'))
  const lost = pairs.find(([name]) => !known.has(name) && !isAuthentication(name) && !kept(name))
  return lost && `lost ${lost[0]}`
}

/** As text, whatever the order of the names: that is the order in which the form had them, and written is the model's. */
function sorted(read: unknown): string {
  return JSON.stringify(read, (_, value: unknown) =>
    Object.prototype.toString.call(value) === '[object Object]' && Object.getPrototypeOf(value) === Object.prototype
      ? Object.fromEntries(Object.entries(Object(value)).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )
}

const isAuthentication = (name: string) => name === 'control' || name.startsWith('oauth_')

const form: FuzzTarget = {
  name: 'parseForm',
  error: MalformedFormError,
  tryOne: (random) => {
    const pairs = parseForm(spoiledText(['a=b', '&', 'client_orderid=1', 'a%20b=c+d', '%F0%9F%98%80', 'x'], random))
    const again = parseForm(serializeForm(pairs))
    if (JSON.stringify(again) !== JSON.stringify(pairs)) return 'reads otherwise what it wrote'
    return singleValues(pairs).size === pairs.length ? undefined : 'lost a pair'
  },
  read: (text) => singleValues(parseForm(text, WIDEST)),
  hard: [
    (length) => '&'.repeat(length),
    (length) => `a=${'%'.repeat(length)}`,
    (length) => `a=${'%41'.repeat(length / 3)}%`,
    (length) => `a=${'%C3%A9'.repeat(length / 6)}`,
    (length) => 'a=b&'.repeat(length / 4),
    (length) => '='.repeat(length),
    (length) => `a=${'+'.repeat(length)}`,
    (length) => `a=${'1'.repeat(length)}`,
    (length) => Array.from({ length: length / 8 }, (_, at) => `${at}=`).join('&'),
  ],
}

const replyNames = ['type', 'error-code', 'error-message', 'paynet-order-id', 'status', 'card-ref-id', 'redirect-url']
const replyTypes = ['async-response', 'validation-error', 'error', 'status-response', 'card-ref-id-response', '']

function readAnyReply(text: string, random: Random): string | undefined {
  const [key, { reply: model }] = random.pick(operations)
  const reply = readReply(key, text)
  return reply.kind === 'success' ? oddFields(model, reply.reply) : undefined
}

const jsonReply: FuzzTarget = {
  name: 'readReply of JSON',
  tryOne: (random) => {
    const jsonValues = ['"1"', '1', '12345678901234567890', 'null', 'true', '[1]', '{"a":1}', '"\\ud800"', '1e400']
    const members = random.some(10, () => {
      const name = random.below(5) === 0 ? spoil('__proto__', random) : random.pick(replyNames)
      const value = random.below(2) === 0 ? JSON.stringify(random.pick(replyTypes)) : random.pick(jsonValues)
      return `${JSON.stringify(name)}:${spoil(value, random)}`
    })
    return readAnyReply(
      spoil(`{"type":"${random.pick(replyTypes)}"${members.map((text) => `,${text}`).join('')}}`, random),
      random,
    )
  },
  read: (text) => readReply('sale', text),
  hard: [
    (length) => `{"type":${'['.repeat(length / 2)}${']'.repeat(length / 2)}}`,
    (length) => `${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}`,
    (length) => `{"type":${'[{"a":'.repeat(length / 8)}`,
    (length) => `{"type":${'1'.repeat(length)}}`,
    (length) => `{"type":"${'\\u0041'.repeat(length / 6)}"}`,
    (length) => `{${'"type":"a",'.repeat(length / 11)}"b":1}`,
    (length) => `${' '.repeat(length)}{}`,
    (length) => `{${Array.from({ length: length / 12 }, (_, at) => `"n${at}":1`).join(',')}}`,
  ],
}

const classicReply: FuzzTarget = {
  name: 'readReply of the classic form',
  tryOne: (random) => {
    const pairs = random.some(
      10,
      () => `${random.pick(replyNames)}=${spoil(random.pick([...replyTypes, '1', 'a%20b']), random)}`,
    )
    const end = random.pick(['\n', '\n', '', ' '])
    return readAnyReply([`type=${random.pick(replyTypes)}`, ...pairs].map((text) => text + end).join('&'), random)
  },
  read: (text) => readReply('sale', text),
  hard: [
    (length) => `type=a\n&b=${'\n'.repeat(length)}x`,
    (length) => `type=a\n&b=${'\n '.repeat(length / 2)}x`,
    (length) => `type=a\n${'&'.repeat(length)}`,
    (length) => `type=${' '.repeat(length)}x`,
    (length) => 'type=a\n&'.repeat(length / 8),
    (length) => `type=${'%0A'.repeat(length / 3)}%`,
    (length) => `error-message=${'1'.repeat(length)}&type=error`,
  ],
}

const callback: FuzzTarget = {
  name: 'readCallback',
  error: MalformedFormError,
  tryOne: (random) => {
    const pairs = anyPairs(CallbackNotice, random)
    const read = readCallback(pairs)
    if (!read.ok) return read.issues.length > 0 ? undefined : 'refused without an issue'
    const value: Callback = read.value
    return oddFields(CallbackNotice, value) ?? lostNames(pairs, CallbackNotice, value.extra)
  },
  read: (text) => readCallback(parseForm(text, WIDEST)),
  hard: [
    (length) => Array.from({ length: length / 8 }, (_, at) => `${at}=`).join('&'),
    (length) => 'status=a&'.repeat(length / 9),
    (length) => `status=approved&orderid=${'1'.repeat(length)}&client_orderid=2&control=3`,
    (length) => `client_orderid=${' '.repeat(length)}&merchant_order=${' '.repeat(length)}x`.slice(0, length),
  ],
}

const amounts: FuzzTarget = {
  name: 'toMinorUnits and fromMinorUnits',
  tryOne: (random) => {
    const text =
      random.below(2) === 0 ? spoiledText(['0', '1', '10', '.', '.05', '9'], random) : String(random.below(1e6) / 100)
    const exponent = random.below(5)
    const minor = toMinorUnits(text, exponent)
    if (minor !== plainMinorUnits(text, exponent)) return `toMinorUnits of ${JSON.stringify(text)} gives ${minor}`
    const major = fromMinorUnits(text, exponent)
    if (major !== plainMajorUnits(text, exponent)) return `fromMinorUnits of ${JSON.stringify(text)} gives ${major}`
    if (minor === undefined) return undefined
    return toMinorUnits(fromMinorUnits(minor, exponent) ?? '', exponent) === minor
      ? undefined
      : `there and back of ${text}`
  },
  read: (text) => [toMinorUnits(text), fromMinorUnits(text)],
  hard: [
    (length) => '1'.repeat(length),
    (length) => '0'.repeat(length),
    (length) => `${'0'.repeat(length)}x`,
    (length) => `1.${'1'.repeat(length)}`,
    (length) => '1.'.repeat(length / 2),
  ],
}

const paths: FuzzTarget = {
  name: 'matchPath',
  tryOne: (random) => {
    const [, { path }] = random.pick(operations)
    const tail = spoiledText(['/', '/group', '1', '/253', '9223372036854775807', '/api/v2/sale'], random)
    const asked =
      spoil(path, random) + (random.below(3) === 0 ? tail : random.pick(['/253', '/group/77', '/0', '/group/1/2']))
    const route = matchPath(asked)
    if (route === undefined) return undefined
    const written = operationUrl(route.key, route.endpoint, profile).slice(profile.baseUrl.length)
    const others = catalogue[route.key].otherPaths.map((other) => written.replace(catalogue[route.key].path, other))
    return [written, ...others].includes(asked) ? undefined : `${JSON.stringify(asked)} is taken for ${written}`
  },
  read: matchPath,
  hard: [
    (length) => `/api/v2/sale/${'1'.repeat(length)}`,
    (length) => `/api/v2/sale/${'1'.repeat(length)}x`,
    (length) => `/api${'/1'.repeat(length / 2)}x`,
    (length) => `/api${'/group'.repeat(length / 6)}`,
    (length) => `/api/${'/'.repeat(length)}`,
  ],
}

const baseUrls: FuzzTarget = {
  name: 'defineProfile',
  error: TypeError,
  tryOne: (random) => {
    const given = spoiledText(
      ['https://', 'http://', 'gate.example.com', '/paynet', '/', ':8443', '?a', '#b', 'u@'],
      random,
    )
    const baseUrl = random.below(2) === 0 ? given : `https://gate.example.com${given}`
    const defined = defineProfile({ baseUrl }).baseUrl
    return defined.endsWith('/') || /[?#@\s]/.test(defined.replace(/^.*?:\/\/[^/]*/, '').replaceAll('@', ''))
      ? `kept ${defined}`
      : undefined
  },
  read: (baseUrl) => defineProfile({ baseUrl }),
  hard: [
    (length) => `https://${'a'.repeat(length)} `,
    (length) => `https://a${'/'.repeat(length)}`,
    (length) => `https://a${'/'.repeat(length)}x`,
    (length) => `https://a${'/x'.repeat(length / 2)}?`,
  ],
}

const requests: FuzzTarget = {
  name: 'decodeRequest',
  error: MalformedFormError,
  tryOne: (random) => {
    const [key, { request: model }] = random.pick(operations)
    const pairs = anyPairs(model, random)
    const read = decodeRequest(key, pairs, profile)
    if (!read.ok) return read.issues.length > 0 ? undefined : 'refused without an issue'
    const value: Readonly<Record<string, unknown>> & { readonly extra: Readonly<Record<string, string>> } = read.value
    const again = decodeRequest(key, encodeRequest(key, read.value, profile), profile)
    if (sorted(again) !== sorted(read)) return `${key} reads otherwise what it wrote`
    return oddFields(model, value) ?? lostNames(pairs, model, value.extra)
  },
  read: (text) => decodeRequest('sale', parseForm(text, WIDEST), profile),
  hard: [
    ...[
      'order_desc',
      'email',
      'redirect_url',
      'phone',
      'amount',
      'credit_card_number',
      'ipaddress',
      'country',
      'cvv2',
    ].flatMap((name) => [
      (length: number) => `${name}=${'1'.repeat(length)}`,
      (length: number) => `${name}=https://${'a'.repeat(length)}+b`,
      (length: number) => `${name}=a${'+'.repeat(length)}a`,
      (length: number) => `${name}=${'a@'.repeat(length / 2)}`,
    ]),
    (length) => Array.from({ length: length / 8 }, (_, at) => `${at}=`).join('&'),
    (length) => `birthday=${':'.repeat(length)}&ipaddress=${':'.repeat(length)}`.slice(0, length),
  ],
}

const signed = operations.flatMap(([, { request, auth }]) =>
  auth.scheme === 'control' ? [{ model: request, auth }] : [],
)

function termsOf({ model, auth }: { model: Model; auth: ControlAuth }, pairs: readonly Pair[]) {
  return controlTerms({ auth, model, endpointId: '253', pairs, profile })
}

const controls: FuzzTarget = {
  name: 'controlTerms',
  error: MalformedFormError,
  tryOne: (random) => {
    const operation = random.pick(signed)
    const read = termsOf(operation, anyPairs(operation.model, random))
    if (!read.ok) return read.issues.length > 0 ? undefined : 'refused without an issue'
    if (read.terms.length !== operation.auth.terms.length) return 'lost a term'
    return read.terms.every((term) => typeof term === 'string') ? undefined : 'made a term of something else'
  },
  read: (text) => signed.map((operation) => termsOf(operation, parseForm(text, WIDEST))),
  hard: ['client_orderid', 'orderid', 'amount', 'currency', 'email', 'login', 'cardrefid'].flatMap((name) => [
    (length: number) => `${name}=${'1'.repeat(length / 16)}`,
    (length: number) => `${name}=a${'+'.repeat(length / 16)}a`,
    (length: number) => `${name}=${'a@'.repeat(length / 32)}`,
  ]),
}

const cardNumbers: FuzzTarget = {
  name: 'maskCardNumbers',
  tryOne: (random) => {
    const text = spoiledText(['4444555566661111', '4444 5555 6666 1111', '1', ' ', '-', '44', 'a', '0000'], random)
    const masked = maskCardNumbers(text)
    if (masked.split(/\D/).includes('4444555566661111')) return `left a card number in ${JSON.stringify(text)}`
    return masked.replaceAll('*', '').length <= text.length ? undefined : `made ${JSON.stringify(text)} longer`
  },
  read: maskCardNumbers,
  hard: [
    (length) => '1'.repeat(length),
    (length) => '1 '.repeat(length / 2),
    (length) => '4444555566661111 '.repeat(length / 17),
    (length) => `${'11111111111x'.repeat(length / 12)}`,
    (length) => '0-'.repeat(length / 2),
  ],
}

/** Every reader of this package. */
export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  form,
  jsonReply,
  classicReply,
  callback,
  amounts,
  paths,
  baseUrls,
  requests,
  controls,
  cardNumbers,
]
