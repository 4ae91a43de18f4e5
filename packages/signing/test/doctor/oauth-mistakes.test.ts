import { Random } from '@tallystick/proof-kit'
import { describe, expect, test } from 'vitest'
import type { OAuthCause } from '../../src/doctor/explain-oauth.ts'
import { explainOAuth } from '../../src/index.ts'
import {
  another,
  baseStringOf,
  escapeBytes,
  ours,
  type Pair,
  rfc3986,
  type Sender,
  send,
  sender,
} from './oauth-sender.ts'

/** A program that makes one mistake: what it sends, and what it does differently when it signs. */
type Program = {
  readonly sends?: Partial<Sender>
  readonly signed?: Partial<Sender>
  readonly evidence?: object
  readonly signature?: string
}

/** A mistake: what the advice has to name, and programs that make it, each in its own way. */
type Mistake = {
  readonly cause: OAuthCause
  readonly names: string
  readonly programs: Readonly<Record<string, Program>>
}

const url = 'https://gate.example.com/paynet/api/v2/payout/1111'
const secret = 'A+B'
const plain: Sender = {
  ...sender(new Random(1), false),
  url,
  signedUrl: url,
  secret,
  hmacKey: 'A%2BB&',
  body: [
    ['order_desc', 'a b/c'],
    ['amount', '10.42'],
  ],
}
const rsa: Sender = { ...sender(new Random(1), true), url, signedUrl: url, body: plain.body }

const keeping = (kept: RegExp) => (text: string) => escapeBytes(text, kept)
const plusFor = (encode: (text: string) => string) => (text: string) => encode(text).split('%20').join('+')
const lower = (text: string) => rfc3986(text).replace(/%../g, (escaped) => escaped.toLowerCase())
const early = (pairs: Pair[]) => pairs.map(([name, value]): Pair => [rfc3986(name), rfc3986(value)])

/** A sort by one key after the other. */
const sortBy =
  (...keys: ((pair: Pair) => string)[]) =>
  (pairs: Pair[]) =>
    pairs.toSorted((a, b) => {
      const key = keys.find((each) => each(a) !== each(b))
      return key === undefined ? 0 : key(a) < key(b) ? -1 : 1
    })
const name = ([text]: Pair) => text
const value = ([, text]: Pair) => text

const byEncodedPair = sortBy(
  (pair) => rfc3986(name(pair)),
  (pair) => rfc3986(value(pair)),
)
const ofProtocol = (pairs: Pair[], isWanted: boolean) =>
  byEncodedPair(pairs.filter((pair) => name(pair).startsWith('oauth_') === isWanted))

const at = (signedUrl: string): Partial<Sender> => ({ url: signedUrl, signedUrl })
const body = (...pairs: Pair[]): Partial<Sender> => ({ body: pairs })

const special = {
  query: [['q', 'c d']] as Pair[],
  body: [['item[1]', 'e f']] as Pair[],
  oauth: plain.oauth.map(([known, text]): Pair => [known, known === 'oauth_consumer_key' ? 'shop/1' : text]),
}
/** Raw names sort in another order than encoded ones, and so do values. */
const unsorted = body(['item1', ''], ['item', 'c'], ['item', 'é'], ['item', 'b'], ['item[1]', 'd'])
const query: Pair[] = [
  ['lang', 'en'],
  ['z', 'a b'],
]

