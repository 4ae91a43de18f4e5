import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAuthorizationHeader } from '../../src/index.ts'
import type { OAuthHeader } from '../../src/internal.ts'
import { formatAuthorizationHeader } from '../../src/oauth/oauth-header.ts'
import { parseAnyHeader, readUsualHeader } from '../../src/oauth/parse-authorization-header.ts'
import { anyPlainText, anyText } from '../any-text.ts'
import { oauthVectors } from '../vectors.ts'

const header: OAuthHeader = {
  realm: undefined,
  consumerKey: 'merchantlogin',
  nonce: 'y3qlvMPky7g',
  signatureMethod: 'HMAC-SHA1',
  timestamp: '1669966913',
  version: '1.0',
  signature: 'd/IPlITUmPcniwjA7Vckjr6WQeE=',
}
const pairs = [
  'oauth_consumer_key="merchantlogin"',
  'oauth_nonce="y3qlvMPky7g"',
  'oauth_signature="d%2FIPlITUmPcniwjA7Vckjr6WQeE%3D"',
  'oauth_signature_method="HMAC-SHA1"',
  'oauth_timestamp="1669966913"',
  'oauth_version="1.0"',
] as const
const withNonce = (value: string) => `OAuth ${pairs.join(', ').replace('y3qlvMPky7g', value)}`

