import { describe, expect, test } from 'vitest'
import {
  decodeParameters,
  type Parameter,
  parseAuthorizationHeader,
  percentEncode,
  type VerifyOAuthInput,
  verifyOAuth,
} from '../../src/index.ts'
import type { OAuthHeader } from '../../src/internal.ts'
import { readAnyUrl } from '../../src/oauth/request-url.ts'
import { hmac, signable, timestamp } from './requests.ts'

const SIX =
  'oauth_consumer_key="a", oauth_nonce="b", oauth_signature="c", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1669966913", oauth_version="1.0"'

describe('a header is refused in these words', () => {
  test.for([
    [undefined as unknown as string, 'not-oauth', 'there is no Authorization header'],
    [`OAuth ${'a'.repeat(8192)}`, 'header-too-long', 'the Authorization header is over 8192 bytes'],
    ['Basic YQ==', 'not-oauth', 'the Authorization header is not of the scheme OAuth'],
    ['OAuth a', 'malformed-header', 'the header is not a list of name="value", with commas between'],
    [
      SIX.replace('"b"', '"%FF"').replace(/^/, 'OAuth '),
      'malformed-header',
      'the value of oauth_nonce is not percent-encoded UTF-8 without control characters',
    ],
    [
      `OAuth ${SIX}, oauth_body_hash="x"`,
      'unknown-parameter',
      'the header holds a parameter that is none of the six oauth_* parameters and no realm',
    ],
    [
      `OAuth ${SIX}, oauth_token="x"`,
      'unknown-parameter',
      'oauth_token is in the header, but this interface is two-legged and has no token',
    ],
  ] as const)('$1: $2', ([text, reason, message]) => {
    expect(parseAuthorizationHeader(text)).toEqual({ ok: false, reason, message })
  })
})

describe('a request is refused in these words', () => {
  const header: OAuthHeader = {
    consumerKey: 'a',
    nonce: 'b',
    signatureMethod: 'HMAC-SHA1',
    timestamp: String(timestamp),
    version: '1.0',
    signature: 'A'.repeat(27).concat('='),
  }
  const { httpMethod, url } = signable
  const base = { ...hmac, httpMethod, url, header, now: timestamp }
  const withParameters = (parameters: readonly Parameter[]): VerifyOAuthInput => ({ ...base, parameters })

  test.for([
    [
      withParameters([['a', '\ud800']]),
      'malformed-parameters',
      'a name or value of the body is not a text with a UTF-8 form',
    ],
    [
      withParameters([
        ['oauth_nonce', 'b'],
        ['oauth_nonce', 'b'],
      ]),
      'duplicate-parameter',
      'oauth_nonce is outside the header more than once',
    ],
    [withParameters([['oauth_signature', 'c']]), 'signature-in-body', 'oauth_signature belongs in the header alone'],
    [
      withParameters([['oauth_body_hash', 'c']]),
      'unknown-parameter',
      'outside the header there is an oauth_* parameter that is none of the six',
    ],
    [{ ...base, body: '%' }, 'malformed-parameters', 'the body is not well-formed form encoding'],
    [
      { ...base, body: '', header: { ...header, version: '1.1' } },
      'bad-version',
      'oauth_version is neither absent nor 1.0',
    ],
    [
      { ...base, body: '', header: { ...header, signature: 'c' } },
      'malformed-signature',
      'oauth_signature is not canonical base64 of the length that the key makes',
    ],
    [{ ...base, body: '' }, 'wrong-signature', 'oauth_signature does not fit the request and the key'],
  ] as const)('$1: $2', ([input, reason, message]) => {
    expect(verifyOAuth(input)).toEqual({ ok: false, reason, message })
  })

  test('if a body and its pairs are given at once', () => {
    const both = { ...base, body: '', parameters: [] } as unknown as VerifyOAuthInput
    expect(() => verifyOAuth(both)).toThrow(
      'give either body, the text as it arrived, or parameters, its decoded pairs',
    )
  })
})

test.for([
  'gate',
  'ftp://a.example/',
  'https://user@a.example/',
  'https://ä.example/',
  'https://a.example:99999/',
  'https://a.example/ä',
  'https://a.example/?%',
])('the URL %j is refused as malformed', (url) => {
  expect(readAnyUrl(url)).toMatchObject({ ok: false, reason: 'malformed-url' })
})

describe('a text is refused in these words', () => {
  test('if it cannot be decoded', () => {
    expect(() => decodeParameters('%')).toThrow('the text is not well-formed form encoding')
  })
  test('if it cannot be encoded', () => {
    expect(() => percentEncode('\ud800')).toThrow('the text holds a lone surrogate, which has no UTF-8 form')
    expect(() => percentEncode(1 as unknown as string)).toThrow('names and values of parameters must be texts')
  })
})
