import { randomUUID } from 'node:crypto'
import type { Random } from '@tallystick/proof-kit'
import type { OAuthEvidence } from '../../src/internal.ts'
import { another, escapeBytes, ours, type Pair, rfc3986, send, sender, short } from './oauth-sender.ts'

export function rightOAuth(random: Random): OAuthEvidence {
  const sends = sender(random)
  const query: Pair[] = random.below(3) === 0 ? [['lang', 'é n']] : []
  return send({ ...sends, query })
}

/** A request that was signed with a key that the receiver does not know. */
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
  'empty-token-signed': (random) => {
    const sends = sender(random)
    return send(sends, { signed: { oauth: [...sends.oauth, ['oauth_token', '']] } })
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
  'key-case-changed': (random) => {
    const sends = { ...hmac(random), secret: random.pick(['a1b2-c3d4', 'A1B2-C3D4']) }
    const retyped = /a/.test(sends.secret) ? sends.secret.toUpperCase() : sends.secret.toLowerCase()
    return send(sends, { signed: { hmacKey: `${retyped}&` } })
  },
  'hyphens-removed': (random) => {
    const sends = { ...hmac(random), secret: 'A1B2-C3D4' }
    return send(sends, { signed: { hmacKey: 'A1B2C3D4&' } })
  },
  'key-in-quotes': (random) => {
    const sends = hmac(random)
    return send(sends, { signed: { hmacKey: random.pick([`%22${sends.secret}%22&`, `%27${sends.secret}%27&`]) } })
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
  'signature-in-hex': (random) => {
    const sends = sender(random)
    const hex = Buffer.alloc(sends.method === 'HMAC-SHA1' ? 20 : 256, randomUUID()).toString('hex')
    return send(sends, { signature: random.pick([hex, hex.toUpperCase(), Buffer.from(hex).toString('base64')]) })
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