describe('parseAuthorizationHeader', () => {
  test.for(oauthVectors)(
    '[S5.2-02] [S5.2-05] reads the header of vector $id',
    ({ authorization, oauthParams, signature }) => {
      expect(parseAuthorizationHeader(authorization)).toEqual({
        ok: true,
        header: {
          consumerKey: oauthParams['oauth_consumer_key'],
          nonce: oauthParams['oauth_nonce'],
          signatureMethod: oauthParams['oauth_signature_method'],
          timestamp: oauthParams['oauth_timestamp'],
          version: oauthParams['oauth_version'],
          signature,
        },
      })
    },
  )

  test.for([
    ['a comma alone', `OAuth ${pairs.join(',')}`],
    ['a comma and a space', `OAuth ${pairs.join(', ')}`],
    ['tabs and spaces around commas', `OAuth ${pairs.join(' \t,\t ')}`],
    ['white space around equals signs', `OAuth ${pairs.join(', ').replaceAll('="', ' = "')}`],
    ['white space at both ends', `  OAuth   ${pairs.join(', ')} \t`],
    ['another order', `OAuth ${pairs.toReversed().join(', ')}`],
    ['the scheme in lower case', `oauth ${pairs.join(', ')}`],
    ['the scheme in upper case', `OAUTH ${pairs.join(', ')}`],
    ['a raw signature', `OAuth ${pairs.join(', ').replaceAll('%2F', '/').replaceAll('%3D', '=')}`],
    ['escapes in lower case', `OAuth ${pairs.join(', ').replaceAll('%2F', '%2f').replaceAll('%3D', '%3d')}`],
    ['escapes of unreserved characters', withNonce('%79%33qlvMPky7g')],
  ] as const)('[S5.2-02] accepts %s', ([, text]) => {
    expect(parseAuthorizationHeader(text)).toEqual({ ok: true, header })
  })

  test('[S5.2-08] accepts a header without oauth_version', () => {
    const text = `OAuth ${pairs.slice(0, 5).join(', ')}`
    expect(parseAuthorizationHeader(text)).toEqual({ ok: true, header: { ...header, version: undefined } })
  })

  test.for([
    ['realm=""', ''],
    ['realm="Photos"', 'Photos'],
    ['Realm="Photos"', 'Photos'],
    ['realm="a, b=\\"c\\" \\\\"', 'a, b="c" \\'],
    ['realm="%20"', '%20'],
  ] as const)('[S5.2-03] reads %s as a plain quoted string', ([realm, expected]) => {
    const text = `OAuth ${realm}, ${pairs.join(', ')}`
    expect(parseAuthorizationHeader(text)).toEqual({ ok: true, header: { ...header, realm: expected } })
  })

  test('[G7.2-02] does not turn a plus sign into a space', () => {
    const raw = `OAuth ${pairs.join(', ').replace('d%2FIPlITUmPcniwjA7Vckjr6WQeE%3D', 'a+b/c=')}`
    expect(parseAuthorizationHeader(raw)).toMatchObject({ header: { signature: 'a+b/c=' } })
    expect(parseAuthorizationHeader(withNonce('a+b'))).toMatchObject({ header: { nonce: 'a+b' } })
    expect(parseAuthorizationHeader(withNonce('a%2Bb'))).toMatchObject({ header: { nonce: 'a+b' } })
    expect(parseAuthorizationHeader(withNonce('a%20b'))).toMatchObject({ header: { nonce: 'a b' } })
  })

  test('[G7.2-02] decodes once', () => {
    expect(parseAuthorizationHeader(withNonce('%2541'))).toMatchObject({ header: { nonce: '%41' } })
  })

  test.for([
    '',
    'OAuth',
    'Basic dXNlcjpwYXNz',
    'Bearer abc',
    `Basic dXNlcjpwYXNz, OAuth ${pairs.join(', ')}`,
    `x OAuth ${pairs.join(', ')}`,
    'OAuthX a="b"',
    `OAuth2 ${pairs.join(', ')}`,
    `"OAuth" ${pairs[0]}`,
  ])('[S5.2-02] refuses %j as another scheme', (text) => {
    expect(parseAuthorizationHeader(text)).toMatchObject({ ok: false, reason: 'not-oauth' })
  })

  test('refuses an absent header', () => {
    const text = undefined as unknown as string
    expect(parseAuthorizationHeader(text)).toMatchObject({ ok: false, reason: 'not-oauth' })
  })

  test('refuses more than 8 KiB, and accepts exactly 8 KiB', () => {
    const text = `OAuth ${pairs.join(', ')}`
    expect(parseAuthorizationHeader(text.padEnd(8192))).toMatchObject({ ok: true })
    expect(parseAuthorizationHeader(text.padEnd(8193))).toMatchObject({ ok: false, reason: 'header-too-long' })
  })

  test.for([
    ['no parameters', 'OAuth  '],
    ['a trailing comma', `OAuth ${pairs.join(', ')},`],
    ['a leading comma', `OAuth ,${pairs.join(', ')}`],
    ['two commas', `OAuth ${pairs.join(',,')}`],
    ['semicolons', `OAuth ${pairs.join('; ')}`],
    ['spaces for commas', `OAuth ${pairs.join(' ')}`],
    ['values without quotes', `OAuth ${pairs.join(', ').replaceAll('"', '')}`],
    ['single quotes', `OAuth ${pairs.join(', ').replaceAll('"', "'")}`],
    ['an open quote', `OAuth ${pairs.join(', ').slice(0, -1)}`],
    ['a name alone', `OAuth oauth_nonce, ${pairs.join(', ')}`],
    ['an empty name', `OAuth ="a", ${pairs.join(', ')}`],
    ['a name that is no token', `OAuth oauth nonce="a", ${pairs.join(', ')}`],
    ['a name outside ASCII', `OAuth öauth="a", ${pairs.join(', ')}`],
    ['text after the list', `OAuth ${pairs.join(', ')} x`],
    ['a second header joined on', `OAuth ${pairs.join(', ')}, OAuth ${pairs.join(', ')}`],
    ['a line break between parameters', `OAuth ${pairs.join(',\r\n ')}`],
    ['a line break in the realm', `OAuth realm="a\nb", ${pairs.join(', ')}`],
    ['an escape at the end of the realm', `OAuth realm="a\\", ${pairs.join(', ')}`],
    ['a realm outside ASCII', `OAuth realm="é", ${pairs.join(', ')}`],
    ['a space in a value', withNonce('a b')],
    ['a backslash in a value', withNonce('a\\"b')],
    ['a comma in a value', withNonce('a,b')],
    ['a reserved character in a value', withNonce('a!b')],
    ['a character outside ASCII in a value', withNonce('é')],
    ['a percent sign alone', withNonce('%')],
    ['half an escape', withNonce('%4')],
    ['an escape that is not hexadecimal', withNonce('%zz')],
    ['half a character', withNonce('%C3')],
    ['an overlong form', withNonce('%C0%AF')],
    ['a surrogate', withNonce('%ED%A0%80')],
    ['bytes that are not UTF-8', withNonce('%FF')],
    ['a zero byte', withNonce('a%00')],
    ['an encoded line break', withNonce('a%0D%0Ab')],
  ] as const)('refuses %s as malformed', ([, text]) => {
    expect(parseAuthorizationHeader(text)).toMatchObject({ ok: false, reason: 'malformed-header' })
  })

  test.for(pairs)('refuses %s twice', (pair) => {
    const name = pair.slice(0, pair.indexOf('='))
    expect(parseAuthorizationHeader(`OAuth ${pair}, ${pairs.join(', ')}`)).toEqual({
      ok: false,
      reason: 'duplicate-parameter',
      message: `${name} is in the header more than once`,
    })
  })

  test('refuses two realms, however they are written', () => {
    const text = `OAuth realm="a", REALM="a", ${pairs.join(', ')}`
    expect(parseAuthorizationHeader(text)).toMatchObject({ ok: false, reason: 'duplicate-parameter' })
  })

  test('[F-C10] reads an empty oauth_token, which says that there is none', () => {
    expect(parseAuthorizationHeader(`OAuth oauth_token="", ${pairs.join(', ')}`)).toMatchObject({
      ok: true,
      header: { token: '' },
    })
  })

  test('[S5.2-01] refuses an oauth_token that is not empty, and says why', () => {
    expect(parseAuthorizationHeader(`OAuth oauth_token="x", ${pairs.join(', ')}`)).toEqual({
      ok: false,
      reason: 'unknown-parameter',
      message: 'oauth_token is in the header, but this interface is two-legged and has no token',
    })
  })

  test.for([
    'oauth_callback',
    'oauth_body_hash',
    'oauth_verifier',
    'OAUTH_NONCE',
    'Oauth_nonce',
    'oauth%5Fnonce',
    'foo',
    '__proto__',
  ])('[S5.2-05] refuses the unknown name %s', (name) => {
    const text = `OAuth ${name}="a", ${pairs.join(', ')}`
    expect(parseAuthorizationHeader(text)).toMatchObject({ ok: false, reason: 'unknown-parameter' })
  })

  test.for(pairs.slice(0, 5))('[S5.2-05] refuses a header without %s', (pair) => {
    const rest = pairs.filter((other) => other !== pair)
    expect(parseAuthorizationHeader(`OAuth ${rest.join(', ')}`)).toEqual({
      ok: false,
      reason: 'missing-parameter',
      message: `${pair.slice(0, pair.indexOf('='))} is missing in the header`,
    })
  })

  test('[S5.2-02] reads back whatever formatAuthorizationHeader writes', () => {
    const value = anyPlainText(40)
    const realm = fc.option(fc.string({ unit: 'grapheme-ascii' }), { nil: undefined })
    const anyHeader = fc.record({
      realm,
      consumerKey: value,
      nonce: value,
      signatureMethod: value,
      timestamp: value,
      version: fc.option(value, { nil: undefined }),
      signature: value,
    })
    fc.assert(
      fc.property(anyHeader, (written) => {
        expect(parseAuthorizationHeader(formatAuthorizationHeader(written))).toEqual({ ok: true, header: written })
      }),
    )
  })

  test('never throws, whatever it is given, and reads 8 KiB of any separator within a second', () => {
    const piece = fc.constantFrom('OAuth ', 'oauth_nonce', '=', '"', ',', ' ', '\t', '\\', '%', 'realm', ...pairs)
    const text = fc.oneof(
      anyText(),
      fc.array(piece).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(text, (given) => {
        expect(typeof parseAuthorizationHeader(`OAuth ${given}`).ok).toBe('boolean')
      }),
      { numRuns: 1000 },
    )
    for (const hostile of ['\t', ' ', 'a', '"', '\\', ',', 'a="', 'a="",', '\\\\"']) {
      const start = performance.now()
      parseAuthorizationHeader(`OAuth ${hostile.repeat(8180 / hostile.length)}`)
      expect(performance.now() - start).toBeLessThan(1000)
    }
  })
})