const ENCODING: readonly Mistake[] = [
  {
    cause: 'plus-for-space',
    names: 'a space as %20',
    programs: {
      'a plus and nothing else wrong': { sends: body(['a', 'b ~*']), signed: { inner: plusFor(rfc3986) } },
      'as PHP': { sends: body(['a', 'b ~*']), signed: { inner: plusFor(keeping(/[A-Za-z0-9\-._]/)) } },
      'as a form': { sends: body(['a', 'b ~*']), signed: { inner: plusFor(keeping(/[A-Za-z0-9\-._*]/)) } },
    },
  },
  {
    cause: 'unescaped-reserved',
    names: "! ' ( ) *",
    programs: {
      'without a space': { sends: body(['a', "!'()"]), signed: { inner: keeping(/[A-Za-z0-9\-._~!'()*]/) } },
      'as a form, without a space': { sends: body(['a', '*']), signed: { inner: keeping(/[A-Za-z0-9\-._*]/) } },
    },
  },
  {
    cause: 'tilde-escaped',
    names: 'leave ~',
    programs: {
      'with a space': { sends: body(['a', 'b ~']), signed: { inner: keeping(/[A-Za-z0-9\-._]/) } },
      'as PHP, without a space': { sends: body(['a', '~']), signed: { inner: keeping(/[A-Za-z0-9\-._]/) } },
    },
  },
  {
    cause: 'lower-case-escapes',
    names: 'upper case: %2F',
    programs: {
      'in names and values': { signed: { inner: lower } },
      'in the two parts': { signed: { outer: lower } },
      everywhere: { signed: { inner: lower, outer: lower } },
    },
  },
  {
    cause: 'double-encoding',
    names: 'as they are',
    programs: {
      everything: { sends: special, signed: { inner: (text) => rfc3986(rfc3986(text)) } },
      'the body': { sends: special, signed: { body: early(special.body) } },
      'the query': { sends: special, signed: { query: early(special.query) } },
      'query and body': { sends: special, signed: { query: early(special.query), body: early(special.body) } },
    },
  },
  {
    cause: 'missing-encoding',
    names: 'encode names and values',
    programs: {
      'names and values': { signed: { inner: String } },
      'the two parts': { signed: { outer: String } },
      everything: { signed: { inner: String, outer: String } },
    },
  },
  {
    cause: 'sorted-before-encoding',
    names: 'sort what comes out',
    programs: {
      'by name and value': { sends: unsorted, signed: { sort: sortBy(name, value) } },
      'by name alone': { sends: unsorted, signed: { sort: sortBy(name) } },
    },
  },
  {
    cause: 'wrong-order',
    names: 'by encoded name',
    programs: {
      'as they come': { signed: { sort: (pairs) => pairs } },
      'those of the protocol after the others': {
        sends: body(['zip', '1'], ['a', '2']),
        signed: { sort: (pairs) => [false, true].flatMap((isLater) => ofProtocol(pairs, isLater)) },
      },
      'those of the protocol before the others': {
        sends: unsorted,
        signed: { sort: (pairs) => [true, false].flatMap((isLater) => ofProtocol(pairs, isLater)) },
      },
      'by encoded name alone': { sends: unsorted, signed: { sort: sortBy((pair) => rfc3986(name(pair))) } },
      'by name and value as one text': {
        sends: unsorted,
        signed: { sort: sortBy((pair) => pair.map(rfc3986).join('=')) },
      },
      'whatever their case': {
        sends: body(['item', 'b'], ['Item', 'a'], ['item', 'a'], ['B', ''], ['aab', ''], ['a_b', '']),
        signed: { sort: sortBy((pair) => name(pair).toLowerCase(), name, value) },
      },
    },
  },
]

const ADDRESSES: readonly Mistake[] = [
  {
    cause: 'wrong-http-method',
    names: 'in upper case: POST',
    programs: {
      'in lower case': { signed: { httpMethod: 'post' } },
      'GET in place of it': { signed: { httpMethod: 'GET' } },
      'PUT in place of it': { signed: { httpMethod: 'PUT' } },
      'nothing in place of it': { signed: { httpMethod: '' } },
      'POST in place of PUT': {
        sends: { httpMethod: 'PUT' },
        signed: { httpMethod: 'POST' },
        evidence: { httpMethod: 'PUT' },
      },
      'another one in lower case': {
        sends: { httpMethod: 'PATCH' },
        signed: { httpMethod: 'patch' },
        evidence: { httpMethod: 'PATCH' },
      },
      'as it was written': {
        sends: { httpMethod: 'PATCH' },
        signed: { httpMethod: 'Patch' },
        evidence: { httpMethod: 'Patch' },
      },
    },
  },
  {
    cause: 'default-port-kept',
    names: 'leave the port out',
    programs: {
      'of https': { signed: { signedUrl: url.replace('.com', '.com:443') } },
      'of http': { sends: at('http://a.example/b'), signed: { signedUrl: 'http://a.example:80/b' } },
    },
  },
  {
    cause: 'host-not-in-lower-case',
    names: 'in lower case',
    programs: {
      'as the request was sent': {
        sends: { url: 'HTTPS://Gate.Example.com:8443/B', signedUrl: 'https://gate.example.com:8443/B' },
        signed: { signedUrl: 'HTTPS://Gate.Example.com:8443/B' },
      },
      'as one of the other URLs is written': {
        signed: { signedUrl: url.replace('gate', 'Gate') },
        evidence: { otherUrls: ['nothing', 'https://Gate.example.com:8443', 'https://other.example?x=https://X'] },
      },
      'over plain http': {
        sends: at('http://gate.example.com/b'),
        signed: { signedUrl: 'Http://gate.example.com/b' },
        evidence: { otherUrls: ['x', 'Http://gate.example.com#part'] },
      },
    },
  },
  {
    cause: 'wrong-host-or-scheme',
    names: 'the public URL',
    programs: {
      'http for https': { signed: { signedUrl: url.replace('https:', 'http:') } },
      'https for http': { sends: at('http://a.example/b'), signed: { signedUrl: 'https://a.example/b' } },
      'another URL as a whole': {
        signed: { signedUrl: 'http://10.0.0.7:8080/inside/' },
        evidence: { otherUrls: ['nothing', 'http://10.0.0.7:8080/inside/'] },
      },
      'our path at another host': {
        sends: at("https://gate.example.com/a/$&/$'"),
        signed: { signedUrl: "http://10.0.0.7:8080/a/$&/$'" },
        evidence: { otherUrls: ['http://10.0.0.7:8080/in/side?x=/y'] },
      },
      'the same at another host of this scheme': {
        sends: at('https://gate.example.com/a'),
        signed: { signedUrl: 'https://sandbox.example.com/a' },
        evidence: { otherUrls: ['https://sandbox.example.com'] },
      },
    },
  },
  {
    cause: 'wrong-path',
    names: 'exactly as it is sent',
    programs: {
      'with a slash at its end': { signed: { signedUrl: `${url}/` } },
      'without the slash at its end': { sends: at(`${url}/`), signed: { signedUrl: url } },
      decoded: { sends: at(`${url}/%7Ea%20b`), signed: { signedUrl: `${url}/~a b` } },
    },
  },
  {
    cause: 'query-kept-in-url',
    names: 'take the query out',
    programs: {
      'and counted': { sends: { query }, signed: { signedUrl: `${url}?lang=en&z=a%20b` } },
      'and not counted': { sends: { query }, signed: { signedUrl: `${url}?lang=en&z=a%20b`, query: [] } },
    },
  },
]

const PARAMETERS: readonly Mistake[] = [
  {
    cause: 'query-left-out',
    names: 'parameters of the query too',
    programs: { 'with a body': { sends: { query }, signed: { query: [] } } },
  },
  {
    cause: 'body-not-counted',
    names: 'parameters of the body too',
    programs: { 'with a query': { sends: { query }, signed: { body: [] } } },
  },
  {
    cause: 'oauth-counted-twice',
    names: 'once',
    programs: { 'in the header and in the body': { signed: { oauth: [...plain.oauth, ...plain.oauth] } } },
  },
  {
    cause: 'oauth-not-counted',
    names: 'but oauth_signature',
    programs: {
      'any of them': { signed: { oauth: [] } },
      ...Object.fromEntries(
        plain.oauth.map(([left], place): [string, Program] => [
          left,
          { signed: { oauth: plain.oauth.toSpliced(place, 1) } },
        ]),
      ),
    },
  },
  {
    cause: 'empty-token-signed',
    names: 'sign no oauth_token',
    programs: {
      HMAC: { signed: { oauth: [...plain.oauth, ['oauth_token', '']] } },
      RSA: { sends: rsa, signed: { oauth: [...rsa.oauth, ['oauth_token', '']] } },
    },
  },
  {
    cause: 'empty-value-left-out',
    names: 'as name=',
    programs: {
      'in query and body': {
        sends: { query: [...query, ['e', '']], body: [['f', ''], ...plain.body] },
        signed: { query, body: plain.body },
      },
    },
  },
  {
    cause: 'value-not-trimmed',
    names: 'a value was signed with other white space',
    programs: {
      'all of them were': {
        sends: {
          query: [['q', ' c ']],
          body: [
            ['a', 'b '],
            ['d', '\te'],
            ['f', 'g'],
          ],
        },
        signed: {
          query: [['q', 'c']],
          body: [
            ['a', 'b'],
            ['d', 'e'],
            ['f', 'g'],
          ],
        },
      },
      'one of the body was': {
        sends: body(['a', 'b '], ['d', 'e ']),
        signed: body(['a', 'b '], ['d', 'e']),
      },
      'one of the query had more': {
        sends: { query },
        signed: {
          query: [
            ['lang', 'en\r\n'],
            ['z', 'a b'],
          ],
        },
      },
    },
  },
]

const KEYS: readonly Mistake[] = [
  {
    cause: 'missing-ampersand',
    names: 'and then an &',
    programs: {
      'after the encoded secret': { signed: { hmacKey: 'A%2BB' } },
      'after the secret': { signed: { hmacKey: 'A+B' } },
    },
  },
  { cause: 'key-not-encoded', names: 'percent-encode the secret', programs: { HMAC: { signed: { hmacKey: 'A+B&' } } } },
  {
    cause: 'key-with-white-space',
    names: 'white space at an end',
    programs: {
      encoded: { signed: { hmacKey: 'A%2BB%0A&' } },
      'not encoded': { signed: { hmacKey: 'A+B\n&' } },
    },
  },
  {
    cause: 'key-case-changed',
    names: 'use each letter of it as it was given',
    programs: {
      'to lower case': { signed: { hmacKey: 'a%2Bb&' } },
      'to upper case': { sends: { secret: 'a+b', hmacKey: 'a%2Bb&' }, signed: { hmacKey: 'A%2BB&' } },
    },
  },
  {
    cause: 'wrong-key',
    names: 'this is another key',
    programs: {
      HMAC: { signed: { hmacKey: 'of%20another&' }, evidence: { otherSecrets: ['unrelated', 'of another'] } },
      RSA: {
        sends: rsa,
        signed: { privateKey: another.privateKey },
        evidence: { otherPublicKeys: [ours.publicKey, another.publicKey] },
      },
    },
  },
  {
    cause: 'wrong-method',
    names: 'the algorithm that oauth_signature_method names',
    programs: {
      ...Object.fromEntries(['sha256', 'sha512', 'md5'].map((digest) => [`HMAC of ${digest}`, { signed: { digest } }])),
      ...Object.fromEntries(
        ['sha1', 'sha384', 'sha512'].map((digest) => [`RSA of ${digest}`, { sends: rsa, signed: { digest } }]),
      ),
      'the key itself': { signature: 'A%2BB&' },
    },
  },
]

function programs(mistakes: readonly Mistake[]) {
  return mistakes.flatMap(({ cause, names, programs: all }) =>
    Object.entries(all).map(([how, program]) => ({ cause, names, how, program })),
  )
}

function diagnose({ sends, signed, ...given }: Program) {
  const right: Sender = { ...plain, ...sends }
  const found = explainOAuth(send(right, { ...given, ...(signed && { signed }) }))
  return { found, expected: baseStringOf(right), received: baseStringOf({ ...right, ...signed }) }
}

describe('explainOAuth, over every way to make a mistake', () => {
  test.for(programs([...ENCODING, ...ADDRESSES, ...PARAMETERS]))('names $cause: $how', ({ cause, names, program }) => {
    const { found, expected, received } = diagnose(program)
    expect(found).toMatchObject({ explained: true, cause, advice: expect.stringContaining(names) })
    expect(found).toMatchObject({ expected, received })
  })

  test.for(programs(KEYS))('names $cause: $how', ({ cause, names, program }) => {
    const { found, expected } = diagnose(program)
    expect(found).toMatchObject({ explained: true, cause, advice: expect.stringContaining(names) })
    expect(found).toMatchObject({ expected, received: expected })
  })

  test.for([
    ['the body', { parameters: [...plain.body, ...plain.oauth] }],
    ['the query', { url: `${url}?oauth_version=1.0` }],
  ] as const)('counts the parameters of the header once, although %s repeats them', ([, evidence]) => {
    const { found, expected } = diagnose({ signed: { httpMethod: 'post' }, evidence })
    expect(found).toMatchObject({ cause: 'wrong-http-method', expected })
  })

  test.for([['nothing Https://Gate.example.com'], ['httpx://Gate.example.com']])(
    'skips %s, which is no URL',
    (otherUrls) => {
      const signed = { signedUrl: url.replace('https://gate', 'Https://Gate') }
      expect(diagnose({ signed, evidence: { otherUrls } }).found).toMatchObject({ explained: false, right: false })
    },
  )

  test('shows no secret, whatever its encoding in a text', () => {
    const sends = body(['note', 'A+B'], ['of', 'of another'])
    const evidence = { otherSecrets: ['of another'] }
    const shown = [String, rfc3986].flatMap((inner) =>
      [String, rfc3986].map((outer) => JSON.stringify(diagnose({ sends, signed: { inner, outer }, evidence }).found)),
    )
    // The last one makes no mistake, so nothing is shown.
    expect(shown.map((text) => text.includes('note'))).toEqual([true, true, true, false])
    for (const text of shown) expect(text).not.toMatch(/A(\+|%2B|%252B)B|of( |%20|%2520)another/)
    const unexplained = diagnose({ sends, signed: { hmacKey: 'unknown' } }).found
    expect(unexplained).toMatchObject({ right: false, expected: expect.stringContaining('note%3D*******%26') })
  })

  test('finds a mistake in a request signed by RSA-SHA256 too', () => {
    expect(diagnose({ sends: rsa, signed: { body: [] } }).found).toMatchObject({ cause: 'body-not-counted' })
  })
})
