import { createHmac, createSign } from 'node:crypto'
import type { Base } from './bases.ts'
import { escaping, formOf, type Mistake, posted, rfc3986, STRAY, type Variant } from './variants.ts'
import { another, ENDPOINT, LOGIN, ours, type Pair, RIVAL, short, type World } from './world.ts'

/** Each step of RFC 5849 section 3.4, of which a mistake replaces one. */
interface Steps {
  readonly httpMethod: string
  /** As signed. */
  readonly url: string
  readonly query: readonly Pair[]
  readonly body: readonly Pair[]
  readonly oauth: readonly Pair[]
  readonly inner: (text: string) => string
  readonly outer: (text: string) => string
  readonly sort: (pairs: readonly Pair[]) => readonly Pair[]
  readonly digest: string
  /** What an HMAC is keyed with, or the private key. */
  readonly key: string
  readonly encoding: 'base64' | 'hex'
}

/** What is sent. */
interface Sending {
  readonly url: string
  readonly query: readonly Pair[]
  readonly body: readonly Pair[]
  readonly oauth: readonly Pair[]
}

export interface OAuthSigning {
  readonly isHmac: boolean
  readonly secret: string
  readonly sends: Sending
  readonly steps: Steps
}

const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

export function rightSort(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.toSorted(
    ([one, first], [other, second]) =>
      byBytes(rfc3986(one), rfc3986(other)) || byBytes(rfc3986(first), rfc3986(second)),
  )
}

export function oauthSigningOf(base: Base, world: Pick<World, 'baseUrl' | 'key'>): OAuthSigning {
  const isHmac = base.scheme === 'HMAC-SHA1'
  const url = `${world.baseUrl}${base.path}${base.segment}${base.endpoint}`
  const body = base.fields.map(({ name, value }): Pair => [name, value])
  const oauth: readonly Pair[] = [
    ['oauth_consumer_key', LOGIN],
    ['oauth_nonce', base.nonce],
    ['oauth_signature_method', base.scheme],
    ['oauth_timestamp', String(base.timestamp)],
    ['oauth_version', '1.0'],
  ]
  return {
    isHmac,
    secret: world.key,
    sends: { url, query: [], body, oauth },
    steps: {
      httpMethod: 'POST',
      url,
      query: [],
      body,
      oauth,
      inner: rfc3986,
      outer: rfc3986,
      sort: rightSort,
      digest: isHmac ? 'sha1' : 'sha256',
      key: isHmac ? `${rfc3986(world.key)}&` : ours.privateKey,
      encoding: 'base64',
    },
  }
}

function baseStringOf({ httpMethod, url, query, body, oauth, inner, outer, sort }: Steps): string {
  const text = sort([...query, ...body, ...oauth])
    .map(([name, value]) => `${inner(name)}=${inner(value)}`)
    .join('&')
  return `${httpMethod}&${outer(url)}&${outer(text)}`
}

function sent({ isHmac, ...signing }: OAuthSigning, steps: Partial<Steps> = {}, sends: Partial<Sending> = {}): Variant {
  const how = { ...signing.steps, ...steps }
  const what = { ...signing.sends, ...sends }
  const { key, digest, encoding } = how
  const text = baseStringOf(how)
  return {
    identity: JSON.stringify([what, text, key, digest, encoding]),
    request: () => {
      const signature = isHmac
        ? createHmac(digest, key).update(text).digest(encoding)
        : createSign(digest).update(text).sign(key, encoding)
      const header = [...what.oauth, ['oauth_signature', signature] as const]
      const authorization = `OAuth ${header.map(([name, value]) => `${name}="${rfc3986(value)}"`).join(', ')}`
      const query = formOf(what.query)
      return posted(query === '' ? what.url : `${what.url}?${query}`, { authorization }, formOf(what.body))
    },
  }
}

export function rightlyOAuth(signing: OAuthSigning): Variant {
  return sent(signing)
}

type OAuth = Mistake<OAuthSigning>

/** A mistake in signing alone. */
function ofSteps(
  name: string,
  truth: OAuth['truth'],
  changes: (signing: OAuthSigning) => readonly Partial<Steps>[],
): OAuth {
  return { name, truth, variants: (signing) => changes(signing).map((change) => sent(signing, change)) }
}

/** What is sent, and what of it is signed. */
function ofBoth(
  name: string,
  truth: OAuth['truth'],
  changes: (signing: OAuthSigning) => readonly (readonly [steps: Partial<Steps>, sends: Partial<Sending>])[],
): OAuth {
  return { name, truth, variants: (signing) => changes(signing).map(([steps, sends]) => sent(signing, steps, sends)) }
}

const HMAC_KEY = (secret: string) => `${rfc3986(secret)}&`

function ofSecret(name: string, truth: OAuth['truth'], keys: (secret: string) => readonly string[]): OAuth {
  return ofSteps(name, truth, ({ isHmac, secret }) => (isHmac ? keys(secret).map((key) => ({ key })) : []))
}