const usual = String(oauthVectors[0]?.authorization)
const pieces = [
  '',
  '"',
  ',',
  ' ',
  '%',
  '%2F',
  '%2B',
  '%3D',
  '%41',
  '%0A',
  '=',
  '+',
  '/',
  'a',
  'é',
  '\\',
  '\n',
  'oauth_nonce="a", ',
]
const nearlyUsual = fc
  .tuple(fc.nat({ max: usual.length }), fc.nat({ max: 3 }), fc.constantFrom(...pieces))
  .map(([at, length, piece]) => usual.slice(0, at) + piece + usual.slice(at + length))

describe('readUsualHeader', () => {
  test.for(oauthVectors)('reads the header of vector $id', ({ authorization }) => {
    expect({ ok: true, header: readUsualHeader(authorization) }).toEqual(parseAnyHeader(authorization))
  })

  test('reads a nearly usual header as the whole grammar does, or leaves it to that', () => {
    fc.assert(
      fc.property(nearlyUsual, (text) => {
        const header = readUsualHeader(text)
        if (header !== undefined) expect({ ok: true, header }).toEqual(parseAnyHeader(text))
        expect(parseAuthorizationHeader(text)).toEqual(parseAnyHeader(text))
      }),
      { numRuns: 2000 },
    )
  })

  test('leaves a realm, a missing version, another order and another case of the scheme to the whole grammar', () => {
    const header = { consumerKey: 'a', nonce: 'b', signatureMethod: 'HMAC-SHA1', timestamp: '1', signature: 'c' }
    expect(readUsualHeader(formatAuthorizationHeader({ ...header, realm: 'Photos', version: '1.0' }))).toBeUndefined()
    expect(readUsualHeader(formatAuthorizationHeader(header))).toBeUndefined()
    const pairs = usual.slice('OAuth '.length).split(', ')
    expect(readUsualHeader(`OAuth ${pairs.join(', ')}`)).toBeDefined()
    expect(readUsualHeader(`OAuth ${pairs.toReversed().join(', ')}`)).toBeUndefined()
    expect(readUsualHeader(`oauth ${pairs.join(', ')}`)).toBeUndefined()
  })
})
