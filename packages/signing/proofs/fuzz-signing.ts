/** The readers of headers, forms and addresses only throw their own errors and never hang. */
import { type FuzzTarget, fuzz, grown, spoiledText } from '@tallystick/proof-kit'
import { baseStringUri, decodeParameters, parseAuthorizationHeader, SigningError } from '../src/index.ts'

/** @param pieces what it reads, in pieces */
function parser(read: (text: string) => unknown, pieces: readonly string[], hard: FuzzTarget['hard']): FuzzTarget {
  return {
    name: read.name,
    read,
    hard,
    error: SigningError,
    tryOne: (random) => {
      const text = spoiledText(pieces, random)
      return isPlain(read(text)) ? undefined : `made an odd object of ${JSON.stringify(text)}`
    },
  }
}

function isPlain(value: unknown): boolean {
  const plain = Array.isArray(value) ? Array.prototype : Object.prototype
  return typeof value === 'string' || Object.getPrototypeOf(value) === plain
}

const FIELDS = ['realm="a\\"b"', 'oauth_consumer_key="login"', 'oauth_nonce="n%C3%A9"', 'oauth_signature="YWJj%3D"']
const OTHERS = ['oauth_signature_method="HMAC-SHA1"', 'oauth_timestamp="1669966913"', 'oauth_version="1.0"']
const header = 'OAuth oauth_consumer_key="a", oauth_nonce="b", oauth_signature="c%3D"'

const targets = [
  parser(
    parseAuthorizationHeader,
    ['OAuth ', 'oauth ', ...FIELDS, ...OTHERS, 'oauth_token=""', ', ', ',', '="', '"'],
    grown('OAuth { }', '{ }OAuth', 'OAuth realm="{\\"}', `${header}{, }`, 'OAuth {a="b",}', 'OAuth {a}'),
  ),
  parser(
    decodeParameters,
    ['a=b', '&', '=', 'client_orderid=1', 'a%20b=c+d', '%E2%82%AC', 'oauth_nonce=1', 'x'],
    grown('{a=b&}', '{&}', 'a={+}', 'a={%C3%A9}', '{%41}%', '{=}'),
  ),
  parser(
    baseStringUri,
    [
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
    grown(
      'https://{a}',
      'https://a/{%41}%',
      'https://a{/a}"',
      'https://a/?{b=c&}',
      'https://a:{0}443/',
      'https://[{:}',
    ),
  ),
]

await fuzz({ name: 'fuzz-signing', of: 'signing', targets, module: import.meta.url })
