import { createHmac, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import type { OAuthEvidence } from '../../src/index.ts'
import type { Random } from '../random.ts'

/** A sender of its own, written from RFC 5849 and knowing nothing of the package, with a hole for every mistake. */

type Pair = [string, string]

const pem = (bits: number) =>
  generateKeyPairSync('rsa', {
    modulusLength: bits,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
const ours = pem(2048)
const another = pem(2048)
const short = pem(1024)

/** Everything by hand and by byte, so that nothing is shared with the code under test. */
function escapeBytes(text: string, keep: RegExp): string {
  return Array.from(Buffer.from(text, 'utf8'), (byte) => {
    const character = String.fromCharCode(byte)
    return byte < 128 && keep.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
}
const rfc3986 = (text: string) => escapeBytes(text, /[A-Za-z0-9\-._~]/)

type Sender = {
  random: Random
  method: 'HMAC-SHA1' | 'RSA-SHA256'
  /** The URL that is sent to, and the one that is signed. */
  url: string
  signedUrl: string
  httpMethod: string
  query: Pair[]
  body: Pair[]
  oauth: Pair[]
  secret: string
  /** What the HMAC is keyed with. */
  hmacKey: string
  inner: (text: string) => string
  outer: (text: string) => string
  sort: (pairs: Pair[]) => Pair[]
  digest: string
  privateKey: string
}

const byteOrder = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
function rightSort(pairs: Pair[]): Pair[] {
  return pairs.toSorted(([a, x], [b, y]) => byteOrder(rfc3986(a), rfc3986(b)) || byteOrder(rfc3986(x), rfc3986(y)))
}

function sender(random: Random, isRsa = random.below(4) === 0): Sender {
  const method = isRsa ? 'RSA-SHA256' : 'HMAC-SHA1'
  const secret = random.text(24, 'ABCDEF0123456789-')
  const url = `https://gate.example.com/paynet/api/v2/payout/${random.digits(4)}`
  const body: Pair[] = [
    ['client_orderid', `inv${random.digits(6)}`],
    ['amount', `${random.digits(2)}.${random.digits(2)}`],
    ['order_desc', `shoes (red) & more! ${random.text(3, "*'~é€ +")}*`],
    ['first_name', random.pick(['Ann Lee', 'Zoë Q', "O'Neil J"])],
    ['credit_card_number', '4111111111111111'],
    ['cvv2', '973'],
  ]
  const oauth: Pair[] = [
    ['oauth_consumer_key', `shop${random.digits(3)}`],
    ['oauth_nonce', random.text(22, 'abcdefghij0123456789')],
    ['oauth_signature_method', method],
    ['oauth_timestamp', '1669966913'],
    ['oauth_version', '1.0'],
  ]
  return {
    random,
    method,
    url,
    signedUrl: url,
    httpMethod: 'POST',
    query: [],
    body,
    oauth,
    secret,
    hmacKey: `${secret}&`,
    inner: rfc3986,
    outer: rfc3986,
    sort: rightSort,
    digest: isRsa ? 'sha256' : 'sha1',
    privateKey: ours.privateKey,
  }
}

type Signed = { signed?: Partial<Sender>; evidence?: object; signature?: string }

/** Signs by what `signed` says and sends what the sender says. */
function send(sends: Sender, { signed = {}, evidence = {}, signature: given }: Signed = {}): OAuthEvidence {
  const how = { ...sends, ...signed }
  const text = how
    .sort([...how.query, ...how.body, ...how.oauth])
    .map(([a, b]) => `${how.inner(a)}=${how.inner(b)}`)
    .join('&')
  const baseString = `${how.httpMethod}&${how.outer(how.signedUrl)}&${how.outer(text)}`
  const signature =
    given ??
    (how.method === 'HMAC-SHA1'
      ? createHmac(how.digest, how.hmacKey).update(baseString).digest('base64')
      : createSign(how.digest).update(baseString).sign(how.privateKey, 'base64'))
  const header: Pair[] = [...sends.oauth, ['oauth_signature', signature]]
  const query = sends.query.map(([a, b]) => `${rfc3986(a)}=${rfc3986(b)}`).join('&')
  const key =
    sends.method === 'HMAC-SHA1'
      ? { method: sends.method, secret: sends.secret }
      : { method: sends.method, publicKey: ours.publicKey }
  return {
    ...key,
    httpMethod: 'POST',
    url: query === '' ? sends.url : `${sends.url}?${query}`,
    authorization: `OAuth ${header.map(([a, b]) => `${a}="${rfc3986(b)}"`).join(', ')}`,
    parameters: sends.body,
    now: 1_669_966_913,
    ...evidence,
  }
}

export function rightOAuth(random: Random): OAuthEvidence {
  const sends = sender(random)
  const query: Pair[] = random.below(3) === 0 ? [['lang', 'é n']] : []
  return send({ ...sends, query })
}

/** A wrong key of which the receiver knows nothing. */
export function unprovable(random: Random): OAuthEvidence {
  const sends = sender(random)
  return send(sends, { signed: { hmacKey: 'nobody&', privateKey: another.privateKey } })
}

const withQuery = (random: Random) => ({
  ...sender(random),
  query: [
    ['lang', 'en'],
    ['z', 'a b'],
  ] as Pair[],
})
const hmac = (random: Random) => sender(random, false)
const rsa = (random: Random) => sender(random, true)
const replaced = (pairs: Pair[], name: string, value: string) =>
  pairs.map((pair): Pair => (pair[0] === name ? [name, value] : pair))

/** For each cause a program that makes the mistake. */
export const OAUTH_BREAKERS: Readonly<Record<string, (random: Random) => OAuthEvidence>> = {
  'plus-for-space': (random) => {
    const inner = random.pick([
      (text: string) => rfc3986(text).split('%20').join('+'),
      (text: string) =>
        escapeBytes(text, /[A-Za-z0-9\-._]/)
          .split('%20')
          .join('+'),
      (text: string) =>
        escapeBytes(text, /[A-Za-z0-9\-._*]/)
          .split('%20')
          .join('+'),
    ])
    return send(sender(random), { signed: { inner } })
  },
  'unescaped-reserved': (random) => {
    const careless = (text: string) => escapeBytes(text, /[A-Za-z0-9\-._~!'()*]/)
    return send(sender(random), { signed: random.pick([{ inner: careless }, { inner: careless, outer: careless }]) })
  },
  'tilde-escaped': (random) => {
    const sends = sender(random)
    const body = replaced(sends.body, 'order_desc', 'a ~ b')
    return send({ ...sends, body }, { signed: { inner: (text) => escapeBytes(text, /[A-Za-z0-9\-._]/) } })
  },
  'sorted-before-encoding': (random) => {
    const sends = sender(random)
    const body: Pair[] = [...sends.body, ['item', 'b'], ['item', 'é'], ['item', ' '], ['item[1]', 'c'], ['item1', '']]
    const sort = (pairs: Pair[]) =>
      pairs.toSorted(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0))
    return send({ ...sends, body }, { signed: { sort } })
  },
  'wrong-order': (random) => send(sender(random), { signed: { sort: (pairs) => pairs } }),
  'double-encoding': (random) => {
    const sends = sender(random)
    const encoded = sends.body.map(([a, b]): Pair => [rfc3986(a), rfc3986(b)])
    return send(sends, { signed: random.pick([{ inner: (text) => rfc3986(rfc3986(text)) }, { body: encoded }]) })
  },
  'missing-encoding': (random) => send(sender(random), { signed: random.pick([{ inner: String }, { outer: String }]) }),
  'lower-case-escapes': (random) => {
    const lower = (text: string) => rfc3986(text).replace(/%../g, (code) => code.toLowerCase())
    return send(sender(random), {
      signed: random.pick([{ inner: lower }, { outer: lower }, { inner: lower, outer: lower }]),
    })
  },
  'default-port-kept': (random) => {
    const sends = sender(random)
    return send(sends, { signed: { signedUrl: sends.url.replace('example.com', 'example.com:443') } })
  },
  'wrong-host-or-scheme': (random) => {
    const sends = sender(random)
    const inside = sends.url.replace('https://gate.example.com', 'http://10.0.0.7:8080')
    const evidence = { otherUrls: ['https://sandbox.example.com/x', inside] }
    const plain = sends.url.replace('https', 'http')
    return send(sends, { signed: { signedUrl: random.pick([inside, plain]) }, evidence })
  },
  'host-not-in-lower-case': (random) => {
    const sends = sender(random)
    const written = sends.url.replace('gate.example', 'Gate.Example')
    return send({ ...sends, url: written }, { signed: { signedUrl: written } })
  },
  'wrong-path': (random) => {
    const sends = sender(random)
    return send(sends, { signed: { signedUrl: `${sends.url}/` } })
  },
  'wrong-http-method': (random) => send(sender(random), { signed: { httpMethod: random.pick(['GET', 'post']) } }),
  'query-left-out': (random) => send(withQuery(random), { signed: { query: [] } }),
  'query-kept-in-url': (random) => {
    const sends = withQuery(random)
    return send(sends, { signed: { signedUrl: `${sends.url}?lang=en&z=a%20b`, ...random.pick([{}, { query: [] }]) } })
  },
  'body-not-counted': (random) => send(sender(random), { signed: { body: [] } }),
  'empty-value-left-out': (random) => {
    const sends = sender(random)
    return send({ ...sends, body: [...sends.body, ['purpose', '']] }, { signed: { body: sends.body } })
  },
  'oauth-counted-twice': (random) => {
    const sends = sender(random)
    return send(sends, {
      signed: { oauth: [...sends.oauth, ...sends.oauth] },
      evidence: { parameters: [...sends.body, ...sends.oauth] },
    })
  },
  'oauth-not-counted': (random) => {
    const sends = sender(random)
    return send(sends, { signed: { oauth: random.pick([[], sends.oauth.slice(0, 4)]) } })
  },
  'value-not-trimmed': (random) => {
    const sends = sender(random)
    const untidy = replaced(sends.body, 'client_orderid', random.pick([' inv7', 'inv7 ', 'inv7\n']))
    const tidy = replaced(sends.body, 'client_orderid', 'inv7')
    return random.below(2) === 0
      ? send({ ...sends, body: untidy }, { signed: { body: tidy } })
      : send({ ...sends, body: tidy }, { signed: { body: untidy } })
  },
  'missing-ampersand': (random) => {
    const sends = hmac(random)
    return send(sends, { signed: { hmacKey: sends.secret } })
  },
  'key-not-encoded': (random) => {
    const sends = { ...hmac(random), secret: `${random.digits(4)}+/=${random.digits(4)}` }
    return send(sends, { signed: { hmacKey: `${sends.secret}&` } })
  },
  'key-with-white-space': (random) => {
    const sends = hmac(random)
    return send(sends, {
      signed: { hmacKey: random.pick([`${sends.secret}%0A&`, `%20${sends.secret}&`, `${sends.secret}\n&`]) },
    })
  },
  'wrong-key': (random) => {
    const sends = sender(random)
    const evidence =
      sends.method === 'HMAC-SHA1' ? { otherSecrets: ['of-the-sandbox'] } : { otherPublicKeys: [another.publicKey] }
    return send(sends, { signed: { hmacKey: 'of-the-sandbox&', privateKey: another.privateKey }, evidence })
  },
  'wrong-method': (random) => {
    const sends = sender(random)
    const isHmac = sends.method === 'HMAC-SHA1'
    const named = {
      ...sends,
      oauth: replaced(sends.oauth, 'oauth_signature_method', isHmac ? 'PLAINTEXT' : 'HMAC-SHA1'),
    }
    return random.below(2) === 0 ? send(named) : send(sends, { signed: { digest: isHmac ? 'sha256' : 'sha1' } })
  },
  'clock-skew': (random) =>
    send(sender(random), { evidence: { now: 1_669_966_913 + random.pick([-1, 1]) * (301 + random.below(9999)) } }),
  'nonce-seen': (random) => send(sender(random), { evidence: { isNonceSeen: true } }),
  'key-under-2048-bits': (random) => {
    const evidence = random.pick([{ publicKey: short.publicKey }, {}, { privateKey: short.privateKey }])
    return send(rsa(random), { signed: { privateKey: short.privateKey }, evidence: evidence })
  },
  'public-key-given-for-private': (random) =>
    send(rsa(random), {
      signature: Buffer.alloc(256, randomUUID()).toString('base64'),
      evidence: { privateKey: ours.publicKey },
    }),
  'private-key-given-for-public': (random) => send(rsa(random), { evidence: { publicKey: ours.privateKey } }),
}