function replaced(pairs: readonly Pair[], name: string, change: (value: string) => string): readonly Pair[] {
  return pairs.map(([each, value]) => [each, each === name ? change(value) : value])
}

const javascript = escaping(/[A-Za-z0-9\-._~!'()*]/)
const old = escaping(/[A-Za-z0-9\-._]/)
const ofForms = escaping(/[A-Za-z0-9\-._*]/)
const form = (text: string) => ofForms(text).replaceAll('%20', '+')
const php = (text: string) => old(text).replaceAll('%20', '+')
const plus = (text: string) => rfc3986(text).replaceAll('%20', '+')
const lower = (text: string) => rfc3986(text).replace(/%../g, (code) => code.toLowerCase())
const same = (text: string) => text

const withQuery: readonly Pair[] = [
  ['lang', 'en'],
  ['z', 'a b'],
]
/** Names whose order changes when they are encoded, and one name twice over in another way of writing. */
const unsorted: readonly Pair[] = [
  ['item[1]', 'b'],
  ['item1', 'c'],
  ['item', 'a'],
]
const byText = (pairs: readonly Pair[]) => pairs.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)))

export const OAUTH_MISTAKES: readonly OAuth[] = [
  ofSteps('a plus for a space', 'plus-for-space', () => [plus, php, form].flatMap((inner) => [{ inner }])),
  ofSteps("JavaScript's encodeURIComponent", 'unescaped-reserved', () => [
    { inner: javascript },
    { inner: javascript, outer: javascript },
  ]),
  ofSteps('an encoding before RFC 3986', 'tilde-escaped', () => [{ inner: old }]),
  ofBoth('sorted before it was encoded', 'sorted-before-encoding', ({ sends }) => {
    const body = [...sends.body, ...unsorted]
    return [[{ body, sort: byText }, { body }]]
  }),
  ofSteps('not sorted', 'wrong-order', ({ steps }) => [
    { sort: same as unknown as Steps['sort'] },
    { sort: (pairs) => [...rightSort(steps.body), ...pairs.filter((pair) => !steps.body.includes(pair))] },
  ]),
  ofSteps('encoded twice', 'double-encoding', ({ steps }) => [
    { inner: (text) => rfc3986(rfc3986(text)) },
    { body: steps.body.map(([name, value]) => [rfc3986(name), rfc3986(value)]) },
  ]),
  ofSteps('not encoded', 'missing-encoding', () => [{ inner: same }, { outer: same }]),
  ofSteps('escapes in lower case', 'lower-case-escapes', () => [
    { inner: lower },
    { outer: lower },
    { inner: lower, outer: lower },
  ]),
  ofSteps('the default port kept', 'default-port-kept', ({ steps }) =>
    steps.url.startsWith('https://gate.example.com/')
      ? [{ url: steps.url.replace('example.com', 'example.com:443') }]
      : [],
  ),
  ofSteps('another scheme', 'wrong-host-or-scheme', ({ steps }) => [
    {
      url: steps.url.startsWith('https:') ? steps.url.replace('https:', 'http:') : steps.url.replace('http:', 'https:'),
    },
  ]),
  ofSteps('the other name of this machine, or no port', 'wrong-host-or-scheme', ({ steps }) =>
    steps.url.includes('127.0.0.1')
      ? [{ url: steps.url.replace('127.0.0.1', 'localhost') }, { url: steps.url.replace(/:\d+\//, '/') }]
      : [],
  ),
  ofSteps('a slash at the end', 'wrong-path', ({ steps }) => [{ url: `${steps.url}/` }]),
  ofSteps('another HTTP method', 'wrong-http-method', () => [
    { httpMethod: 'GET' },
    { httpMethod: 'post' },
    { httpMethod: 'PUT' },
  ]),
  ofBoth('the query left out', 'query-left-out', () => [[{}, { query: withQuery }]]),
  ofBoth('the query kept in the address', 'query-kept-in-url', ({ steps }) => {
    const url = `${steps.url}?${formOf(withQuery)}`
    return [
      [{ url }, { query: withQuery }],
      [{ url, query: withQuery }, { query: withQuery }],
    ]
  }),
  ofSteps('the body not counted', 'body-not-counted', () => [{ body: [] }]),
  ofBoth('an empty value left out', 'empty-value-left-out', ({ sends }) => [
    [{}, { body: [...sends.body, ['note', '']] }],
  ]),
  ofBoth('the protocol counted twice', 'oauth-counted-twice', ({ sends: { body, oauth } }) => [
    [{ oauth: [...oauth, ...oauth] }, { body: [...body, ...oauth] }],
  ]),
  ofSteps('the protocol not counted', 'oauth-not-counted', ({ steps: { oauth } }) => [
    { oauth: [] },
    ...oauth.map((_, at) => ({ oauth: oauth.toSpliced(at, 1) })),
  ]),
  ofSteps('an empty token', 'empty-token-signed', ({ steps: { oauth } }) => [
    { oauth: [...oauth, ['oauth_token', '']] },
  ]),
  ofBoth(
    'a value that was trimmed before it was signed, and not before it was sent',
    'value-not-trimmed',
    ({ sends: { body } }) =>
      body.flatMap(([name]) =>
        [' ', '\n'].map((space) => [{}, { body: replaced(body, name, (value) => value + space) }] as const),
      ),
  ),
  ofSteps('a value that was trimmed after it was signed', 'value-not-trimmed', ({ steps: { body } }) =>
    body.flatMap(([name]) => STRAY.map((space) => ({ body: replaced(body, name, (value) => value + space) }))),
  ),
  ofSecret('no ampersand', 'missing-ampersand', (secret) => [secret, rfc3986(secret)]),
  ofSecret('the key not encoded', 'key-not-encoded', (secret) => [`${secret}&`]),
  ofSecret('the key with white space', 'key-with-white-space', (secret) =>
    STRAY.flatMap((space) => [HMAC_KEY(secret + space), `${secret + space}&`]),
  ),
  ofSecret('the key in another case', 'key-case-changed', (secret) =>
    [secret.toLowerCase(), secret.toUpperCase()].map(HMAC_KEY),
  ),
  ofSecret('the key without its hyphens', 'hyphens-removed', (secret) => [HMAC_KEY(secret.replaceAll('-', ''))]),
  ofSecret('the key with its quotes', 'key-in-quotes', (secret) => [`"${secret}"`, `'${secret}'`].map(HMAC_KEY)),
  ofSecret('the text that a secret prints', 'wrong-key', () => [HMAC_KEY('[secret]')]),
  ofSteps(
    'a key that the gateway does not know',
    /^No single mistake explains this: compare your key/,
    ({ isHmac, secret }) => [{ key: isHmac ? HMAC_KEY(secret.slice(0, -1)) : another.privateKey }],
  ),
  ofSteps('another digest', 'wrong-method', ({ isHmac }) =>
    (isHmac ? ['sha256', 'sha512', 'md5'] : ['sha1', 'sha512']).map((digest) => ({ digest })),
  ),
  ofBoth('another method named', 'wrong-method', ({ isHmac, steps, sends }) =>
    ['PLAINTEXT', isHmac ? 'RSA-SHA256' : 'HMAC-SHA1', 'HMAC-SHA256'].map((name) => {
      const oauth = replaced(sends.oauth, 'oauth_signature_method', () => name)
      return [{ ...steps, oauth }, { oauth }] as const
    }),
  ),
  ofSteps('the signature in hexadecimal digits', 'signature-in-hex', () => [{ encoding: 'hex' }]),
  ofBoth('a stale time', 'clock-skew', ({ steps, sends }) =>
    [-86_400, -3600, -400, 400, 7200].map((seconds) => {
      const oauth = replaced(sends.oauth, 'oauth_timestamp', (now) => String(Number(now) + seconds))
      return [{ ...steps, oauth }, { oauth }] as const
    }),
  ),
  ofBoth('a time in milliseconds', 'bad-timestamp', ({ steps, sends }) => {
    const oauth = replaced(sends.oauth, 'oauth_timestamp', (now) => `${now}000`)
    return [[{ ...steps, oauth }, { oauth }]]
  }),
  ofSteps('a short key', 'key-under-2048-bits', ({ isHmac }) => (isHmac ? [] : [{ key: short.privateKey }])),
  {
    name: 'a nonce that was sent before',
    truth: 'nonce-seen',
    isRepeat: true,
    // A checked payout is paid once, whatever signs for it.
    variants: (signing) =>
      signing.sends.url.includes('payout-pay') ? [] : [{ ...sent(signing), identity: 'sent before' }],
  },
  {
    name: 'no header',
    truth: /^The header Authorization is missing/,
    variants: ({ sends: { url, body } }) => [{ identity: 'no header', request: () => posted(url, {}, formOf(body)) }],
  },
  {
    name: 'the header twice',
    truth: /^The header Authorization came more than once/,
    variants: (signing) => {
      const { request } = sent(signing)
      return [
        {
          identity: 'header twice',
          request: () => {
            const right = request()
            const { authorization = '' } = right.headers
            return { ...right, headers: { ...right.headers, authorization: [authorization, authorization].flat() } }
          },
        },
      ]
    },
  },
  ofBoth('the login of another merchant', /^The login rival is not that of the merchant/, ({ steps, sends }) => {
    const oauth = replaced(sends.oauth, 'oauth_consumer_key', () => RIVAL)
    return [[{ ...steps, oauth }, { oauth }]]
  }),
  ofBoth('an endpoint that there is not', /^There is no endpoint or group of this id/, ({ steps, sends }) => {
    const url = sends.url.replace(new RegExp(`${ENDPOINT}$`), '9999')
    return [[{ ...steps, url }, { url }]]
  }),
  {
    name: 'JSON',
    truth: /JSON is not read/,
    // Nothing of it is recorded, so that an order that it names is not known.
    variants: ({ sends: { url, body } }) =>
      body.some(([name]) => name === 'orderid')
        ? []
        : [{ identity: 'JSON', request: () => posted(url, {}, JSON.stringify(Object.fromEntries(body))) }],
  },
]
