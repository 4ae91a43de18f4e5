import { type FuzzTarget, type Reader, spoiledText } from '@tallystick/proof-kit'
import { baseStringUri, decodeParameters, parseAuthorizationHeader, SigningError } from '../src/index.ts'

/** A parser, and what it reads in pieces. */
type Parser = Reader & { readonly pieces: readonly string[] }

const header = 'OAuth oauth_consumer_key="a", oauth_nonce="b", oauth_signature="c%3D"'

const PARSERS: readonly Parser[] = [
  {
    name: 'parseAuthorizationHeader',
    read: parseAuthorizationHeader,
    pieces: [
      'OAuth ',
      'oauth ',
      'realm="a\\"b"',
      'oauth_consumer_key="login"',
      'oauth_nonce="n%C3%A9"',
      'oauth_signature="YWJj%3D"',
      'oauth_signature_method="HMAC-SHA1"',
      'oauth_timestamp="1669966913"',
      'oauth_version="1.0"',
      'oauth_token=""',
      ', ',
      ',',
      '="',
      '"',
    ],
    hard: [
      (length) => `OAuth ${' '.repeat(length)}`,
      (length) => `${' '.repeat(length)}OAuth`,
      (length) => `OAuth realm="${'\\"'.repeat(length / 2)}`,
      (length) => header + ', '.repeat(length / 2),
      (length) => `OAuth ${'a="b",'.repeat(length / 6)}`,
      (length) => `OAuth ${'a'.repeat(length)}`,
    ],
  },
  {
    name: 'decodeParameters',
    read: decodeParameters,
    pieces: ['a=b', '&', '=', 'client_orderid=1', 'a%20b=c+d', '%E2%82%AC', 'oauth_nonce=1', 'x'],
    hard: [
      (length) => 'a=b&'.repeat(length / 4),
      (length) => '&'.repeat(length),
      (length) => `a=${'+'.repeat(length)}`,
      (length) => `a=${'%C3%A9'.repeat(length / 6)}`,
      (length) => `${'%41'.repeat(length / 3)}%`,
      (length) => '='.repeat(length),
    ],
  },
  {
    name: 'baseStringUri',
    read: baseStringUri,
    pieces: [
      'https://',
      'HTTP://',
      'gate.example.com',
      ':443',
      ':',
      '/a/b',
      '/%7e',
      '/..',
      '?a=b',
      '#c',
      'user@',
      '[::1]',
      '//',
    ],
    hard: [
      (length) => `https://${'a'.repeat(length)}`,
      (length) => `https://a/${'%41'.repeat(length / 3)}%`,
      (length) => `https://a${'/a'.repeat(length / 2)}"`,
      (length) => `https://a/?${'b=c&'.repeat(length / 4)}`,
      (length) => `https://a:${'0'.repeat(length)}443/`,
      (length) => `https://[${':'.repeat(length)}`,
    ],
  },
]

/** Everything in this package that reads what a stranger sent. */
export const FUZZ_TARGETS: readonly FuzzTarget[] = PARSERS.map(({ pieces, ...reader }) => ({
  ...reader,
  error: SigningError,
  tryOne: (random) => {
    const text = spoiledText(pieces, random)
    return isPlain(reader.read(text)) ? undefined : `made an odd object of ${JSON.stringify(text)}`
  },
}))

function isPlain(value: unknown): boolean {
  const plain = Array.isArray(value) ? Array.prototype : Object.prototype
  return typeof value === 'string' || Object.getPrototypeOf(value) === plain
}
