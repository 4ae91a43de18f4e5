/** The readers of forms, replies, callbacks and amounts only throw their own errors and never hang. */
import { type FuzzTarget, fuzz, grown, type Random, spoil, spoiledText } from '@tallystick/proof-kit'
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

const SUITABLE = ['10.42', 'EUR', 'US', '4444555566661111', 'https://a.example/b', '65.153.12.232', 'a@b.de', '2030']
const OTHERS = ['CLIENT-112233', 'sale', 'approved', '123', '+12063582043', 'true', 'x', '', '9007199254740993', '12']
const values = [...SUITABLE, ...OTHERS]

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

/** A form of many short names. */
const manyNames = (length: number) => Array.from({ length: length / 8 }, (_, at) => `${at}=`).join('&')

const isAuthentication = (name: string) => name === 'control' || name.startsWith('oauth_')

const replyNames = ['type', 'error-code', 'error-message', 'paynet-order-id', 'status', 'card-ref-id', 'redirect-url']
const replyTypes = ['async-response', 'validation-error', 'error', 'status-response', 'card-ref-id-response', '']

function readAnyReply(text: string, random: Random): string | undefined {
  const [key, { reply: model }] = random.pick(operations)
  const reply = readReply(key, text)
  return reply.kind === 'success' ? oddFields(model, reply.reply) : undefined
}

/** One of each format. */
const FIELDS = 'order_desc email redirect_url phone amount credit_card_number ipaddress country cvv2'.split(' ')

const signed = operations.flatMap(([, { request, auth }]) =>
  auth.scheme === 'control' ? [{ model: request, auth }] : [],
)

function termsOf({ model, auth }: { model: Model; auth: ControlAuth }, pairs: readonly Pair[]) {
  return controlTerms({ auth, model, endpointId: '253', pairs, profile })
}

const targets: readonly FuzzTarget[] = [
  {
    name: 'parseForm',
    error: MalformedFormError,
    tryOne: (random) => {
      const pairs = parseForm(spoiledText(['a=b', '&', 'client_orderid=1', 'a%20b=c+d', '%F0%9F%98%80', 'x'], random))
      const again = parseForm(serializeForm(pairs))
      if (JSON.stringify(again) !== JSON.stringify(pairs)) return 'reads otherwise what it wrote'
      return singleValues(pairs).size === pairs.length ? undefined : 'lost a pair'
    },
    read: (text) => singleValues(parseForm(text, WIDEST)),
    hard: [...grown('{&}', 'a={%}', 'a={%41}%', 'a={%C3%A9}', '{a=b&}', '{=}', 'a={+}', 'a={1}'), manyNames],
  },
  {
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
  },
  {
    name: 'readReply of the classic form',
    tryOne: (random) => {
      const anyValue = () => spoil(random.pick([...replyTypes, '1', 'a%20b']), random)
      const pairs = random.some(10, () => `${random.pick(replyNames)}=${anyValue()}`)
      const end = random.pick(['\n', '\n', '', ' '])
      return readAnyReply([`type=${random.pick(replyTypes)}`, ...pairs].map((text) => text + end).join('&'), random)
    },
    read: (text) => readReply('sale', text),
    hard: grown(
      'type=a\n&b={\n}x',
      'type=a\n&b={\n }x',
      'type=a\n{&}',
      'type={ }x',
      '{type=a\n&}',
      'type={%0A}%',
      'error-message={1}&type=error',
    ),
  },
  {
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
      manyNames,
      ...grown('{status=a&}', 'status=approved&orderid={1}&client_orderid=2&control=3'),
      (length) => `client_orderid=${' '.repeat(length)}&merchant_order=${' '.repeat(length)}x`.slice(0, length),
    ],
  },
  {
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
    hard: grown('{1}', '{0}', '{0}x', '1.{1}', '{1.}'),
  },
  {
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
    hard: grown('/api/v2/sale/{1}', '/api/v2/sale/{1}x', '/api{/1}x', '/api{/group}', '/api/{/}'),
  },
  {
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
    hard: grown('https://{a} ', 'https://a{/}', 'https://a{/}x', 'https://a{/x}?'),
  },
  {
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
      ...FIELDS.flatMap((name) => grown(`${name}={1}`, `${name}=https://{a}+b`, `${name}=a{+}a`, `${name}={a@}`)),
      manyNames,
      (length) => `birthday=${':'.repeat(length)}&ipaddress=${':'.repeat(length)}`.slice(0, length),
    ],
  },
  {
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
    // Every operation reads each of them.
    hard: ['client_orderid', 'orderid', 'amount', 'currency', 'email', 'login', 'cardrefid']
      .flatMap((name) => grown(`${name}={1}`, `${name}=a{+}a`, `${name}={a@}`))
      .map((make) => (length: number) => make(length / 16)),
  },
  {
    name: 'maskCardNumbers',
    tryOne: (random) => {
      const text = spoiledText(['4444555566661111', '4444 5555 6666 1111', '1', ' ', '-', '44', 'a', '0000'], random)
      const masked = maskCardNumbers(text)
      if (masked.split(/\D/).includes('4444555566661111')) return `left a card number in ${JSON.stringify(text)}`
      return masked.replaceAll('*', '').length <= text.length ? undefined : `made ${JSON.stringify(text)} longer`
    },
    read: maskCardNumbers,
    hard: grown('{1}', '{1 }', '{4444555566661111 }', '{11111111111x}', '{0-}'),
  },
]

await fuzz({ name: 'fuzz-core', of: 'core', targets, module: import.meta.url })
