import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac, createSign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hmacKey, parseAuthorizationHeader, rsaPrivateKey, type SignOAuthInput, signOAuth } from '../../src/index.ts'
import { catchSigningError } from '../catch-signing-error.ts'
import { keyPair, privatePem } from '../rsa-key-pair.ts'
import { oauthVectors } from '../vectors.ts'
import { hmac, oauthPairs, protocol, rsaSigner, signable, signableBaseString } from './requests.ts'

const request: SignOAuthInput = { ...hmac, ...signable, ...protocol }

function signatureOf(authorization: string): string {
  const parsed = parseAuthorizationHeader(authorization)
  return parsed.ok ? parsed.header.signature : ''
}

describe('signOAuth with HMAC-SHA1', () => {
  const vectors = oauthVectors.filter(({ oauthParams }) => oauthParams['oauth_signature_method'] === 'HMAC-SHA1')

  test.for(vectors)('[S5.2-14] [S5.2-25] reproduces the documented header of vector $id', (vector) => {
    const key = hmacKey(vector.key.slice(0, -1))
    const parameters = Object.entries(vector.bodyParams)
    const { authorization } = signOAuth({ ...request, method: 'HMAC-SHA1', key, url: vector.requestUrl, parameters })
    expect(authorization).toBe(vector.authorization)
  })

  test('[S5.2-01] [S5.2-14] keys the HMAC with the percent-encoded secret, an ampersand and nothing', () => {
    const signed = signOAuth({ ...request, method: 'HMAC-SHA1', key: hmacKey('kéy &+') })
    const expected = createHmac('sha1', 'k%C3%A9y%20%26%2B&').update(signableBaseString('HMAC-SHA1')).digest('base64')
    expect(signatureOf(signed.authorization)).toBe(expected)
  })
})

describe('signOAuth with RSA-SHA256', () => {
  let folder = ''
  let keyFile = ''
  const openssl = 'openssl'
  const hasOpenssl = spawnSync(openssl, ['version']).status === 0
  const signed = signOAuth({ ...request, ...rsaSigner })
  const baseString = signableBaseString('RSA-SHA256')

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tallystick-signing-'))
    keyFile = join(folder, 'key.pem')
    writeFileSync(keyFile, privatePem, { mode: 0o600 })
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test.runIf(hasOpenssl)('[S5.2-18] [G7.2-01] makes the signature that the openssl command makes', () => {
    const made = execFileSync(openssl, ['dgst', '-sha256', '-sign', keyFile], { input: baseString })
    expect(signatureOf(signed.authorization)).toBe(made.toString('base64'))
  })

  test('[S5.2-16] [S5.2-18] [G7.2-01] makes the signature of PKCS#1 v1.5 with SHA-256', () => {
    const made = createSign('RSA-SHA256').update(baseString).sign(privatePem, 'base64')
    expect(signatureOf(signed.authorization)).toBe(made)
  })

  test('[S5.2-16] signs alike with the key in PKCS#1 and in PKCS#8', () => {
    const pkcs1 = keyPair.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
    expect(signOAuth({ ...request, method: 'RSA-SHA256', key: rsaPrivateKey(pkcs1) })).toEqual(signed)
  })
})

