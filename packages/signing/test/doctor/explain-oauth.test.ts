import { createHmac, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { explainOAuth, hmacKey, type Parameter, signatureBaseString, signOAuth } from '../../src/index.ts'
import type { OAuthEvidence } from '../../src/internal.ts'
import { catchSigningError } from '../catch-signing-error.ts'
import { hmac, oauthPairs, protocol, rsaSigner, signable, timestamp } from '../oauth/requests.ts'
import { privatePem, publicPem } from '../rsa-key-pair.ts'

const secret = '11111111-1111-1111-1111-111111111111'
const signed = signOAuth({ ...hmac, ...signable, ...protocol })
const { authorization } = signed
const evidence: OAuthEvidence = { ...signable, method: 'HMAC-SHA1', secret, authorization, now: timestamp }
const rsa: OAuthEvidence = {
  ...signable,
  method: 'RSA-SHA256',
  publicKey: publicPem,
  authorization: signOAuth({ ...rsaSigner, ...signable, ...protocol }).authorization,
  now: timestamp,
}
const signedWith = (parameters: readonly Parameter[]) =>
  signOAuth({ ...hmac, ...signable, parameters, ...protocol }).authorization
const withSignature = (of: OAuthEvidence, signature: string) =>
  of.authorization.replace(/oauth_signature="[^"]*"/, `oauth_signature="${encodeURIComponent(signature)}"`)

describe('explainOAuth', () => {
  test('[F-C14] notices that a printed secret was signed with', () => {
    const parameters = [...signable.parameters, ...oauthPairs(signed)]
    const baseString = signatureBaseString({ ...signable, parameters })
    const signature = createHmac('sha1', '%5Bsecret%5D&').update(baseString).digest('base64')
    expect(explainOAuth({ ...evidence, authorization: withSignature(evidence, signature) })).toMatchObject({
      cause: 'wrong-key',
      advice: 'the key is the text [secret], which a Secret prints: take the text that its reveal() returns',
    })
  })

  test('finds nothing wrong with a right signature', () => {
    expect(explainOAuth(evidence)).toEqual({ explained: false, right: true })
    expect(explainOAuth(rsa)).toEqual({ explained: false, right: true })
  })

  test('shows both base strings around the part that differs, card data masked', () => {
    const parameters: Parameter[] = [
      ['credit_card_number', '4111111111111111'],
      ['cvv2', '123'],
      ['zip_code', 'A B'],
    ]
    const spoiled = signedWith([...parameters.slice(0, 2), ['zip_code', ' A B']])
    const found = explainOAuth({ ...evidence, parameters, authorization: spoiled })
    expect(found).toMatchObject({ cause: 'value-not-trimmed', where: 316 })
    expect(found).toHaveProperty(
      'expected',
      expect.stringContaining('credit_card_number%3D411111******1111%26cvv2%3D***%26'),
    )
    expect(found).toHaveProperty('received', expect.stringContaining('zip_code%3D%2520A%2520B'))
    expect(found).toHaveProperty(
      'comparison',
      [
        'expected: …auth_version%3D1.0%26zip_code%3DA%2520B',
        'received: …auth_version%3D1.0%26zip_code%3D%2520A%2520B',
        '                                           ^^^^^',
      ].join('\n'),
    )
  })

  test.for([
    ['no OAuth header', { authorization: 'Bearer x' }, 'not-oauth'],
    ['a header that lacks a parameter', { authorization: 'OAuth oauth_nonce="a"' }, 'missing-parameter'],
    ['a URL that is none', { url: 'ftp://example.com/' }, 'malformed-url'],
    ['a copy in the body that differs', { parameters: [['oauth_nonce', 'x']] }, 'parameter-mismatch'],
    ['a value without a UTF-8 form', { parameters: [['a', '\ud800']] }, 'malformed-parameters'],
  ] as const)('gives the reason of verifyOAuth as the cause for %s', ([, change, cause]) => {
    expect(explainOAuth({ ...evidence, ...change })).toMatchObject({ explained: true, cause })
  })

  test('[G13-04] shows both times if they differ by more than the window', () => {
    expect(explainOAuth({ ...evidence, now: timestamp + 301.5 })).toMatchObject({
      cause: 'clock-skew',
      expected: String(timestamp + 301),
      received: String(timestamp),
    })
    expect(explainOAuth({ ...evidence, now: timestamp + 301, windowSeconds: 302 })).toMatchObject({ right: true })
  })

  test('[S5.2-27] shows both methods if they differ', () => {
    expect(explainOAuth({ ...rsa, authorization })).toMatchObject({
      cause: 'wrong-method',
      expected: 'RSA-SHA256',
      received: 'HMAC-SHA1',
    })
  })

  test('recognizes a plain secret in place of a signature, without showing it', () => {
    const found = explainOAuth({ ...evidence, authorization: withSignature(evidence, `${secret}&`) })
    expect(found).toMatchObject({ cause: 'wrong-method' })
    expect(JSON.stringify(found)).not.toContain(secret)
  })

  test('recognizes a signature of HMAC-SHA1 where RSA-SHA256 is named', () => {
    const short = withSignature(rsa, Buffer.alloc(20, 1).toString('base64'))
    expect(explainOAuth({ ...rsa, authorization: short })).toMatchObject({
      cause: 'wrong-method',
      advice: expect.stringContaining('as long as one of HMAC-SHA1'),
    })
  })

  test('calls a signature that is not base64 malformed', () => {
    expect(explainOAuth({ ...evidence, authorization: withSignature(evidence, 'abc') })).toMatchObject({
      cause: 'malformed-signature',
    })
    expect(explainOAuth({ ...rsa, authorization: withSignature(rsa, 'abc') })).toMatchObject({
      cause: 'malformed-signature',
    })
  })

  test.for([
    ['as they are', (hex: string) => hex],
    ['in upper case', (hex: string) => hex.toUpperCase()],
    [
      'in base64, as base64_encode(hash_hmac(...)) of PHP makes them',
      (hex: string) => Buffer.from(hex).toString('base64'),
    ],
  ] as const)('[S5.2-14] [S5.2-18] recognizes hex digits in place of base64, %s', ([, written]) => {
    for (const [sent, bytes] of [
      [evidence, 20],
      [rsa, 256],
    ] as const) {
      const signature = written(Buffer.alloc(bytes, 0xc4).toString('hex'))
      expect(explainOAuth({ ...sent, authorization: withSignature(sent, signature) })).toMatchObject({
        cause: 'signature-in-hex',
        advice: expect.stringContaining('base64'),
        expected: '',
      })
    }
  })

  test.each(['c4'.repeat(19), `${'c4'.repeat(20)}=`, `z${'c4'.repeat(20)}`])(
    'does not take %s for hex digits',
    (signature) => {
      expect(explainOAuth({ ...evidence, authorization: withSignature(evidence, signature) })).toMatchObject({
        cause: 'malformed-signature',
      })
    },
  )

  test('[S8-02] recognizes a short key by the length of its signature', () => {
    const short = Buffer.alloc(128, 1).toString('base64')
    expect(explainOAuth({ ...rsa, authorization: withSignature(rsa, short) })).toMatchObject({
      cause: 'key-under-2048-bits',
      advice: expect.stringMatching(/1024 bits.* 2048/),
    })
  })

  test('[G13-04] names a nonce that was seen before, if nothing else is wrong', () => {
    expect(explainOAuth({ ...evidence, isNonceSeen: true })).toMatchObject({
      cause: 'nonce-seen',
      advice: expect.stringContaining('make a fresh nonce for every request'),
      expected: '',
    })
    expect(explainOAuth({ ...evidence, isNonceSeen: false })).toMatchObject({ right: true })
    expect(explainOAuth({ ...evidence, isNonceSeen: true, url: `${signable.url}/` })).toMatchObject({
      cause: 'wrong-path',
    })
  })

  test('shows what a header looks like if there is none', () => {
    expect(explainOAuth({ ...evidence, authorization: '' })).toMatchObject({
      expected: expect.stringMatching(/^OAuth oauth_consumer_key="…", .*oauth_signature="…"/),
    })
  })

  test('has no expected text if no text is wrong', () => {
    const malformed = { authorization: withSignature(evidence, 'abc') }
    const short = { authorization: withSignature(rsa, Buffer.alloc(128, 1).toString('base64')) }
    expect(explainOAuth({ ...evidence, ...malformed })).toMatchObject({ cause: 'malformed-signature', expected: '' })
    expect(explainOAuth({ ...rsa, ...short })).toMatchObject({ cause: 'key-under-2048-bits', expected: '' })
    expect(explainOAuth({ ...rsa, publicKey: 'nothing' })).toMatchObject({ cause: 'unusable-key', expected: '' })
    expect(explainOAuth({ ...evidence, url: 'ftp://example.com/' })).toMatchObject({ expected: '' })
  })

  test.for([
    ['of 100 bytes', Buffer.alloc(100, 1).toString('base64')],
    ['of 128 bytes without its padding', Buffer.alloc(128, 1).toString('base64').replace(/=+$/, '')],
  ] as const)('does not take a signature %s for that of a short key', ([, signature]) => {
    expect(explainOAuth({ ...rsa, authorization: withSignature(rsa, signature) })).toMatchObject({
      cause: 'malformed-signature',
    })
  })

  test('[S8-02] names keys of the wrong half, keys that are too short, and keys that are not RSA', () => {
    const pairs = { modulusLength: 1024 }
    const short = generateKeyPairSync('rsa', {
      ...pairs,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const curve = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const broken = { ...rsa, authorization: withSignature(rsa, Buffer.alloc(256, 1).toString('base64')) }
    const causes = (keys: object) => explainOAuth({ ...broken, ...keys })
    expect(causes({ publicKey: privatePem })).toMatchObject({
      cause: 'private-key-given-for-public',
      advice: expect.stringContaining('it is a private key'),
    })
    expect(causes({ privateKey: publicPem })).toMatchObject({ cause: 'public-key-given-for-private' })
    expect(causes({ publicKey: short.publicKey })).toMatchObject({ cause: 'key-under-2048-bits' })
    expect(causes({ privateKey: short.privateKey })).toMatchObject({ cause: 'key-under-2048-bits' })
    expect(causes({ publicKey: curve.privateKey })).toMatchObject({ cause: 'unusable-key' })
    expect(causes({ privateKey: curve.publicKey })).toMatchObject({ cause: 'unusable-key' })
  })

  test('names keys that are unusable, and keys that do not form a pair', () => {
    const other = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const curve = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const broken = { ...rsa, authorization: withSignature(rsa, Buffer.alloc(256, 1).toString('base64')) }
    expect(explainOAuth({ ...broken, publicKey: 'nothing' })).toMatchObject({ cause: 'unusable-key' })
    expect(explainOAuth({ ...broken, publicKey: curve.publicKey })).toMatchObject({ cause: 'unusable-key' })
    expect(explainOAuth({ ...broken, publicKey: `${publicPem}${publicPem}` })).toMatchObject({ cause: 'unusable-key' })
    expect(explainOAuth({ ...broken, privateKey: other.privateKey })).toMatchObject({
      cause: 'wrong-key',
      advice: expect.stringContaining('the two keys are no pair'),
    })
    expect(explainOAuth({ ...broken, privateKey: privatePem })).toMatchObject({ explained: false })
  })

  test('blames the key if the base string of the sender is right', () => {
    const theirBaseString = signatureBaseString({
      ...signable,
      parameters: [...signable.parameters, ...oauthPairs(signed)],
    })
    const other = signOAuth({ ...hmac, key: hmacKey('other'), ...signable, ...protocol })
    const found = explainOAuth({ ...evidence, authorization: other.authorization, theirBaseString })
    expect(found).toMatchObject({
      cause: 'wrong-key',
      advice: expect.stringContaining('the base string is right'),
      where: undefined,
    })
    expect(found).toHaveProperty('comparison', expect.not.stringContaining('^'))
  })

  test('points at a difference that no single mistake makes, if the sender shows the base string', () => {
    const theirs: Parameter[] = [['client-order-id', 'another'], ...oauthPairs(signed)]
    const theirBaseString = signatureBaseString({ ...signable, parameters: theirs })
    const wrong = { ...evidence, authorization: signedWith([['client-order-id', 'another']]) }
    expect(explainOAuth(wrong)).toMatchObject({ explained: false, right: false })
    expect(explainOAuth({ ...wrong, theirBaseString: 'GET&&' })).toMatchObject({ explained: false })
    expect(explainOAuth({ ...wrong, theirBaseString })).toMatchObject({
      cause: 'different-base-string',
      advice: expect.stringContaining('compare both at the marked part'),
      received: theirBaseString,
    })
  })

  test('skips other URLs that are no URLs', () => {
    const wrong = { ...evidence, authorization: signedWith([]), otherUrls: ['gate', 'ftp://x'] }
    expect(explainOAuth({ ...wrong, parameters: [['a', 'b']] })).toMatchObject({ cause: 'body-not-counted' })
  })

  test('recognizes https and a missing slash in what was signed for a plain http URL', () => {
    const url = 'http://gate.example.com/%7Epay'
    const secure = signOAuth({ ...hmac, ...signable, url: 'https://gate.example.com/%7Epay', ...protocol })
    expect(explainOAuth({ ...evidence, url, authorization: secure.authorization })).toMatchObject({
      cause: 'wrong-host-or-scheme',
      where: 9,
    })
    const slash = signOAuth({ ...hmac, ...signable, url: 'http://gate.example.com/%7Epay', ...protocol })
    expect(explainOAuth({ ...evidence, url: `${url}/`, authorization: slash.authorization })).toMatchObject({
      cause: 'wrong-path',
    })
  })

  test('throws if its caller gives an empty secret', () => {
    expect(catchSigningError(() => explainOAuth({ ...evidence, method: 'HMAC-SHA1', secret: '' })).code).toBe('BAD_KEY')
  })
})
