import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeParameters,
  normalizeParameters,
  type Parameter,
  parseAuthorizationHeader,
  signOAuth,
  type VerifyOAuthInput,
  verifyOAuth,
  verifyOAuthAsync,
} from '../../src/index.ts'
import type { OAuthHeader } from '../../src/internal.ts'
import { anyText } from '../any-text.ts'
import { catchSigningError } from '../catch-signing-error.ts'
import { hmac, oauthPairs, protocol, rsaSigner, rsaVerifier, signable, timestamp } from './requests.ts'

const { httpMethod, url } = signable
const signed = signOAuth({ ...hmac, ...signable, ...protocol })
const header = read(signed.authorization)
const request = { ...hmac, httpMethod, url, header, now: timestamp } as const
const accepted = { ok: true, consumerKey: 'merchantlogin', nonce: 'y3qlvMPky7g', timestamp }

function read(authorization: string): OAuthHeader {
  const parsed = parseAuthorizationHeader(authorization)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.header
}

describe('verifyOAuth with the body as it arrived', () => {
  test('[S5.2-09] [S5.2-25] accepts the body that signOAuth wrote, in both methods', () => {
    expect(verifyOAuth({ ...request, body: signed.body })).toEqual(accepted)
    const rsa = signOAuth({ ...rsaSigner, ...signable, ...protocol })
    const received = { ...rsaVerifier, httpMethod, url, now: timestamp, body: rsa.body }
    expect(verifyOAuth({ ...received, header: read(rsa.authorization) })).toEqual(accepted)
  })

  test('accepts another order, another encoding, and a body without the oauth_* pairs', () => {
    const parameters: Parameter[] = [
      ['b', '1 é'],
      ['a', '~'],
    ]
    const made = signOAuth({ ...hmac, ...signable, ...protocol, parameters })
    for (const body of ['b=1+%c3%a9&a=%7E', 'a=~&b=1%20%C3%A9', made.body, `${made.body}&`]) {
      expect(verifyOAuth({ ...request, header: read(made.authorization), body })).toEqual(accepted)
    }
  })

  test('accepts names and values that look like those of the protocol', () => {
    const parameters: Parameter[] = [
      ['comment', 'oauth_nonce'],
      ['oauth', '1'],
      ['xoauth_nonce', 'y3qlvMPky7g'],
    ]
    const made = signOAuth({ ...hmac, ...signable, ...protocol, parameters })
    expect(verifyOAuth({ ...request, header: read(made.authorization), body: made.body })).toEqual(accepted)
  })

  test('takes an empty body for no parameters, and counts a query', () => {
    const made = signOAuth({ ...hmac, ...signable, ...protocol, url: `${url}?a=1`, parameters: [] })
    const received = { ...request, url: `${url}?a=1`, header: read(made.authorization) }
    expect(verifyOAuth({ ...received, body: '' })).toEqual(accepted)
    expect(verifyOAuth({ ...received, body: made.body })).toEqual(accepted)
    expect(verifyOAuth({ ...received, url, body: made.body })).toMatchObject({ reason: 'wrong-signature' })
  })

  test.for([
    ['another nonce', `${signed.body.replace('oauth_nonce=y', 'oauth_nonce=Y')}`, 'parameter-mismatch'],
    ['an unknown name before the pairs', `oauth_a=&${signed.body}`, 'unknown-parameter'],
    [
      'an unknown name next to the pairs',
      signed.body.replace('&oauth_consumer_key', '&oauth_a=&oauth_consumer_key'),
      'unknown-parameter',
    ],
    ['an unknown name after the pairs', signed.body.replace('&sending', '&oauth_z=&sending'), 'unknown-parameter'],
    [
      'a signature in the body',
      signed.body.replace('&oauth_signature_method', '&oauth_signature=a&oauth_signature_method'),
      'signature-in-body',
    ],
    [
      'a pair twice',
      signed.body.replace('oauth_version=1.0', 'oauth_version=1.0&oauth_version=1.0'),
      'duplicate-parameter',
    ],
    ['a longer value', signed.body.replace('oauth_version=1.0', 'oauth_version=1.00'), 'parameter-mismatch'],
    ['a longer name', signed.body.replace('oauth_consumer_key', 'xoauth_consumer_key'), 'wrong-signature'],
    ['a name that the header lacks, escaped', `${signed.body}&%6Fauth_token=`, 'parameter-mismatch'],
    ['half an escape', `${signed.body}&z=%C3`, 'malformed-parameters'],
    ['white space', `${signed.body} `, 'malformed-parameters'],
    ['a character that is not ASCII', `${signed.body}&z=é`, 'malformed-parameters'],
    ['one more field', `${signed.body}&z=`, 'wrong-signature'],
    ['another value', signed.body.replace('7654321', '7654322'), 'wrong-signature'],
  ] as const)('[S5.2-09] refuses %s', ([, body, reason]) => {
    expect(verifyOAuth({ ...request, body })).toMatchObject({ ok: false, reason })
  })

  test('[S5.2-08] refuses a version in the body that the header lacks', () => {
    const without = { ...request, header: { ...header, version: undefined } }
    expect(verifyOAuth({ ...without, body: signed.body })).toMatchObject({ reason: 'parameter-mismatch' })
  })

  test('gives the same verdict as for its decoded pairs, whatever the body and the header', () => {
    const business = fc.tuple(anyText(6), anyText(6)).filter(([name]) => !name.startsWith('oauth_'))
    const stray = fc.constantFrom<Parameter>(
      ['oauth_token', ''],
      ['oauth_nonce', 'y3qlvMPky7g'],
      ['oauth', ''],
      ['oauth_version', '1'],
    )
    const change = fc.constantFrom<Partial<OAuthHeader>>(
      {},
      {},
      { version: undefined },
      { nonce: '\ud800' },
      { version: '2' },
      { timestamp: '1' },
      { signature: 'a' },
    )
    const pairs = fc.tuple(fc.array(business, { maxLength: 6 }), fc.array(stray, { maxLength: 1 }), fc.boolean())
    fc.assert(
      fc.property(pairs, change, ([own, strays, isSorted], changed) => {
        const made = signOAuth({ ...hmac, ...signable, ...protocol, parameters: own })
        const all = [...own, ...oauthPairs(made), ...strays]
        const body = isSorted ? normalizeParameters(all) : all.map((pair) => normalizeParameters([pair])).join('&')
        const received = { ...request, header: { ...read(made.authorization), ...changed } }
        expect(verifyOAuth({ ...received, body })).toEqual(
          verifyOAuth({ ...received, parameters: decodeParameters(body) }),
        )
      }),
    )
  })

  test('has an asynchronous form', async () => {
    expect(await verifyOAuthAsync({ ...request, body: signed.body })).toEqual(accepted)
  })

  test.for([
    ['both body and parameters', { body: '', parameters: [] }],
    ['neither body nor parameters', {}],
    ['bytes as the body', { body: Buffer.from('a=1') }],
  ] as const)('throws if its caller gives %s', ([, given]) => {
    const input = { ...request, ...given } as unknown as VerifyOAuthInput
    expect(catchSigningError(() => verifyOAuth(input)).code).toBe('BAD_ARGUMENT')
  })
})
