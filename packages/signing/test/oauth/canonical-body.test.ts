import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeParameters, normalizeParameters, type Parameter } from '../../src/index.ts'
import type { OAuthHeader } from '../../src/internal.ts'
import { isCanonicalBody, isParameterString } from '../../src/oauth/canonical-body.ts'
import { readParameters } from '../../src/oauth/parameters.ts'
import { anyText } from '../any-text.ts'

/** The plain version: it decodes the body, encodes it again and compares. */
function isWrittenPlainly(body: string): boolean {
  const parameters = readParameters(body)
  if (parameters === undefined || parameters.length === 0) return false
  const names = new Set(parameters.map(([name]) => name))
  return names.size === parameters.length && normalizeParameters(parameters) === body
}

const name = fc.oneof(anyText(3), fc.constantFrom('a', 'a-b', 'a.b', 'ab', 'A', '', '~', 'é', '😀'))
const parameters = fc.array(fc.tuple(name, anyText(6)), { maxLength: 6 })
const sorted = parameters.map((pairs: Parameter[]) => normalizeParameters(pairs))
/** Canonical bodies that are broken at one place, by pieces that are nearly right. */
const broken = fc
  .tuple(
    sorted,
    fc.nat(),
    fc.nat(3),
    fc.constantFrom(
      '',
      '&',
      '=',
      '%',
      '%4',
      '%41',
      '%C3',
      '%c3%a9',
      '%2f',
      '+',
      'é',
      '%ED%A0%80',
      '%C0%AF',
      '%F4%90%80%80',
      '%00',
      '%7E',
      'a=&',
      '\n',
      'Ł',
    ),
  )
  .map(([body, place, length, piece]) => {
    const at = place % (body.length + 1)
    return body.slice(0, at) + piece + body.slice(at + length)
  })
const bytes = fc.array(fc.nat({ max: 255 }), { maxLength: 5 })
const escapes = bytes.map(
  (codes) => `a=${codes.map((code) => `%${code.toString(16).toUpperCase().padStart(2, '0')}`).join('')}`,
)

describe('isParameterString', () => {
  test.for([
    ['what normalizeParameters writes', sorted],
    ['what is nearly that', broken],
    ['any escapes', escapes],
    ['any text', fc.string({ unit: fc.constantFrom('a', 'b', '=', '&', '%', '4', 'C', '-'), maxLength: 12 })],
  ] as const)('agrees with decoding and encoding about %s', ([, text]) => {
    fc.assert(
      fc.property(text, (body) => {
        expect(isParameterString(body)).toBe(isWrittenPlainly(body))
      }),
      { numRuns: 2000 },
    )
  })

  test('agrees about every single escape, and takes the first and last character of each length of UTF-8', () => {
    for (let code = 0; code < 256; code++) {
      const body = `a=%${code.toString(16).toUpperCase().padStart(2, '0')}`
      expect(isParameterString(body)).toBe(isWrittenPlainly(body))
    }
    for (const code of [
      0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xcfff, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x3ffff, 0x40000, 0xfffff, 0x10ffff,
    ]) {
      expect(isParameterString(normalizeParameters([['a', String.fromCodePoint(code)]]))).toBe(true)
    }
  })

  test.for([
    '',
    '&',
    'a',
    'a&b=',
    'b=&a=',
    'a=&a=',
    'a=1&a=2',
    'a-b=&a=',
    '%61=',
    'a=%2f',
    'a=+',
    'a=b=c',
    'a=&',
    '&a=',
  ])('leaves %j to the plain path', (body) => {
    expect(isParameterString(body)).toBe(false)
  })

  test.for(['=', '=v', 'a=', 'a=&a-b=', 'a=&a.b=&aa=', '%00=', 'a=%20&b=%2B', 'A=&a='])('takes %j', (body) => {
    expect(isParameterString(body)).toBe(true)
    expect(normalizeParameters(decodeParameters(body))).toBe(body)
  })

  test.for(['é', 'Ł', '€', '😀', '\ud800'])('refuses %j, which is not ASCII, wherever it stands', (piece) => {
    for (const body of [`a=${piece}`, `a=b${piece}`, `${piece}=b`, `a=b&${piece}=`])
      expect(isParameterString(body)).toBe(false)
  })

  test('takes a text of up to 65,536 characters, and leaves a longer one to the plain path', () => {
    expect(isParameterString(`a=${'b%20%C3%A9'.repeat(6553)}&b=`)).toBe(true)
    expect(isParameterString(`a=${'b'.repeat(65_534)}`)).toBe(true)
    expect(isParameterString(`a=${'b'.repeat(65_535)}`)).toBe(false)
    expect(isParameterString(`a=${'%20'.repeat(1_000_000)}`)).toBe(false)
  })
})

const HEADER: OAuthHeader = {
  consumerKey: 'shop',
  nonce: 'n-1',
  signatureMethod: 'HMAC-SHA1',
  timestamp: '1700000000',
  version: '1.0',
  signature: '',
}
const PAIRS =
  'oauth_consumer_key=shop&oauth_nonce=n-1&oauth_signature_method=HMAC-SHA1&oauth_timestamp=1700000000&oauth_version=1.0'
const WITHOUT_VERSION = PAIRS.replace('&oauth_version=1.0', '')

const read = (body: string, changes: Partial<OAuthHeader> = {}) => isCanonicalBody(body, { ...HEADER, ...changes })

describe('isCanonicalBody', () => {
  test.for([
    ['the pairs alone', PAIRS, {}],
    ['fields before the pairs', `amount=1&${PAIRS}`, {}],
    ['fields after the pairs', `${PAIRS}&state=WA`, {}],
    ['fields on both sides', `amount=1&city=Z%C3%BCrich&${PAIRS}&state=WA`, {}],
    ['no version', `amount=1&${WITHOUT_VERSION}&state=WA`, { version: undefined }],
    [
      'values that have to be encoded',
      PAIRS.replace('=shop', '=a%20shop').replace('=n-1', '=n%2B1%2F'),
      { consumerKey: 'a shop', nonce: 'n+1/' },
    ],
  ] as const)('takes a body with %s', ([, body, changes]) => {
    expect(read(body, changes)).toBe(true)
  })

  test.for([
    ['no pairs', 'amount=1', {}],
    ['nothing in it', '', {}],
    ['a name that ends like the first one', `a${PAIRS}`, {}],
    ['a value that is longer than the one in the header', `${PAIRS}1`, {}],
    ['a name of the protocol before the pairs', `oauth_a=1&${PAIRS}`, {}],
    ['a name of the protocol after the pairs', `${PAIRS}&oauth_w=1`, {}],
    ['a value that looks like a name of the protocol', `a=oauth_&${PAIRS}`, {}],
    ['a version that the header does not have', PAIRS, { version: undefined }],
    ['no version if the header has one', WITHOUT_VERSION, {}],
    ['another merchant', PAIRS, { consumerKey: 'shops' }],
    ['another nonce', PAIRS, { nonce: 'n-2' }],
    ['another method', PAIRS, { signatureMethod: 'RSA-SHA256' }],
    ['another time', PAIRS, { timestamp: '1700000001' }],
    ['names out of order', `state=WA&${PAIRS}`, {}],
  ] as const)('leaves a body to the plain path with %s', ([, body, changes]) => {
    expect(read(body, changes)).toBe(false)
  })
})