describe('signOAuth', () => {
  test('[S5.2-05] [S5.2-08] [S5.2-09] [S5.2-10] returns the five pairs for the body, without the signature', () => {
    expect(oauthPairs(signOAuth(request))).toEqual([
      ['oauth_consumer_key', 'merchantlogin'],
      ['oauth_nonce', 'y3qlvMPky7g'],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', '1669966913'],
      ['oauth_version', '1.0'],
    ])
  })

  test('[S5.2-03] puts a realm into the header and not into the signature', () => {
    const plain = signOAuth(request)
    const withRealm = signOAuth({ ...request, realm: 'Photos' })
    expect(withRealm.authorization).toBe(plain.authorization.replace('OAuth ', 'OAuth realm="Photos", '))
    expect(oauthPairs(withRealm)).toEqual(oauthPairs(plain))
  })

  test('[S5.2-20] signs a query as it signs the same pairs in the body', () => {
    const inQuery = signOAuth({ ...request, url: `${request.url}?a=1+2`, parameters: [] })
    const inBody = signOAuth({ ...request, parameters: [['a', '1 2']] })
    expect(inQuery.authorization).toBe(inBody.authorization)
  })

  test('takes any nonce of up to 128 bytes as it is', () => {
    for (const nonce of ['a', 'é'.repeat(64), ' ', '+', 'a"b']) {
      expect(oauthPairs(signOAuth({ ...request, nonce }))[1]).toEqual(['oauth_nonce', nonce])
    }
  })

  test.for([
    ['an empty nonce', { nonce: '' }, /nonce/],
    ['a nonce of 129 bytes', { nonce: `${'é'.repeat(64)}a` }, /nonce/],
    ['a nonce with a line break', { nonce: 'a\nb' }, /nonce/],
    ['a nonce without a UTF-8 form', { nonce: '\ud800' }, /nonce/],
    ['a nonce that is not a text', { nonce: 1 as unknown as string }, /nonce/],
    ['an empty consumer key', { consumerKey: '' }, /consumer key/],
    ['a consumer key with a zero byte', { consumerKey: 'a\0' }, /consumer key/],
    ['a timestamp in milliseconds', { timestamp: 1_669_966_913_000 }, /not milliseconds/],
    ['a timestamp with a fraction', { timestamp: 1_669_966_913.5 }, /ten digits/],
    ['a timestamp of nine digits', { timestamp: 999_999_999 }, /ten digits/],
    ['a negative timestamp', { timestamp: -1_669_966_913 }, /ten digits/],
    ['a timestamp that is no number', { timestamp: Number.NaN }, /ten digits/],
    ['an unprintable realm', { realm: 'a\r\nb' }, /realm/],
    ['an oauth_* name among the parameters', { parameters: [['oauth_nonce', 'y3qlvMPky7g']] }, /no oauth_\* names/],
    ['an oauth_* name in the query', { url: 'https://a.example/?oauth_token=' }, /no oauth_\* names/],
    ['an empty HTTP method', { httpMethod: '' }, /httpMethod/],
  ] as const)('[S5.2-07] refuses %s', ([, change, message]) => {
    const error = catchSigningError(() => signOAuth({ ...request, ...change }))
    expect(error.code).toBe('BAD_ARGUMENT')
    expect(error.message).toMatch(message)
  })

  test.for(['PLAINTEXT', 'HMAC-SHA256', 'RSA-SHA1', 'hmac-sha1', 'constructor', '__proto__', ''])(
    '[S5.2-27] knows no method %j',
    (method) => {
      const input = { ...request, method } as unknown as SignOAuthInput
      const error = catchSigningError(() => signOAuth(input))
      expect(error.code).toBe('BAD_ARGUMENT')
      expect(error.message).toBe('method must be one of HMAC-SHA1, RSA-SHA256')
    },
  )

  test('refuses a URL that cannot be signed', () => {
    expect(catchSigningError(() => signOAuth({ ...request, url: 'https://user@a.example/' })).code).toBe('BAD_URL')
  })

  test('refuses a parameter without a UTF-8 form', () => {
    const parameters = [['a', '\ud800']] as const
    expect(catchSigningError(() => signOAuth({ ...request, parameters })).code).toBe('BAD_TEXT')
  })

  test('refuses the HMAC key for RSA and the RSA key for HMAC if the types are bypassed', () => {
    const swapped = [
      { ...request, method: 'RSA-SHA256' },
      { ...request, ...rsaSigner, method: 'HMAC-SHA1' },
    ] as unknown as SignOAuthInput[]
    for (const input of swapped) expect(catchSigningError(() => signOAuth(input)).code).toBe('BAD_KEY')
  })

  test('returns the same for the same arguments: it uses no clock and no randomness', () => {
    expect(signOAuth(request)).toEqual(signOAuth(request))
    expect(signOAuth({ ...request, ...rsaSigner })).toEqual(signOAuth({ ...request, ...rsaSigner }))
  })
})
